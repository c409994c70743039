/// How many events a sink had taken and dropped when a flush returned.
///
/// The numbers are totals since the sink was made, so that one caller's flush hides no loss from another caller:
/// ```swift
/// let before = try await writer.flush()
/// record(order)
/// guard try await writer.flush().isComplete(since: before) else { throw OrderError.notKept }
/// ```
public struct FlushReceipt: Sendable, Equatable {
    /// Events that were handed to the sink, dropped ones included; 0 from a sink that does not count.
    public var recorded: Int
    /// Events that are lost, by reason.
    public var droppedByReason: [DropReason: Int]

    public init(recorded: Int = 0, droppedByReason: [DropReason: Int] = [:]) {
        (self.recorded, self.droppedByReason) = (recorded, droppedByReason)
    }

    /// All events that are lost.
    public var dropped: Int { droppedByReason.values.reduce(0, +) }

    /// Whether nothing was lost since the flush that gave the earlier receipt; without one, since the sink was made.
    public func isComplete(since earlier: FlushReceipt = FlushReceipt()) -> Bool {
        DropReason.allCases.allSatisfy { droppedByReason[$0, default: 0] == earlier.droppedByReason[$0, default: 0] }
    }
}

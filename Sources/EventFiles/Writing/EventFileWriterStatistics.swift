/// What a writer did so far. At any moment `recorded == written + waiting + dropped + erased`;
/// what is recorded while consent is denied is not counted at all.
public struct EventFileWriterStatistics: Sendable, Equatable {
    /// Events handed to ``EventFileWriter/record(_:)``.
    public var recorded = 0
    /// Events whose lines are with the system.
    public var written = 0
    /// Events that wait in memory.
    public var waiting = 0
    /// Events that reached no file, by reason.
    public var droppedByReason: [DropReason: Int] = [:]
    /// Events that waited in memory when consent was denied, or when everything was erased. Those that were written by then count as written.
    public var erased = 0
    /// Lines that the writer added about itself: `dropped`, `too_large`, `storage_recovered`.
    public var notes = 0
    /// Numbers in events that were NaN or ±∞ and became `null`.
    public var nonFiniteNumbers = 0
    /// Compressed bytes written, end members and what a repack saved left out.
    public var bytes: Int64 = 0
    /// Segments published.
    public var segments = 0

    public init() {}

    /// All events that reached no file.
    public var dropped: Int { droppedByReason.values.reduce(0, +) }
}

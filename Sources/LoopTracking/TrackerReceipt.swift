public import TrackingEvents

/// What each sink of a tracker had taken and lost when ``Tracker/flush()`` returned, and what the tracker had lost. All are running totals.
public struct TrackerReceipt: Sendable, Equatable {
    /// One for each sink, in the order in which the tracker was given them.
    public var sinks: [FlushReceipt]
    /// Events that the tracker itself dropped, as ``Tracker/dropped`` counts them.
    public var dropped: Int

    @usableFromInline package init(sinks: [FlushReceipt] = [], dropped: Int = 0) { (self.sinks, self.dropped) = (sinks, dropped) }

    /// Whether neither the tracker nor a sink lost anything since the flush that gave `earlier`; without it, since they were made.
    public func isComplete(since earlier: TrackerReceipt = TrackerReceipt()) -> Bool {
        guard dropped == earlier.dropped else { return false }
        return sinks.indices.allSatisfy { index in
            sinks[index].isComplete(since: earlier.sinks.indices.contains(index) ? earlier.sinks[index] : FlushReceipt())
        }
    }
}

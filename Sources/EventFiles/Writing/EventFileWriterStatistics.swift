public import TrackingEvents

/// What a writer has done so far. At any moment `recorded == written + waiting + dropped + erased`.
///
/// Events that come while consent is denied are not counted at all.
public struct EventFileWriterStatistics: Sendable, Equatable {
    /// Events that the writer took or dropped.
    public var recorded = 0
    /// Events whose lines the operating system has, or that ``EventFileWriter/suspend()`` left in the ring file.
    public var written = 0
    /// Events that wait in the ring.
    public var waiting = 0
    /// Events that reached no file, by reason.
    public var droppedByReason: [DropReason: Int] = [:]
    /// Events that waited in the ring when consent was denied, or when everything was erased. Those written by then count as written.
    public var erased = 0
    /// Lines that the writer added about itself: `dropped`, `too_large`, `storage_recovered`.
    public var notes = 0
    /// Numbers in events that were NaN or ±∞ and became `null`.
    public var nonFiniteNumbers = 0
    /// Compressed bytes written, without end members, before any repack.
    public var bytes: Int64 = 0
    /// Segments published.
    public var segments = 0
    /// Segments that were removed to keep within the limits, and that were not sent before.
    public var removedSegments = 0
    /// Events in the ``removedSegments``, also of earlier runs. Those of this writer count as ``written``, too.
    public var removedEvents = 0

    /// All events that reached no file.
    public var dropped: Int { droppedByReason.values.reduce(0, +) }

    var receipt: FlushReceipt {
        var lost = droppedByReason
        if removedEvents > 0 { lost[.retention] = removedEvents }
        return FlushReceipt(recorded: recorded, droppedByReason: lost)
    }
}

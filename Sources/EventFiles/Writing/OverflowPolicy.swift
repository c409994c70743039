/// What happens to events while the ring in memory is full because storage does not keep up.
///
/// Whatever is dropped is counted, and the count reaches the file. ``EventFileWriter/record(_:)`` throws nothing in any case.
public enum OverflowPolicy: Sendable, Equatable {
    /// The event that finds no place is dropped. Never blocks; what led up to the trouble is kept.
    case dropNewest
    /// The oldest waiting event makes place. Never blocks; what happened last is kept. Meta lines are not dropped for others.
    case dropOldest
    /// The caller waits for a place, then the event is dropped. For tools and imports, which would rather wait than lose; in an app
    /// this can block the main thread. Nobody waits while storage fails: that is not a matter of speed.
    case block(upTo: Duration)
}

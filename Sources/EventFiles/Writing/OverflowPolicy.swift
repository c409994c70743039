/// What happens to events while the ring is full because storage does not keep up.
///
/// Every drop is counted, and the count reaches the file. ``EventFileWriter/record(_:)`` never throws.
public enum OverflowPolicy: Sendable, Equatable {
    /// The event that finds no room is dropped. Never blocks. Keeps what led up to the trouble.
    case dropNewest
    /// The oldest waiting event is dropped. Never blocks. Keeps what happened last. Meta lines are not dropped for others.
    case dropOldest
    /// The caller waits for room for so long; then the event is dropped. For tools and imports, which would rather wait than lose. In an
    /// app this can block the main thread. Nobody waits while storage fails.
    case block(upTo: Duration)
}

/// What happens to events while the ring is full, because storage fails or does not keep up.
///
/// Every drop is counted, and the count reaches the file. ``EventFileWriter/record(_:)`` never throws.
public enum OverflowPolicy: Sendable, Equatable {
    /// The event that finds no room is dropped. Never blocks. Keeps what led up to the trouble.
    case dropNewest
    /// The oldest waiting event is dropped. Never blocks. Keeps what happened last. Waiting meta lines are never dropped to make room.
    case dropOldest
    /// The caller waits for room, at most this long; then the event is dropped. For tools and imports, which would rather wait than lose.
    /// In an app this can block the main thread. Nobody waits while storage fails or the writer is suspended.
    case block(upTo: Duration)
}

/// Why a sink does not keep an event, or no longer keeps it. The raw values are the keys of `reasons` in a `dropped` line.
public enum DropReason: String, Sendable, CaseIterable {
    /// The writer's ring (the mapped file of what is not written yet) or a tracker's memory was full while storage worked.
    case overflow
    /// The ring was full while storage failed, storage failed until closing, or events that were written are lost.
    case storage
    /// The line would have been longer than a line may be.
    case tooLarge = "too_large"
    /// The event came after the sink was closed or in a forked child, or was still unwritten, in memory alone, when the sink was closed.
    case closed
    /// The event was written, but its file was removed to stay within limits before anybody had taken it.
    case retention
    /// A person's events were removed on request.
    case forgotten
    /// ``TrackingSink/filtered(_:)`` or ``TrackingSink/mapped(_:)`` before the sink left the event out on purpose. No receipt counts it.
    case filtered
}

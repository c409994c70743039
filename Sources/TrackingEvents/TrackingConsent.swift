/// What a person said to being tracked.
public enum TrackingConsent: String, Sendable, Equatable, CaseIterable {
    /// Nothing yet. Events are kept apart until the person decides.
    case pending
    /// Yes.
    case granted
    /// No. Nothing is numbered, handed on or written, and what was kept apart is erased.
    case denied
}

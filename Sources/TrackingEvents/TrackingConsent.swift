/// A person's answer to being tracked.
public enum TrackingConsent: String, Sendable, Equatable, CaseIterable {
    /// No answer yet. Events are kept apart until there is one.
    case pending
    /// Yes.
    case granted
    /// No. Events are not numbered, handed on or written, and events that were kept apart are erased.
    case denied
}

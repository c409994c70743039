/// A name in a step that no event had, and the name among those that occurred which it was perhaps meant to be.
public struct UnseenName: Sendable, Hashable {
    public let name: String
    /// The nearest name that occurred; `nil` if none is near.
    public let nearest: String?
}

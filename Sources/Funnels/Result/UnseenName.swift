/// A name in a step that no event had, and the name that was perhaps meant.
public struct UnseenName: Sendable, Hashable {
    public let name: String
    /// The nearest name that occurred; `nil` if none is near.
    public let nearest: String?
}

/// A name that a question asks for and that nothing in the data had: an event's name, or a property's path.
public struct UnseenName: Sendable, Hashable {
    public let name: String
    /// The nearest name that occurred. `nil` if none is near, and for a funnel's missing event names after the first 20.
    public let nearest: String?
}

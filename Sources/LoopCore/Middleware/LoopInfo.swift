/// What a middleware learns of the loop it is attached to.
public struct LoopInfo: Sendable, Hashable {
    /// The name given to the ``System``, or to the function that fits the ``Middleware`` to another library's loop; `nil` for none.
    public let name: String?

    @inlinable
    package init(name: String? = nil) { self.name = name }
}

/// The isolation on which a loop lives: learnt at the first call and checked at each later one.
@usableFromInline
package struct HomeIsolation {
    /// An identity and no reference: a reference to an actor that owns the loop would be a cycle.
    @usableFromInline var home: ObjectIdentifier?

    @inlinable package init() {}

    /// Stops the program if an earlier call came from another isolation.
    ///
    /// - Parameter loop: the type that lives there, for the message. It has an `inbox()`.
    /// - Returns: whether this was the first call.
    @inlinable
    package mutating func claim(_ isolation: any Actor, for loop: StaticString) -> Bool {
        guard let home else {
            home = ObjectIdentifier(isolation)
            return true
        }
        precondition(
            home == ObjectIdentifier(isolation),
            "This \(loop) lives on the isolation of its first call and was called from another. Send through \(loop).inbox() instead.")
        return false
    }
}

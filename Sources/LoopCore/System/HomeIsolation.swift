/// The isolation on which a loop lives: learnt at the first call and checked at each later one.
@usableFromInline
package struct HomeIsolation {
    /// The actor's identity. It is compared at each call, because loading the weak reference would cost more.
    @usableFromInline var home: ObjectIdentifier?
    /// The actor, once it is known. Weak: a reference to an actor that owns the loop would be a cycle.
    @usableFromInline package private(set) weak var actor: (any Actor)?

    @inlinable package init() {}

    @usableFromInline
    mutating func learn(_ isolation: any Actor) {
        home = ObjectIdentifier(isolation)
        actor = isolation
    }

    /// Says whether this is the first call, and stops the program if an earlier one came from another isolation.
    ///
    /// - Parameter loop: the type that lives there, for the message. It has an `inbox()`.
    @inlinable
    package mutating func claim(_ isolation: any Actor, for loop: StaticString) -> Bool {
        guard let home else {
            learn(isolation)
            return true
        }
        precondition(
            home == ObjectIdentifier(isolation),
            "This \(loop) lives on the isolation of its first call and was called from another. Send through \(loop).inbox() instead.")
        return false
    }
}

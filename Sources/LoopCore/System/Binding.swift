/// A function that is shown each state of a loop, such as a view's.
@usableFromInline
package final class Binding<State> {
    @usableFromInline private(set) var show: (State) -> Void
    // Unchecked, because it is read at each step and is only a `Bool`.
    @exclusivity(unchecked) @usableFromInline private(set) var isActive = true
    /// Set if the binding ends with an object.
    private weak var owner: AnyObject?
    private let isOwned: Bool

    package init(owner: AnyObject? = nil, _ show: @escaping (State) -> Void) {
        (self.show, self.owner, isOwned) = (show, owner, owner != nil)
    }

    var isAbandoned: Bool { isOwned && owner == nil }

    func deactivate() {
        isActive = false
        // Released now: the binding itself may stand in a list for a while.
        _ = exchange(&show, with: { _ in })
    }
}

import LoopCore

/// Tells each action to the handlers that subscribed to its type, one action at a time.
///
/// ```swift
/// let dispatcher = Dispatcher()
/// dispatcher.subscribe(to: ProductLoaded.self) { [weak store] in store?.show($0.product) }
/// dispatcher.dispatch(ProductLoaded(product: mug))
/// ```
/// **Where it lives.** On the isolation of whoever made it, like a `System`. It learns that at the first ``dispatch(_:isolation:)`` and
/// insists on it from then on. Actions need not be `Sendable`.
///
/// **Order.** Actions are told in the order in which `dispatch` took them. The handlers of one action are called by priority, lower
/// first, and in the order of their subscribing among equals. Nothing nests: an action dispatched from inside a handler is
/// queued and told when all handlers have seen the current one, before the outer `dispatch` returns.
///
/// **Subscribing from inside a handler** works; who comes while an action is told gets the next one.
///
/// **Life.** Handlers are kept until their ``Subscription`` is disposed of or the dispatcher goes: hold views and stores weakly
/// in them.
public final class Dispatcher {
    /// In the middle, with room before and after.
    public static let defaultPriority = 100

    /// Identity only, as a strong reference to an actor that owns this would be a cycle.
    private var home: ObjectIdentifier?
    private var queue = EventQueue<any Action>()
    private var isDispatching = false
    /// For each type in the order in which the handlers are called.
    private var subscriptions: [ObjectIdentifier: [Subscription]] = [:]

    /// A dispatcher that nobody has subscribed to.
    public init() {}

    /// How many subscriptions are in force, to all types together.
    public var subscriptionCount: Int { subscriptions.values.reduce(0) { $0 + $1.count } }

    /// Calls `handle` for each action of exactly this type from now on.
    ///
    /// - Parameters:
    ///   - type: the type of the action itself. A superclass or a protocol does not stand for what conforms to it.
    ///   - priority: lower is called first; among equals, who subscribed first.
    ///   - handle: called on the dispatcher's isolation.
    /// - Returns: the means to end it. It need not be kept.
    /// - Complexity: O(n) in the subscriptions to the type.
    @discardableResult
    public func subscribe<Told: Action>(
        to type: Told.Type, priority: Int = Dispatcher.defaultPriority, _ handle: @escaping (Told) -> Void
    ) -> Subscription {
        let key = ObjectIdentifier(type)
        let subscription = Subscription(to: key, priority: priority, dispatcher: self) { action in
            if let action = action as? Told { handle(action) }
        }
        var others = subscriptions[key] ?? []
        let place = others.firstIndex { $0.priority > priority } ?? others.endIndex
        others.insert(subscription, at: place)
        subscriptions[key] = others
        return subscription
    }

    /// Tells an action to all who subscribed to its type. When this returns all of them have seen it, and all actions that
    /// followed from it, unless it was called from inside a handler: then the action waits its turn.
    public func dispatch(_ action: any Action, isolation: isolated any Actor = #isolation) {
        enter(isolation)
        queue.append(action)
        if isDispatching { return }
        isDispatching = true
        while let next = queue.popFirst() { tell(next) }
        isDispatching = false
    }

    private func tell(_ action: any Action) {
        // The list as it is now: who is added while it runs gets the next action, who is removed has no handler any more.
        guard let subscribed = subscriptions[ObjectIdentifier(type(of: action))] else { return }
        for subscription in subscribed { subscription.handle?(action) }
    }

    private func enter(_ isolation: any Actor) {
        if let home {
            precondition(
                home == ObjectIdentifier(isolation),
                "This Dispatcher lives on the isolation of its first dispatch and was called from another. Dispatch from there.")
        } else {
            home = ObjectIdentifier(isolation)
        }
    }

    func remove(_ subscription: Subscription) {
        subscriptions[subscription.type]?.removeAll { $0 === subscription }
        if subscriptions[subscription.type]?.isEmpty == true { subscriptions[subscription.type] = nil }
    }
}

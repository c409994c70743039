public import LoopCore

/// Tells each action to the handlers that subscribed to its type, one action at a time.
///
/// ```swift
/// let dispatcher = Dispatcher()
/// dispatcher.subscribe(to: ProductLoaded.self) { [weak store] in store?.show($0.product) }
/// dispatcher.dispatch(ProductLoaded(product: mug))
/// ```
/// **Where it lives.** On the isolation of whoever made it, like a `System`. It learns that at the first isolated call
/// (``dispatch(_:isolation:fileID:line:)``, ``inbox(isolation:)``) and insists on it from then on. Actions need not be `Sendable`.
/// Other threads dispatch through an ``ActionInbox``.
///
/// **Order.** Actions are told in the order in which `dispatch` took them: first the ``DispatchMiddleware``, then the handlers, then
/// the stores' middleware, then the ``Service``s. The handlers of one action are called by priority, lower first, and in the order of
/// their subscribing among equals. Nothing nests: an action dispatched from inside any of these is queued and told when all
/// have seen the current one, before the outer `dispatch` returns.
///
/// **Subscribing from inside a handler** works; who comes while an action is told gets the next one.
///
/// **Life.** Handlers are kept until their ``Subscription`` is disposed of or the dispatcher goes: hold views and stores weakly
/// in them.
///
/// **From Mini.** `dispatch(action, mode: .sync)` on the main thread is `dispatch(action)` on the dispatcher's isolation; from
/// elsewhere it is `await inbox.dispatch(action)`; `mode: .async` is `inbox.send(action)`. Handlers really run one after
/// the other, dispatching and subscribing from a handler do not trap, and two action types may have one name.
public final class Dispatcher {
    /// In the middle, with room before and after.
    public static let defaultPriority = 100

    private var home = HomeIsolation()
    private var queue = EventQueue<QueuedAction>()
    private var isDispatching = false
    /// How many actions were taken.
    private(set) var number = 0
    /// What the handlers are being told.
    private(set) var current: CurrentAction?
    /// What has become of the current action so far.
    private var outcomes: [DispatchOutcome] = []
    /// What stores want to do when the handlers are through.
    private var stepEnds: [() -> Void] = []
    /// For each type in the order in which the handlers are called.
    private var subscriptions: [ObjectIdentifier: [Subscription]] = [:]
    var middleware: ContiguousArray<DispatchMiddleware> = []
    var services: ContiguousArray<Service> = []
    var inboxCore: InboxCore<ActionParcel>?
    let clock: StepClock
    /// How many stores want to know how long actions waited.
    var timedStores = 0 {
        didSet { inboxCore?.stampTimes(timedStores > 0) }
    }

    /// A dispatcher that nobody has subscribed to.
    ///
    /// - Parameter clock: times the steps of stores, if a middleware asks for timing.
    public init(clock: StepClock = .monotonic) { self.clock = clock }

    deinit { _ = inboxCore?.close() }

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
        let others = subscriptions[key, default: []]
        let place = others.firstIndex { $0.priority > priority } ?? others.endIndex
        subscriptions[key, default: []].insert(subscription, at: place)
        return subscription
    }

    /// Tells an action to all who subscribed to its type. When this returns all of them have seen it, and all actions that
    /// followed from it, unless it was called from inside a handler: then the action waits its turn.
    public func dispatch(
        _ action: any Action, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        enter(isolation)
        // What the inbox accepted before this goes before it.
        if let inboxCore, inboxCore.signal.isRaised { takeWaiting() }
        append(action, SendOrigin(fileID: fileID, line: line))
        run()
    }

    /// Queues an action from inside a handler, a middleware, a service or an observer, to be told after the current one.
    ///
    /// There `dispatch` does the same; this is for functions that do not know their isolation, such as the methods of a store's
    /// controller. Called from anywhere else it is a programming error.
    public func enqueue(_ action: any Action, fileID: StaticString = #fileID, line: UInt = #line) {
        precondition(
            isDispatching, "Dispatcher.enqueue was called while no action is told. Call dispatch, or send through Dispatcher.inbox().")
        append(action, SendOrigin(fileID: fileID, line: line))
    }

    private func append(_ action: any Action, _ origin: SendOrigin) {
        queue.append(QueuedAction(action: action, origin: origin, sentAt: timedStores > 0 ? clock.nanoseconds : 0, delivery: nil))
    }

    /// Moves what the inbox holds behind what waits already.
    func takeWaiting() {
        guard let inboxCore else { return }
        for parcel in inboxCore.takeAll() {
            queue.append(
                QueuedAction(
                    action: parcel.event.action, origin: parcel.origin, sentAt: parcel.sentAt, delivery: parcel.event.delivery))
        }
    }

    /// Tells what waits until nothing does, unless that is under way already.
    func run() {
        if isDispatching { return }
        isDispatching = true
        while let next = queue.popFirst() { take(next) }
        isDispatching = false
    }

    private func take(_ queued: QueuedAction) {
        number += 1
        current = CurrentAction(queued: queued, action: queued.action)
        if middleware.isEmpty {
            tell(queued.action)
        } else {
            pass(queued.action, through: middleware[...], number: number)
            endSteps()
        }
        current = nil
        if !services.isEmpty { serve(queued) }
        outcomes.removeAll(keepingCapacity: true)
        queued.delivery?.confirm()
    }

    private func serve(_ queued: QueuedAction) {
        let serving = services
        for outcome in outcomes.isEmpty ? [.swallowed] : outcomes {
            let record = DispatchRecord(number: number, action: queued.action, outcome: outcome, origin: queued.origin)
            for service in serving where isRegistered(service) { service.perform(record) }
        }
    }

    func isTelling(_ number: Int) -> Bool { current != nil && self.number == number }

    /// Through the middleware that is left, the last one first, to the handlers.
    @discardableResult
    func pass(_ action: any Action, through rest: ArraySlice<DispatchMiddleware>, number: Int) -> DispatchOutcome {
        guard let next = rest.last else {
            tell(action)
            return .reduced(action)
        }
        let toldBefore = outcomes.count
        next.perform(action, Chain(dispatcher: self, rest: rest.dropLast(), number: number))
        return outcomes.dropFirst(toldBefore).last ?? .swallowed
    }

    private func tell(_ action: any Action) {
        endSteps()
        current?.action = action
        current?.serial += 1
        outcomes.append(.reduced(action))
        // The list as it is now: who is added while it runs gets the next action, who is removed has no handler any more.
        if let subscribed = subscriptions[ObjectIdentifier(type(of: action))] {
            for subscription in subscribed { subscription.handle?(action) }
        }
        endSteps()
    }

    /// Lets the stores that the action touched tell their middleware.
    private func endSteps() {
        while !stepEnds.isEmpty { stepEnds.removeFirst()() }
    }

    /// Calls `end` when the handlers are through with the current action.
    func atEndOfAction(_ end: @escaping () -> Void) { stepEnds.append(end) }

    func enter(_ isolation: any Actor) { _ = home.claim(isolation, for: "Dispatcher") }

    func remove(_ subscription: Subscription) {
        subscriptions[subscription.type]?.removeAll { $0 === subscription }
        if subscriptions[subscription.type]?.isEmpty == true { subscriptions[subscription.type] = nil }
    }
}

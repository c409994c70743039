public import LoopCore

/// Delivers each action to the handlers that subscribed to its type, one action at a time.
///
/// ```swift
/// let dispatcher = Dispatcher()
/// dispatcher.subscribe(to: ProductLoaded.self) { [weak view] in view?.show($0.product) }
/// dispatcher.dispatch(ProductLoaded(product: mug))
/// ```
/// **Where it lives.** On the isolation of whoever made it, like a `System`. It learns that isolation at the first isolated call
/// (``dispatch(_:isolation:fileID:line:)``, ``inbox(isolation:)``) and checks it from then on. Actions need not be `Sendable`.
/// Other threads dispatch through an ``ActionInbox``.
///
/// **Order.** Actions are delivered in the order in which `dispatch` accepted them. One action passes the ``DispatchMiddleware``, the
/// handlers, the observers and middleware of the stores that took it, and last what ``attach(_:)`` attached. Handlers are called by
/// priority, lower first; those of equal priority in the order in which they subscribed. Nothing nests: an action dispatched meanwhile is
/// queued, and is delivered before the outer `dispatch` returns.
///
/// **Subscribing from a handler** works; the new handler receives the next action.
///
/// **Life.** The dispatcher keeps a handler until its ``Subscription`` is cancelled: hold views and stores weakly in it. A dispatcher that
/// is released cancels its work in flight.
public final class Dispatcher: InboxOwner, Settling {
    private final class Handler {
        let priority: Int
        /// `nil` once its subscription is cancelled.
        var handle: ((any Action) -> Void)?

        init(priority: Int, handle: @escaping (any Action) -> Void) { (self.priority, self.handle) = (priority, handle) }
    }

    package let clock: StepClock
    private var home = HomeIsolation()
    private var queue = EventQueue<QueuedEvent<any Action>>()
    private var inboxCore: InboxCore<any Action & Sendable>?
    /// By the type of the action, in the order in which they are called. `cancelled` of them are still in the list.
    private var handlers: [ObjectIdentifier: (all: [Handler], cancelled: Int)] = [:]
    /// The last one sees an action first.
    private var middleware: ContiguousArray<DispatchMiddleware> = []
    let observers: Observers<Void, any Action>
    /// How many stores have middleware that asks for timing.
    var timedStores = 0 { didSet { stampTimes() } }

    private var isRunning = false
    /// The action that was taken from the queue and is under way.
    private var current: QueuedEvent<any Action>?
    /// The action that the handlers receive now.
    private(set) var delivery: QueuedEvent<any Action>?
    /// Functions of the stores that took the delivered action, to call after the last handler.
    private var endings: [(QueuedEvent<any Action>) -> Void] = []
    private var lastDelivered: (any Action)?
    /// The actions that the handlers have received in this turn and no attached middleware has seen.
    private var delivered: [(number: Int, action: any Action, timing: StepTiming?)] = []
    /// How many actions were taken from the queue.
    private var turn = 0
    /// How many steps there were: one for each action that was delivered or swallowed.
    private var number = 0

    private(set) var isStopped = false
    /// Work whose outcome will be dispatched, by the order of its start.
    var work: [Int: Task<Void, Never>] = [:]
    var startedWork = 0
    @usableFromInline package var waiters = Numbered<Sleeper>()

    /// A dispatcher without subscriptions.
    ///
    /// - Parameters:
    ///   - name: what attached middleware learns: traces, measurements and tracked events carry it.
    ///   - clock: measures steps, if a middleware asks for timing.
    public init(name: String? = nil, clock: StepClock = .monotonic) {
        self.clock = clock
        observers = Observers(of: LoopInfo(name: name))
    }

    deinit { end() }

    package var handlerCount: Int { handlers.values.reduce(0) { $0 + $1.all.count - $1.cancelled } }

    /// Calls `handle` for each action of exactly this type from now on.
    ///
    /// - Parameters:
    ///   - type: the type of the action itself, and no superclass or protocol of it.
    ///   - priority: lower is called first; handlers of equal priority in the order in which they subscribed.
    ///   - handle: called on the dispatcher's isolation.
    /// - Complexity: O(n) in the handlers of the type that are called after it.
    @discardableResult
    public func subscribe<Subscribed: Action>(
        to type: Subscribed.Type, priority: Int = 100, _ handle: @escaping (Subscribed) -> Void
    ) -> Subscription {
        let key = ObjectIdentifier(type)
        let handler = Handler(priority: priority) { action in if let action = action as? Subscribed { handle(action) } }
        let before = handlers[key]?.all.lastIndex { $0.priority <= priority } ?? -1
        handlers[key, default: ([], 0)].all.insert(handler, at: before + 1)
        return Subscription { [weak self] in
            // Taken, not overwritten: what it holds may dispatch when it is released.
            _ = handler.handle.take()
            self?.sweepHandlers(of: key)
        }
    }

    /// Takes out the cancelled handlers of a type once they are half of all: to search for each would be quadratic.
    private func sweepHandlers(of key: ObjectIdentifier) {
        handlers[key]?.cancelled += 1
        guard let (all, cancelled) = handlers[key], cancelled * 2 >= all.count else { return }
        handlers[key] = (all.filter { $0.handle != nil }, 0)
    }

    /// Delivers an action to all who subscribed to its type. When this returns they have received it and all actions that followed from it.
    /// While another action is under way, this only queues the action.
    public func dispatch(
        _ action: any Action, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        enter(isolation)
        // Actions that the inbox accepted earlier go before this one.
        if let inboxCore, inboxCore.isRaised { takeWaiting() }
        append(action, SendOrigin(fileID: fileID, line: line), sentAt: isTimed ? clock.nanoseconds : 0)
        run()
    }

    /// The handle for other threads. Every call returns one to the same inbox.
    public func inbox(isolation: isolated any Actor = #isolation) -> ActionInbox {
        enter(isolation)
        if let inboxCore { return ActionInbox(core: inboxCore) }
        let core = InboxCore<any Action & Sendable>(clock: clock, owner: self, on: isolation)
        if isStopped { core.close() }
        inboxCore = core
        stampTimes()
        return ActionInbox(core: core)
    }

    private func takeWaiting() {
        guard let inboxCore else { return }
        for queued in inboxCore.takeAll() { append(queued.event, queued.origin, sentAt: queued.sentAt) }
    }

    func enter(_ isolation: any Actor) { _ = home.claim(isolation, for: "Dispatcher") }

    private func append(_ action: any Action, _ origin: SendOrigin, sentAt: UInt64) {
        if !isStopped { queue.append(QueuedEvent(event: action, origin: origin, sentAt: sentAt)) }
    }

    /// Delivers the waiting actions, unless that is under way already.
    private func run() {
        if isRunning { return }
        isRunning = true
        while let next = queue.popFirst() { take(next) }
        isRunning = false
        wakeWaiters()
    }

    private func take(_ queued: QueuedEvent<any Action>) {
        let awaited = queued.event as? AwaitedAction
        let action = awaited?.action ?? queued.event
        turn += 1
        current = queued
        if middleware.isEmpty {
            deliver(action)
        } else if pass(action, through: middleware[...], turn: turn) == nil {
            number += 1
            notify(number, action, .cancelled, timing: nil)
        }
        // Shown only after the code that follows a middleware's `proceed` has run, as with Mini's services.
        let ended = delivered
        delivered.removeAll(keepingCapacity: true)
        for (number, action, timing) in ended { notify(number, action, .finished, timing: timing) }
        current = nil
        lastDelivered = nil
        awaited?.receipt.confirm()
    }

    /// Whether a middleware may pass on the action of this turn.
    func isPassing(_ turn: Int) -> Bool { current != nil && delivery == nil && self.turn == turn }

    /// Passes an action to the last of the remaining middleware, or to the handlers. Returns the last action that was delivered, if any.
    func pass(_ action: any Action, through rest: ArraySlice<DispatchMiddleware>, turn: Int) -> (any Action)? {
        let stepsBefore = number
        if let next = rest.last {
            next.perform(action, Chain(dispatcher: self, rest: rest.dropLast(), turn: turn))
        } else {
            deliver(action)
        }
        return number == stepsBefore ? nil : lastDelivered
    }

    private func deliver(_ action: any Action) {
        guard let current else { return }
        number += 1
        var timing = observers.needs.contains(.timing) ? StepTiming(sentAt: current.sentAt, clock) : nil
        let delivery = QueuedEvent(event: action, origin: current.origin, sentAt: current.sentAt)
        self.delivery = delivery
        for handler in handlers[ObjectIdentifier(type(of: action))]?.all ?? [] { handler.handle?(action) }
        self.delivery = nil
        lastDelivered = action
        if let startedAt = timing?.startedAt {
            let now = clock.nanoseconds
            timing?.reduce = now &- startedAt
            timing?.shownAt = now
        }
        let ended = endings
        endings.removeAll(keepingCapacity: true)
        for end in ended { end(delivery) }
        if let shownAt = timing?.shownAt { timing?.bindings = clock.nanoseconds &- shownAt }
        delivered.append((number, action, timing))
    }

    /// Calls `end` after the last handler of the action that is being delivered.
    func atEndOfDelivery(_ end: @escaping (QueuedEvent<any Action>) -> Void) { endings.append(end) }

    /// Puts a middleware before all others. It sees actions from the next one on, even if a handler adds the middleware.
    public func add(_ middleware: DispatchMiddleware) { self.middleware.append(middleware) }

    /// Removes a middleware, if it was added. An action that is under way still passes through it.
    public func remove(_ middleware: DispatchMiddleware) { self.middleware.removeAll { $0.id === middleware.id } }

    private var isTimed: Bool { timedStores > 0 || observers.needs.contains(.timing) }

    private func stampTimes() { inboxCore?.stampTimes(isTimed) }

    private func notify(_ number: Int, _ action: any Action, _ outcome: Outcome, timing: StepTiming?) {
        observers.notify(
            Step(
                number: number, event: action, phase: .settled, state: (), previousState: (), timing: timing, origin: current?.origin,
                outcome: outcome), clock: clock)
    }

    /// Attaches the middleware of a `System` to every action: logs, measurements and trackers work on a dispatcher as they are.
    ///
    /// Each sees an `.initial` step at once and then a `.settled` step for each action, after the stores and every ``DispatchMiddleware``:
    /// with the outcome `.finished` and the action that the handlers received, or with `.cancelled` and the action that a
    /// ``DispatchMiddleware`` swallowed. The state is `Void`; attach to a ``Store`` to see states. In the timing, `reduce` is the time of
    /// the handlers, `bindings` that of the stores' observers and middleware.
    @discardableResult
    public func attach(_ middleware: Middleware<Void, any Action>...) -> Self {
        let wasRunning = isRunning
        isRunning = true
        for each in middleware { observers.attach(each).handle(Step(number: number, event: nil, phase: .initial, state: ())) }
        stampTimes()
        isRunning = wasRunning
        run()
        return self
    }

    /// Detaches middleware, if it is attached. It is not called again, not even in the step that is under way.
    @discardableResult
    public func detach(_ middleware: Middleware<Void, any Action>) -> Self {
        observers.detach(middleware)
        stampTimes()
        return self
    }

    /// Returns when no action waits, the inbox is empty and no work started by `dispatch` runs; at once if that is so now, or if the
    /// dispatcher was stopped. It also returns when the waiting task is cancelled.
    ///
    /// Tests use it in place of sleeping. Work that was started by `dispatch` must not call it: it would wait for its own end.
    public func settled(isolation: isolated any Actor = #isolation) async {
        enter(isolation)
        await sleepUntilSettled(isolation: isolation)
    }

    /// Ends the dispatcher: cancels the work in flight, drops the actions that wait, and ignores whatever is dispatched from now on.
    ///
    /// Called while an action is under way, it lets the handlers of that action finish.
    ///
    /// - Returns: how many waiting actions were dropped, those in the inbox included. 0 if it was stopped before.
    @discardableResult
    public func stop(isolation: isolated any Actor = #isolation) -> Int {
        enter(isolation)
        return end()
    }

    @usableFromInline package var isSettled: Bool { isStopped || !isRunning && work.isEmpty && queue.isEmpty && inboxCore?.isEmpty ?? true }

    @discardableResult
    private func end() -> Int {
        isStopped = true
        for task in work.values { task.cancel() }
        work = [:]
        let dropped = queue.removeAll().count + (inboxCore?.close() ?? 0)
        wakeWaiters()
        observers.endReaders()
        return dropped
    }

    package func takeFromInbox(isolation: isolated any Actor) {
        takeWaiting()
        run()
    }
}

public import LoopCore

/// A state that actions change and many observe.
///
/// ```swift
/// let store = Store(Shop.State(), dispatcher: dispatcher, controller: Shop.Controller(dispatcher.inbox()))
/// store.reducer(of: Shop.Load.self) { state, action, controller in controller.load(action.sku) }
/// store.observe { [weak view] in view?.show($0) }
/// store.attach(.log(), .track(to: tracker, Shop.trackingEvent))
/// dispatcher.dispatch(Shop.Load(sku: "sku-1"))
/// ```
/// **Steps.** An action that the store's reducers take makes one step, when all handlers of the action have returned: the observers see the
/// state, then the middleware sees the step. A ``state`` that is set meanwhile belongs to that step; one that is set at another time makes
/// a step without an action, if it differs. Observers are called only after a change; an equal state replaces the old one silently. Nothing
/// nests: a state that an observer sets is shown after the current one, to all observers in the same order.
///
/// **Where it lives.** Where its dispatcher lives.
///
/// **Life.** A store keeps its dispatcher and its controller; only its owner keeps the store. Its reducers and observations end with it.
public final class Store<State: Equatable, Controller> {
    public let dispatcher: Dispatcher
    /// Does the work that actions ask for: requests, databases.
    public var controller: Controller
    package let initialState: State

    /// A step that observers and middleware have not seen yet.
    private struct News {
        /// `nil` if the state is shown without a step.
        let step: Step<State, any Action>?
        let state: State
        let isShown: Bool
    }

    /// What is known of the step of the action that is being delivered.
    private struct OpenStep {
        let previous: State?
        var timing: StepTiming?
        var isChanged = false
    }

    private var current: State
    private var openStep: OpenStep?
    private var reducers = Numbered<Subscription>()
    package let observers: Observers<State, any Action>
    private var news = EventQueue<News>()
    /// The state that observers see now, which is older than the current one if they have set it since.
    private var shown: (state: State, number: Int)?
    private var isNotifying = false
    /// Whether the dispatcher counts this store among those that need times.
    private var isTimed = false { didSet { if isTimed != oldValue { dispatcher.timedStores += isTimed ? 1 : -1 } } }
    private var number = 0

    /// - Parameters:
    ///   - name: what attached middleware learns: traces, measurements and tracked events carry it.
    ///   - controller: left out in a store whose actions ask for no work.
    public init(name: String? = nil, _ initialState: State, dispatcher: Dispatcher, controller: Controller = ()) {
        observers = Observers(of: LoopInfo(name: name))
        self.initialState = initialState
        current = initialState
        self.dispatcher = dispatcher
        self.controller = controller
    }

    deinit {
        if isTimed { dispatcher.timedStores -= 1 }
        for each in reducers.removeAll() { each.cancel() }
    }

    /// The current state. Setting it notifies the observers, if it differs.
    public var state: State {
        get { current }
        set { set(newValue) }
    }

    /// Goes back to the initial state.
    public func reset() { state = initialState }

    /// Registers a reducer: it changes the state in place when such an action is delivered. It holds the store weakly and ends with it.
    ///
    /// - Parameters:
    ///   - priority: lower is called first, among all handlers of the dispatcher.
    ///   - reduce: called on the dispatcher's isolation. The store's own state is the old one while it runs.
    /// - Complexity: one copy of the state and one comparison for each action.
    @discardableResult
    public func reducer<Reduced: Action>(
        of type: Reduced.Type, priority: Int = 100, _ reduce: @escaping (inout State, Reduced) -> Void
    ) -> Subscription { reducer(of: type, priority: priority) { state, action, _ in reduce(&state, action) } }

    /// Registers a reducer that also gives work to the controller. What it dispatches at once is delivered after the current action.
    @discardableResult
    public func reducer<Reduced: Action>(
        of type: Reduced.Type, priority: Int = 100, _ reduce: @escaping (inout State, Reduced, Controller) -> Void
    ) -> Subscription {
        let subscription = dispatcher.subscribe(to: type, priority: priority) { [weak self] action in
            guard let self else { return }
            var next = current
            openStepIfNeeded()
            let startedAt = openStep?.timing == nil ? 0 : dispatcher.clock.nanoseconds
            reduce(&next, action, controller)
            if openStep?.timing != nil { openStep?.timing?.reduce += dispatcher.clock.nanoseconds &- startedAt }
            set(next)
        }
        let number = reducers.add(subscription)
        return Subscription { [weak self] in
            subscription.cancel()
            self?.reducers.remove(number)
        }
    }

    private func set(_ next: State) {
        openStepIfNeeded()
        let previous = exchange(&current, with: next)
        if next == previous { return }
        openStep?.isChanged = true
        if openStep == nil { endStep(nil, previous: observers.needs.contains(.previousState) ? previous : nil, isChanged: true) }
    }

    /// Attaches the middleware of a `System`: logs, measurements and trackers work on a store as they are.
    ///
    /// Each sees the current state at once, in a step of the phase `.initial`, and then one `.settled` step for each action that this store
    /// took, whether or not it changed the state. A state that was set at another time makes a step without an event. Each store numbers
    /// its steps 1, 2, 3 … In the timing, `reduce` is the time of this store's reducers, `bindings` that of its observers.
    @discardableResult
    public func attach(_ middleware: Middleware<State, any Action>...) -> Self {
        for each in middleware {
            let attached = observers.attach(each)
            isTimed = observers.needs.contains(.timing)
            greet { attached.handle(Step(number: $1, event: nil, phase: .initial, state: $0)) }
        }
        return self
    }

    /// Detaches middleware, if it is attached. It is not called again, not even in the step that is under way.
    @discardableResult
    public func detach(_ middleware: Middleware<State, any Action>) -> Self {
        observers.detach(middleware)
        isTimed = observers.needs.contains(.timing)
        return self
    }

    /// Opens the store's step of the action that is being delivered, unless it is open or there is no such action.
    private func openStepIfNeeded() {
        guard openStep == nil, let delivery = dispatcher.delivery else { return }
        let timing = observers.needs.contains(.timing) ? StepTiming(sentAt: delivery.sentAt, dispatcher.clock) : nil
        openStep = OpenStep(previous: observers.needs.contains(.previousState) ? current : nil, timing: timing)
        dispatcher.atEndOfDelivery { [weak self] delivery in
            guard let self, var open = openStep.take() else { return }
            if open.timing != nil { open.timing?.shownAt = dispatcher.clock.nanoseconds }
            endStep(delivery, previous: open.previous, timing: open.timing, isChanged: open.isChanged)
        }
    }

    private func endStep(_ delivery: QueuedEvent<any Action>?, previous: State?, timing: StepTiming? = nil, isChanged: Bool) {
        number += 1
        let step = Step<State, any Action>(
            number: number, event: delivery?.event, phase: .settled, state: current, previousState: previous, timing: timing,
            origin: delivery?.origin)
        notify(News(step: step, state: current, isShown: isChanged))
    }

    /// Shows the current state to all observers once more. It makes no step.
    package func showAgain() { notify(News(step: nil, state: current, isShown: true)) }

    private func notify(_ next: News) {
        if observers.isEmpty { return }
        news.append(next)
        notifyAll()
    }

    /// Shows waiting steps until none is left, unless that is under way already.
    private func notifyAll() {
        if isNotifying { return }
        isNotifying = true
        while let next = news.popFirst() {
            shown = (next.state, next.step?.number ?? number)
            if next.isShown {
                observers.publish(next.state, next.step, clock: dispatcher.clock)
            } else if let step = next.step {
                observers.notify(step, clock: dispatcher.clock)
            }
        }
        shown = nil
        isNotifying = false
    }

    /// Shows a new observer the state that the others have seen. A state that it sets meanwhile is shown afterwards.
    func greet(_ show: (_ state: State, _ number: Int) -> Void) {
        let wasNotifying = isNotifying
        isNotifying = true
        show(shown?.state ?? current, shown?.number ?? number)
        isNotifying = wasNotifying
        notifyAll()
    }
}

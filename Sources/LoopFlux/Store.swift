import LoopCore

/// A state that actions change and many observe.
///
/// ```swift
/// let store = Store(Shop.State(), dispatcher: dispatcher, controller: Shop.Controller(dispatcher.inbox()))
/// store.reducers().disposed(by: bag)                    // see ReducerGroup
/// store.observe { [weak view] in view?.show($0) }
/// store.attach(.log(), .track(to: tracker, Shop.trackingEvent))
/// dispatcher.dispatch(Shop.Load(sku: "sku-1"))
/// ```
/// **Changes.** Whoever sets ``state`` tells the observers, but only if the new state differs from the old; an equal one takes the
/// old one's place silently. Nothing nests: a state that is set by an observer is told after the current one, and every observer
/// sees all states in the same order. A newcomer is shown the current state once, at once.
///
/// **Where it lives.** Where its dispatcher lives.
///
/// **Life.** A store keeps its dispatcher and its controller; nobody keeps the store but its owner. When it goes, its reducers and
/// observations end.
///
/// **From Mini.** `StateType` with its `isEqual(to:)` is plain `Equatable`, `storeController` is ``controller`` and may be of any type,
/// and `Reducer(of:on:)` is `reducer(of:_:)` or ``ActionReducer``. States need no `copy(…)`, as reducers change them in place.
public final class Store<State: Equatable, Controller> {
    public let dispatcher: Dispatcher
    /// What does the work that actions ask for: requests, databases. Mini: `storeController`.
    public var controller: Controller
    /// What ``reset()`` goes back to.
    public let initialState: State

    private var current: State
    var news = EventQueue<News>()
    private var isTelling = false
    var observations: ContiguousArray<Observation> = []
    var observers: ContiguousArray<StateObserver> = []
    /// How many states were told.
    var stateCount = 0
    private var reducers: [any ReducerToken] = []

    var watchers: ContiguousArray<StepWatcher> = []
    var needs: MiddlewareNeeds = []
    /// The last action that had to do with this store, by its place in the dispatcher's order.
    var lastAction: (number: Int, serial: Int)?
    var openStep: OpenStep?

    /// How many actions this store's reducers took, and changes that came without one.
    public internal(set) var stepNumber = 0

    /// A store with a controller.
    ///
    /// - Parameters:
    ///   - initialState: what observers see first.
    ///   - dispatcher: who tells the actions.
    ///   - controller: does the work that actions ask for.
    public init(_ initialState: State, dispatcher: Dispatcher, controller: Controller) {
        self.initialState = initialState
        current = initialState
        self.dispatcher = dispatcher
        self.controller = controller
    }

    deinit {
        for reducer in reducers { reducer.dispose() }
        for observation in observations { observation.dispose() }
        if needs.contains(.timing) { dispatcher.timedStores -= 1 }
    }

    /// The state as of now. Setting it tells the observers, if it differs.
    public var state: State {
        get { current }
        set { set(newValue) }
    }

    /// Back to the initial state.
    public func reset() { state = initialState }

    /// Tells the state to all observers once more, though it did not change.
    public func replayOnce() { announce() }

    /// Puts a reducer in force that changes the state in place when an action of this type is told.
    ///
    /// It holds the store weakly and ends with it. The state that observers see is the one at the closure's end.
    ///
    /// - Parameters:
    ///   - type: the type of the actions.
    ///   - priority: lower is called first, among all reducers of the dispatcher.
    ///   - reduce: called on the dispatcher's isolation. ``state`` is the old one while it runs.
    /// - Returns: the means to end it. It need not be kept.
    /// - Complexity: one copy of the state and one comparison.
    @discardableResult
    public func reducer<Told: Action>(
        of type: Told.Type, priority: Int = Dispatcher.defaultPriority, _ reduce: @escaping (inout State, Told) -> Void
    ) -> ActionReducer<Told> {
        keep(ActionReducer(of: type, on: dispatcher, priority: priority) { [weak self] in self?.take($0, reduce) })
    }

    /// The same for a reducer that sets the controller to work.
    ///
    /// What the controller dispatches at once is told after the current action.
    @discardableResult
    public func reducer<Told: Action>(
        of type: Told.Type, priority: Int = Dispatcher.defaultPriority,
        _ reduce: @escaping (inout State, Told, Controller) -> Void
    ) -> ActionReducer<Told> {
        keep(
            ActionReducer(of: type, on: dispatcher, priority: priority) { [weak self] action in
                guard let self else { return }
                take(action) { state, action in reduce(&state, action, self.controller) }
            })
    }

    private func keep<Told>(_ reducer: ActionReducer<Told>) -> ActionReducer<Told> {
        reducers.removeAll { $0.isDisposed }
        reducers.append(reducer)
        return reducer
    }

    private func take<Told: Action>(_ action: Told, _ reduce: (inout State, Told) -> Void) {
        touch()
        var next = current
        let startedAt = openStep?.timing == nil ? 0 : dispatcher.clock.nanoseconds
        reduce(&next, action)
        if openStep?.timing != nil { openStep?.timing?.reduce += dispatcher.clock.nanoseconds &- startedAt }
        set(next)
    }

    private func set(_ next: State) {
        touch()
        let previous = current
        let isChanged = next != previous
        current = next
        if !isChanged { return }
        if dispatcher.current == nil { announceWithoutAction(previous) } else { announce() }
    }

    func announce() {
        stateCount += 1
        if observers.isEmpty { return }
        let startedAt = openStep?.timing == nil ? 0 : dispatcher.clock.nanoseconds
        if isTelling {
            news.append(.state(current, number: stateCount))
        } else {
            withoutNesting { tell(current, number: stateCount) }
        }
        if openStep?.timing != nil { openStep?.timing?.bindings += dispatcher.clock.nanoseconds &- startedAt }
    }

    private func tell(_ state: State, number: Int) {
        let watching = observers
        for observer in watching where observer.since < number { observer.show?(state) }
    }

    /// Tells what waits until nothing does, unless that is under way already.
    func tellNews() {
        if isTelling { return }
        isTelling = true
        while let next = news.popFirst() {
            switch next {
            case .state(let state, let number): tell(state, number: number)
            case .step(let step):
                let watching = watchers
                for watcher in watching where watcher.isActive && watcher.since < step.number { watcher.handle(step) }
            }
        }
        isTelling = false
    }

    /// Tells something that no other is told while it lasts: what follows from it is told afterwards.
    func withoutNesting(_ tell: () -> Void) {
        if isTelling {
            tell()
            return
        }
        isTelling = true
        tell()
        isTelling = false
        if !news.isEmpty { tellNews() }
    }

    /// What observers and middleware still have to see.
    enum News {
        case state(State, number: Int)
        case step(Step<State, any Action>)
    }
}

extension Store where Controller == Void {
    /// A store whose actions ask for no work.
    public convenience init(_ initialState: State, dispatcher: Dispatcher) {
        self.init(initialState, dispatcher: dispatcher, controller: ())
    }
}

/// A reducer of any action.
private protocol ReducerToken: SubscriptionToken {
    var isDisposed: Bool { get }
}

extension ActionReducer: ReducerToken {}

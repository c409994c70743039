public import LoopCore

extension Store {
    /// A middleware's handler while it is attached.
    final class StepWatcher {
        let middleware: Middleware<State, any Action>
        let handle: Middleware<State, any Action>.Handler
        /// The last step when it came.
        let since: Int
        var isActive = true

        init(_ middleware: Middleware<State, any Action>, since: Int) {
            self.middleware = middleware
            self.since = since
            handle = middleware.makeHandler()
        }
    }

    /// The step of the action that is being told.
    struct OpenStep {
        let number: Int
        let action: any Action
        let origin: SendOrigin
        let previous: State?
        var timing: StepTiming?
    }

    /// Attaches the middleware of a `System`: logs, traces and tracks work on a store as they are.
    ///
    /// Each sees the current state at once, in a step of the phase `.initial`, and then one `.settled` step for each action
    /// that this store took, when all handlers of the action are through, whether or not it changed the state. A state that was set outside
    /// any action makes a step without an event. Steps are numbered 1, 2, 3 … for each store, from its first action on. The previous
    /// state and the timing are there if the middleware asks for them: the wait in the queue, the time in reducers made by
    /// `reducer(of:_:)`, and that in the observers.
    @discardableResult
    public func attach(_ middleware: Middleware<State, any Action>...) -> Self { attach(middleware) }

    /// The same for middleware that comes as a list.
    @discardableResult
    public func attach(_ middleware: [Middleware<State, any Action>]) -> Self {
        for each in middleware {
            let watcher = StepWatcher(each, since: stepNumber)
            watchers.append(watcher)
            gatherNeeds()
            withoutNesting { watcher.handle(Step(number: stepNumber, event: nil, phase: .initial, state: state)) }
        }
        return self
    }

    /// Takes a middleware away. It is not called again, not even in the step that is under way. One that is not attached is no error.
    @discardableResult
    public func detach(_ middleware: Middleware<State, any Action>) -> Self {
        for watcher in watchers where watcher.middleware.id == middleware.id { watcher.isActive = false }
        watchers.removeAll { !$0.isActive }
        gatherNeeds()
        return self
    }

    private func gatherNeeds() {
        let before = needs
        needs = watchers.reduce(into: []) { $0.formUnion($1.middleware.needs) }
        if needs.contains(.timing) && !before.contains(.timing) { dispatcher.timedStores += 1 }
        if !needs.contains(.timing) && before.contains(.timing) { dispatcher.timedStores -= 1 }
    }

    /// Counts the action that is being told as this store's, and opens its step if anybody watches.
    func touch() {
        guard let told = dispatcher.current else { return }
        if let lastAction, lastAction == (dispatcher.number, told.serial) { return }
        lastAction = (dispatcher.number, told.serial)
        stepNumber += 1
        if watchers.isEmpty { return }
        var timing: StepTiming?
        if needs.contains(.timing) {
            let now = dispatcher.clock.nanoseconds
            let sentAt = told.queued.sentAt
            timing = StepTiming(startedAt: now, queueWait: sentAt == 0 ? 0 : now &- sentAt, reduce: 0, bindings: 0)
        }
        openStep = OpenStep(
            number: stepNumber, action: told.action, origin: told.queued.origin,
            previous: needs.contains(.previousState) ? state : nil, timing: timing)
        dispatcher.atEndOfAction { [weak self] in self?.closeStep() }
    }

    private func closeStep() {
        guard let open = openStep.take() else { return }
        news.append(
            .step(
                Step(
                    number: open.number, event: open.action, phase: .settled, state: state, previousState: open.previous,
                    timing: open.timing, origin: open.origin)))
        tellNews()
    }

    /// The state was set while no action was told. The step follows the state at once, and what observers set meanwhile comes after it.
    func announceWithoutAction(_ previous: State) {
        stepNumber += 1
        let step = Step<State, any Action>(
            number: stepNumber, event: nil, phase: .settled, state: state,
            previousState: needs.contains(.previousState) ? previous : nil)
        withoutNesting {
            announce()
            if !watchers.isEmpty { news.append(.step(step)) }
        }
    }
}

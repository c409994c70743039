/// The bindings and the middleware of a loop. At each state the bindings are called first, then the middleware, each in attachment order.
/// An observer that is added while a state is published is not called for that state. One that is removed meanwhile is not called again.
@usableFromInline
package final class Observers<State, Event> {
    /// What attached middleware learns of the loop.
    package let loop: LoopInfo
    // Unchecked, as in `System`.
    @exclusivity(unchecked) @usableFromInline private(set) var bindings: ContiguousArray<Binding<State>> = []
    @exclusivity(unchecked) @usableFromInline private(set) var middleware: ContiguousArray<AttachedMiddleware<State, Event>> = []
    /// What the attached middleware asks for together.
    @exclusivity(unchecked) @usableFromInline package private(set) var needs: MiddlewareNeeds = []
    /// At this number of bindings, those whose owner is gone are removed.
    private var bindingsToSweep = 16
    /// For each reader of the states, the function that ends its reading.
    private var readers = Numbered<() -> Void>()
    /// How many removed bindings are still in the list. To search the list at each removal would be quadratic.
    private var inactiveBindings = 0

    package init(of loop: LoopInfo) { self.loop = loop }

    deinit { endReaders() }

    @inlinable package var isEmpty: Bool { bindings.isEmpty && middleware.isEmpty }

    /// How many bindings are called at each state.
    package var bindingCount: Int { bindings.count - inactiveBindings }

    /// Adds a binding. The caller shows it the current state.
    package func add(_ binding: Binding<State>) { bindings.append(binding) }

    /// Removes a binding. It is not called again, not even for the state that is being published.
    package func remove(_ binding: Binding<State>) {
        guard binding.isActive else { return }
        binding.deactivate()
        inactiveBindings += 1
        if inactiveBindings * 2 >= bindings.count { sweepBindings() }
    }

    /// Adds a binding that ends with an object. Its end is noticed at the next state or when more bindings are added.
    package func addBinding<Owner: AnyObject>(weakly owner: Owner, _ show: @escaping (Owner, State) -> Void) -> Binding<State> {
        // Swept only when the number of bindings has doubled: to sweep at each addition would be quadratic.
        if bindings.count >= bindingsToSweep {
            sweepBindings()
            bindingsToSweep = max(16, 2 * bindings.count)
        }
        let binding = Binding<State>(owner: owner) { [weak self, weak owner] state in
            if let owner { show(owner, state) } else { self?.sweepBindings() }
        }
        add(binding)
        return binding
    }

    /// Takes out the bindings that were removed and those whose owner is gone.
    private func sweepBindings() {
        // What is released here may add or remove bindings in its deinit: the list is read after that.
        for binding in bindings where binding.isAbandoned { binding.deactivate() }
        let before = bindings
        bindings = ContiguousArray(before.filter(\.isActive))
        inactiveBindings = 0
        withExtendedLifetime(before) {}
    }

    /// Attaches middleware. The caller shows it the initial step.
    package func attach(_ middleware: Middleware<State, Event>) -> AttachedMiddleware<State, Event> {
        let attached = AttachedMiddleware(middleware, to: loop)
        self.middleware.append(attached)
        needs.formUnion(middleware.needs)
        return attached
    }

    /// Detaches middleware, if it is attached. It is not called again, not even for the step that is being published.
    package func detach(_ middleware: Middleware<State, Event>) {
        let before = self.middleware
        for attached in before where attached.id === middleware.id { attached.isActive = false }
        self.middleware = ContiguousArray(before.filter(\.isActive))
        needs = self.middleware.reduce(into: []) { $0.formUnion($1.needs) }
        withExtendedLifetime(before) {}
    }

    /// Shows a state to the bindings, then its step, if it has one, to the middleware. The step's timing is completed here, if asked for.
    package func publish(_ state: State, _ step: Step<State, Event>?, clock: StepClock) {
        let attached = middleware
        var step = step
        if !bindings.isEmpty {
            let beganAt = step?.timing == nil ? 0 : clock.nanoseconds
            show(state)
            step?.timing?.shownAt = beganAt
            step?.timing?.bindings = clock.nanoseconds &- beganAt
        }
        guard var step, !attached.isEmpty else { return }
        notify(attached, &step, clock: clock)
    }

    @inlinable
    package func show(_ state: State) {
        let bound = bindings
        for binding in bound where binding.isActive { binding.show(state) }
    }

    package func notify(_ step: @autoclosure () -> Step<State, Event>, clock: StepClock) {
        if middleware.isEmpty { return }
        var step = step()
        notify(middleware, &step, clock: clock)
    }

    /// Lends a step to the middleware: first to those that did not ask how long middleware takes, then with that time to those that did.
    @inlinable
    func notify(_ attached: ContiguousArray<AttachedMiddleware<State, Event>>, _ step: inout Step<State, Event>, clock: StepClock) {
        guard needs.contains(.middlewareTime), let timing = step.timing else {
            for each in attached where each.isActive { each.handle(step) }
            return
        }
        // The middleware begins when the bindings end; that time has been read already.
        let beganAt = timing.shownAt &+ timing.bindings
        for each in attached where each.isActive && !each.needs.contains(.middlewareTime) { each.handle(step) }
        step.timing?.middleware = clock.nanoseconds &- beganAt
        for each in attached where each.isActive && each.needs.contains(.middlewareTime) { each.handle(step) }
    }

    /// Shows the beginning or the end of an effect to the middleware that asked for effects.
    package func notify(_ notice: EffectNotice<Event>) {
        for attached in middleware where attached.isActive { attached.watcher.effect?(notice) }
    }

    /// Tells the middleware that asked for effects which event is taken, before the event is reduced.
    func notify(taken number: Int, _ queued: QueuedEvent<Event>, _ cause: SendCause?) {
        for attached in middleware where attached.isActive { attached.watcher.taken?(number, queued.event, queued.origin.known, cause) }
    }

    /// Calls `finish` once, at ``endReaders()`` or when this object is released. Calling the returned function before that withdraws it.
    package func addEnd(_ finish: @escaping () -> Void) -> () -> Void {
        let number = readers.add(finish)
        // Weak: a reader must not keep this object alive.
        return { [weak self] in self?.readers.remove(number) }
    }

    package func endReaders() {
        // Called after all are removed: readers may look at this object.
        for finish in readers.removeAll() { finish() }
    }
}

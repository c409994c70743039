import Basics
public import LoopCore
public import Observation

extension Middleware {
    /// Observes a plain `@Observable` object, one that knows of no loop.
    ///
    /// ```swift
    /// @MainActor @Observable final class Cart { var items: [String] = [] }
    ///
    /// let observed = middleware.observing(cart) { $0.items }            // observed as long as this is kept
    /// ```
    /// The middleware sees an `.initial` step at once. After each turn of the main actor that changed the model, it sees one step without
    /// an event, however many changes there were. A state that equals the one before makes no such step. ``ObservedModel/flush()`` reports
    /// changes without waiting for the turn's end. ``ObservedModel/perform(_:_:)`` makes a change and reports it as the step of an event.
    ///
    /// - Parameters:
    ///   - model: held weakly; observing ends with it. Change it on the main actor only.
    ///   - clock: for middleware that asks for `MiddlewareNeeds.timing`; only steps of ``ObservedModel/perform(_:_:)`` have a timing.
    ///   - name: what the middleware is told as the system's name.
    ///   - isSame: whether a state equals the one before; `nil` uses the state's `==`, and makes a step at each change where it has none.
    ///   - read: what counts as the model's state. The properties that it reads are observed.
    @MainActor public func observing<Model: AnyObject & Observable>(
        _ model: Model, clock: StepClock = .monotonic, name: String? = nil, isSame: ((State, State) -> Bool)? = nil,
        state read: @escaping (Model) -> State
    ) -> ObservedModel<Model, State, Event> {
        let isSame = isSame ?? Sameness.equality(of: State.self) ?? { _, _ in false }
        let loop = ForeignLoop(self, initialState: nil, clock: clock, name: name)
        return ObservedModel(model, loop: loop, isSame: isSame, read: read)
    }
}

/// A plain `@Observable` object whose changes a middleware sees. Made by `Middleware.observing(_:clock:name:isSame:state:)`.
///
/// **Where it lives.** On the main actor, as the object does.
///
/// **Life.** It holds the object weakly and the object does not hold it. Observing ends when it is released, at ``stop()`` or
/// with the object. Changes that were not reported before it is released are lost.
@MainActor public final class ObservedModel<Model: AnyObject & Observable, State, Event> {
    private weak var model: Model?
    private let loop: ForeignLoop<State, Event>
    private let isSame: (State, State) -> Bool
    private let read: (Model) -> State
    /// Whether something has changed since the state was last read. Locked, because observation calls on the thread that makes the change.
    private let notice = Lock(false)
    private var last: State

    fileprivate init(
        _ model: Model, loop: ForeignLoop<State, Event>, isSame: @escaping (State, State) -> Bool, read: @escaping (Model) -> State
    ) {
        (self.model, self.loop, self.isSame, self.read, last) = (model, loop, isSame, read, read(model))
        // Reads again, because only a finished object can register. If the middleware then changes the model, that is reported, too.
        last = register(model)
        loop.began(with: last)
    }

    /// Reports at once the changes that would be reported after the current turn of the main actor.
    public func flush() { report(nil) }

    /// Makes a change and reports it as the step of an event, even if it left the state as it was.
    ///
    /// Earlier changes are reported first, in a step of their own. If `change` throws, the step is reported before the error goes on to the
    /// caller, because a part of the change may have been made.
    ///
    /// - Parameters:
    ///   - event: what the change is reported as.
    ///   - change: is called once, with the object, before this returns.
    /// - Returns: what `change` returns; `nil`, with nothing changed, if the object is gone or observing was stopped.
    @discardableResult
    public func perform<Result, Failure: Error>(_ event: Event, _ change: (Model) throws(Failure) -> Result) throws(Failure) -> Result? {
        guard let model else { return nil }
        flush()
        let taken = loop.take(event)
        defer { report(taken) }
        return try change(model)
    }

    /// Ends observing; changes that were not reported yet are reported first. A second call does nothing.
    public func stop() {
        flush()
        model = nil
    }

    private func report(_ taken: ForeignLoop<State, Event>.Taken?) {
        guard let model else { return }
        let changed = notice.withLock { exchange(&$0, with: false) }
        let state = changed ? register(model) : last
        if taken == nil, !changed || isSame(last, state) { return }
        let previous = last
        last = state
        loop.saw(taken, previous: previous, state: state)
    }

    /// Reads the state, and asks to be notified of the next change of what was read. Observation notifies only once, and before the
    /// property has its new value. So the new state is read in a later turn, which registers again.
    private func register(_ model: Model) -> State {
        withObservationTracking {
            read(model)
        } onChange: { [notice, weak self] in
            notice.withLock { $0 = true }
            Task { @MainActor in self?.flush() }
        }
    }
}

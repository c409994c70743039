public import LoopCore

/// The feedbacks of CombineFeedback and Loop under their own names.
extension Feedback {
    /// Makes the effect of a value.
    public typealias Making<Control> = (Control) -> Effect<Event>

    /// Starts an effect at each state that gives a value; the next value replaces it, and `nil` cancels it.
    public static func lensing<Control>(state control: @escaping (State) -> Control?, effect: @escaping Making<Control>) -> Feedback {
        Feedback { { state, _ in .replace(with: control(state).map(effect) ?? .none) } }
    }

    /// Starts an effect at each event that carries a payload; the next one replaces it. (CombineFeedback cancels it at any other event.)
    public static func lensing<Payload>(event payload: @escaping (Event) -> Payload?, effect: @escaping Making<Payload>) -> Feedback {
        compacting(events: payload, effect: effect)
    }

    /// Starts an effect at each state that gives a value; the next value replaces it, and `nil` leaves it alone.
    public static func compacting<Control>(state control: @escaping (State) -> Control?, effect: @escaping Making<Control>) -> Feedback {
        Feedback { { state, _ in control(state).map { .replace(with: effect($0)) } ?? .keep } }
    }

    /// Starts an effect at each event that gives a value; the next such event replaces it, and other events leave it alone.
    public static func compacting<Control>(events control: @escaping (Event) -> Control?, effect: @escaping Making<Control>) -> Feedback {
        Feedback { { _, event in event.flatMap(control).map { .replace(with: effect($0)) } ?? .keep } }
    }

    /// In LoopCore: ``/LoopCore/Feedback/onChange(of:_:)``.
    public static func skippingRepeated<Control: Equatable>(
        state control: @escaping (State) -> Control?, effect: @escaping Making<Control>
    ) -> Feedback { onChange(of: control, effect) }

    /// In LoopCore: ``/LoopCore/Feedback/while(let:_:)``.
    public static func firstValueAfterNil<Value>(_ value: @escaping (State) -> Value?, effect: @escaping Making<Value>) -> Feedback {
        .while(let: value, effect)
    }

    /// In LoopCore: ``/LoopCore/Feedback/while(_:_:)``.
    public static func predicate(_ condition: @escaping (State) -> Bool, effect: @escaping Making<State>) -> Feedback {
        .while(condition, effect)
    }

    /// `predicate(_:effect:)` by the name that Loop gives it.
    public static func whenBecomesTrue(_ condition: @escaping (State) -> Bool, effect: @escaping Making<State>) -> Feedback {
        .while(condition, effect)
    }

    /// In LoopCore: ``/LoopCore/Feedback/onEachState(_:)``.
    public static func middleware(state effect: @escaping Making<State>) -> Feedback { onEachState(effect) }

    /// Starts an effect at each event, with the state it led to.
    ///
    /// CombineFeedback cancels the previous effect at each event; here only `cancelsPrevious` does that.
    public static func middleware(cancelsPrevious: Bool = false, _ effect: @escaping (State, Event) -> Effect<Event>) -> Feedback {
        if !cancelsPrevious { return onEachEvent(effect) }
        return Feedback { { state, event in event.map { .replace(with: effect(state, $0)) } ?? .keep } }
    }

    /// Starts an effect at each event, without a look at the state.
    public static func middleware(event effect: @escaping (Event) -> Effect<Event>, cancelsPrevious: Bool = false) -> Feedback {
        middleware(cancelsPrevious: cancelsPrevious) { _, event in effect(event) }
    }

    /// The elements of an asynchronous sequence, turned into events, whatever the state.
    public static func source<Values: AsyncSequence>(
        _ make: @escaping () -> Values, as event: @escaping (Values.Element) -> Event
    ) -> Feedback {
        always { .sending(isAwaited: false) { outlet in for try await value in make() { outlet.send(event(value), fileID: "", line: 0) } } }
    }

    /// Makes a feedback and the function that sends through it, anew at each read. Events are reduced at once, or wait their turn.
    ///
    /// The function reaches every system that has the feedback and has started; earlier events are dropped. Call it on their isolation.
    public static var input: (feedback: Feedback, send: (Event) -> Void) {
        var outlets = Numbered<EffectOutlet<Event>>()
        let feedback = Feedback.always {
            .attached { outlet in
                let number = outlets.add(outlet)
                return { outlets.remove(number) }
            }
        }
        return (feedback, { event in for outlet in outlets.elements { outlet.send(event) } })
    }
}

/// Feedbacks of the same names whose effect is one asynchronous function.
extension Feedback {
    /// An asynchronous effect of one event, or none.
    public typealias Work<Control> = nonisolated(nonsending) (Control) async throws -> Event?

    static func running<Control>(_ work: @escaping Work<Control>) -> Making<Control> {
        { control in .run({ try await work(control) }, fileID: "", line: 0) }
    }

    @_disfavoredOverload
    public static func lensing<Control>(state control: @escaping (State) -> Control?, effect: @escaping Work<Control>) -> Feedback {
        lensing(state: control, effect: running(effect))
    }

    @_disfavoredOverload
    public static func compacting<Control>(state control: @escaping (State) -> Control?, effect: @escaping Work<Control>) -> Feedback {
        compacting(state: control, effect: running(effect))
    }

    @_disfavoredOverload
    public static func compacting<Control>(events control: @escaping (Event) -> Control?, effect: @escaping Work<Control>) -> Feedback {
        compacting(events: control, effect: running(effect))
    }

    @_disfavoredOverload
    public static func skippingRepeated<Control: Equatable>(
        state control: @escaping (State) -> Control?, effect: @escaping Work<Control>
    ) -> Feedback { skippingRepeated(state: control, effect: running(effect)) }

    @_disfavoredOverload
    public static func predicate(_ condition: @escaping (State) -> Bool, effect: @escaping Work<State>) -> Feedback {
        predicate(condition, effect: running(effect))
    }

    @_disfavoredOverload
    public static func middleware(cancelsPrevious: Bool = false, _ effect: @escaping (State, Event) async throws -> Event?) -> Feedback {
        middleware(cancelsPrevious: cancelsPrevious) { state, event in .run({ try await effect(state, event) }, fileID: "", line: 0) }
    }
}

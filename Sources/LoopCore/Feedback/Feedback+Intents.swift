extension Feedback {
    /// Starts an effect when a value of the state changes. The next change replaces it, and `nil` ends it.
    ///
    /// A value that is not `nil` at the initial state counts as changed.
    @inlinable
    public static func onChange<Value: Equatable>(
        of value: @escaping (State) -> Value?, _ effect: @escaping (Value) -> Effect<Event>
    ) -> Feedback {
        Feedback {
            var last: Value?
            return { state, _ in
                let value = value(state)
                // A NaN does not equal itself, and would start an effect at each step.
                if value == last || Sameness.isIdentical(value, last) { return .keep }
                last = value
                return .replace(with: value.map(effect) ?? .none)
            }
        }
    }

    /// Starts an effect when a condition begins to hold, and ends the effect when the condition no longer holds.
    @inlinable
    public static func `while`(_ condition: @escaping (State) -> Bool, _ effect: @escaping (State) -> Effect<Event>) -> Feedback {
        .while(let: { condition($0) ? $0 : nil }, effect)
    }

    /// Starts an effect when the value appears, and ends the effect at `nil`. A change from one value to another does nothing.
    @inlinable
    public static func `while`<Value>(`let` value: @escaping (State) -> Value?, _ effect: @escaping (Value) -> Effect<Event>) -> Feedback {
        Feedback {
            var isOn = false
            return { state, _ in
                let value = value(state)
                if (value != nil) == isOn { return .keep }
                isOn.toggle()
                return .replace(with: value.map(effect) ?? .none)
            }
        }
    }

    /// Starts an effect at each event of a case, with the case's payload. The next such event replaces it.
    ///
    /// ```swift
    /// let open = Feedback.on(Event.open) { sku in .run { .found([try await shop.product(sku)]) } }
    /// ```
    /// - Parameter event: the case, as for an ``EnumCase``.
    public static func on<Payload>(_ event: @escaping (Payload) -> Event, _ effect: @escaping (Payload) -> Effect<Event>) -> Feedback {
        let payload = EnumCase(event)
        return Feedback { { _, event in event.flatMap(payload.extract).map { .replace(with: effect($0)) } ?? .keep } }
    }

    /// Starts an effect at each event of a case without a payload. The next such event replaces it.
    @_disfavoredOverload
    public static func on(_ event: @escaping @autoclosure () -> Event, _ effect: @escaping () -> Effect<Event>) -> Feedback {
        .on({ (_: Void) in event() }, { (_: Void) in effect() })
    }

    /// Starts an effect at each event, with the state it led to. A later effect replaces it only by a name: ``Effect/id(_:_:)``.
    @inlinable
    public static func onEachEvent(_ effect: @escaping (State, Event) -> Effect<Event>) -> Feedback {
        Feedback { { state, event in event.map { .add(effect(state, $0)) } ?? .keep } }
    }

    /// Starts an effect at each state; the next state replaces it.
    @inlinable
    public static func onEachState(_ effect: @escaping (State) -> Effect<Event>) -> Feedback {
        Feedback { { state, _ in .replace(with: effect(state)) } }
    }

    /// Starts an effect once, at the initial state, for as long as the system lives.
    public static func always(_ effect: @escaping () -> Effect<Event>) -> Feedback { .onChange(of: { _ in true }) { _ in effect() } }

    /// The freest form: one asynchronous function that follows all states and sends any events.
    ///
    /// ```swift
    /// Feedback.custom { inputs, outlet in
    ///     for await input in inputs where input.state.isStale { outlet.send(.refresh) }
    /// }
    /// ```
    /// It begins at the initial state and is cancelled with the system, or when its part goes missing; until then its events are never
    /// removed. A slow function still gets every state: the next input after an event that it sent may be older than that event.
    ///
    /// An input is a state with the event that led to it: `nil` for the initial state, a loading state, and one that a failed event left.
    public static func custom(
        _ body: @escaping (States<(state: State, event: Event?)>, EffectOutlet<Event>) async throws -> Void
    ) -> Feedback {
        Feedback {
            var hasBegun = false
            // Only the body keeps it: once the body has ended nobody reads, and states must not pile up.
            weak var inputs: StateSubscription<(state: State, event: Event?)>?
            return { state, event in
                if hasBegun {
                    inputs?.offer((state, event))
                    return .keep
                }
                hasBegun = true
                let first = StateSubscription<(state: State, event: Event?)>(.all)
                first.offer((state, event))
                inputs = first
                return .replace(with: .sending(isAwaited: false) { outlet in try await body(States { first }, outlet) })
            }
        }
    }
}

/// Flavours that start once and go on.
extension Feedback {
    /// Complete freedom: one asynchronous function that follows all states and sends what it likes.
    ///
    /// ```swift
    /// Feedback.custom { inputs, outlet in
    ///     for await input in inputs where input.state.isStale { outlet.send(.refresh) }
    /// }
    /// ```
    /// It begins at the initial state and is cancelled with the system. No state that it sees is skipped, however slow it is. What it sends
    /// is never removed, and a later input may already be there before the state that it answers has changed.
    ///
    /// An input is a state with the event that led to it. The event is `nil` for the initial state, a loading state, and a state that a failed
    /// event left behind.
    public static func custom(
        _ body: @escaping (States<(state: State, event: Event?)>, EffectOutlet<Event>) async throws -> Void
    ) -> Feedback {
        Feedback {
            var hasBegun = false
            // The body alone keeps it: when that has ended, nobody reads any more, and states must not pile up.
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

    /// The events of an asynchronous sequence, whatever the state. When it ends, its events that wait stay.
    ///
    /// - Parameter make: called once for each system.
    public static func source<Events: AsyncSequence>(_ make: @escaping () -> Events) -> Feedback where Events.Element == Event {
        once { .stream(make) }
    }

    /// The elements of an asynchronous sequence, turned into events, whatever the state.
    public static func source<Values: AsyncSequence>(
        _ make: @escaping () -> Values, as event: @escaping (Values.Element) -> Event
    ) -> Feedback {
        once { .sending(isAwaited: false) { outlet in for try await value in make() { outlet.send(event(value)) } } }
    }

    /// A source that calls back: ``Effect/attached(_:)`` for as long as the system lives.
    public static func attached(_ attach: @escaping (EffectOutlet<Event>) -> () -> Void) -> Feedback { once { .attached(attach) } }

    private static func once(_ effect: @escaping () -> Effect<Event>) -> Feedback {
        Feedback {
            var hasStarted = false
            return { _, _ in
                if hasStarted { return .keep }
                hasStarted = true
                return .replace(with: effect())
            }
        }
    }

    /// Makes a feedback and the function that sends through it. The event is reduced before that returns, unless something is under way.
    ///
    /// It reaches every system that has the feedback and has started; before that, events go nowhere. Call it on the
    /// isolation of those systems.
    public static func makeInput() -> (feedback: Feedback, send: (Event) -> Void) {
        let outlets = InputOutlets<Event>()
        let feedback = Feedback.attached { outlet in
            let id = outlets.add(outlet)
            return { outlets.remove(id) }
        }
        return (feedback, { event in for outlet in outlets.all { outlet.send(event) } })
    }
}

/// Where the events of one input go.
private final class InputOutlets<Event> {
    private var outlets: [(id: Int, outlet: EffectOutlet<Event>)] = []
    private var lastID = 0

    var all: [EffectOutlet<Event>] { outlets.map(\.outlet) }

    func add(_ outlet: EffectOutlet<Event>) -> Int {
        lastID += 1
        outlets.append((lastID, outlet))
        return lastID
    }

    func remove(_ id: Int) { outlets.removeAll { $0.id == id } }
}

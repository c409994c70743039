/// What a ``Feedback`` does when it is its turn: a description of work that brings further events.
///
/// Nothing runs until the system runs it. Work runs on the system's isolation, so it may use what is not `Sendable`; what
/// blocks belongs elsewhere, behind an `await`.
/// ```swift
/// let load = Effect<Event>.run { .loaded(try await shop.product(id)) }             // one event, or none
/// let listen = Effect<Event>.stream { socket.messages.map(Event.received) }        // as many as the sequence has
/// let refresh = Effect<Event>.event(.refresh)                                      // one at once
/// ```
public struct Effect<Event> {
    /// Work that sends as many events as it likes.
    typealias Work = nonisolated(nonsending) (EffectOutlet<Event>) async throws -> Void

    enum Kind {
        case events([Event])
        case work(Work, isAwaited: Bool)
        case attached((EffectOutlet<Event>) -> () -> Void)
    }

    /// Several run side by side as one effect. None at all is no effect.
    let kinds: [Kind]

    var isNone: Bool { kinds.isEmpty }

    /// Nothing to do. As a replacement it cancels the effect that runs and puts nothing in its place.
    public static var none: Effect { Effect(kinds: []) }

    /// One event at once: it waits behind the events that are queued already.
    public static func event(_ event: Event) -> Effect { Effect(kinds: [.events([event])]) }

    /// Several events at once, in their order.
    public static func events(_ events: some Sequence<Event>) -> Effect { Effect(kinds: [.events(Array(events))]) }

    /// One asynchronous function, and the event it returns, if any.
    ///
    /// It is first called in a turn of its own, after the step; replaced or cancelled before that, it is never called. If it throws, the system
    /// goes on and middleware sees a step of the phase ``StepPhase/effectFailed`` with the error.
    /// ``System/settled(isolation:)`` waits for it.
    public static func run(_ work: @escaping () async throws -> Event?) -> Effect {
        Effect(kinds: [.work({ outlet in if let event = try await work() { outlet.send(event) } }, isAwaited: true)])
    }

    /// The events of an asynchronous sequence, until it ends or the effect is cancelled.
    ///
    /// ``System/settled(isolation:)`` does not wait for its end, because most have none.
    ///
    /// - Parameter make: called after the step, as the work of ``run(_:)`` is.
    public static func stream<Events: AsyncSequence>(_ make: @escaping () -> Events) -> Effect where Events.Element == Event {
        Effect(kinds: [.work({ outlet in for try await event in make() { outlet.send(event) } }, isAwaited: false)])
    }

    /// Work that sends any number of events through the outlet it is given.
    ///
    /// - Parameters:
    ///   - isAwaited: whether ``System/settled(isolation:)`` waits for the end of the work; give `false` for what has none.
    ///   - work: as for ``run(_:)``.
    public static func sending(isAwaited: Bool = true, _ work: @escaping (EffectOutlet<Event>) async throws -> Void) -> Effect {
        Effect(kinds: [.work(work, isAwaited: isAwaited)])
    }

    /// A source that calls back, such as a delegate, a timer or a publisher.
    ///
    /// - Parameter attach: called when the effect begins. It returns what ends the source; that is called once, when the
    ///   effect is replaced or cancelled or the system ends.
    public static func attached(_ attach: @escaping (EffectOutlet<Event>) -> () -> Void) -> Effect {
        Effect(kinds: [.attached(attach)])
    }

    /// Several effects that begin in their order, run side by side and are cancelled together.
    public static func merge(_ effects: [Effect]) -> Effect { Effect(kinds: effects.flatMap(\.kinds)) }

    /// This effect with its events turned into others.
    func map<Other>(_ transform: @escaping (Event) -> Other) -> Effect<Other> {
        Effect<Other>(
            kinds: kinds.map { kind in
                switch kind {
                case .events(let events): .events(events.map(transform))
                case .work(let work, let isAwaited):
                    .work({ outlet in try await work(outlet.pullback(transform)) }, isAwaited: isAwaited)
                case .attached(let attach): .attached { outlet in attach(outlet.pullback(transform)) }
                }
            })
    }
}

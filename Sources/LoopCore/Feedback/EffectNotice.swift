/// The beginning or the end of an effect, for middleware that asks for ``MiddlewareNeeds/effects``.
///
/// Effects are the work of an event's ``Next`` and what reducers and feedbacks start. The end of each reported effect is reported once,
/// unless its system is released without a ``System/stop(isolation:)``: a released system reports nothing. The end of a ``Next``'s work is
/// reported before its settled step. An event that an effect sends to an idle system is taken before the effect's end is reported. Effects
/// that began before the first such middleware was attached are not reported.
public struct EffectNotice<Event> {
    /// Identifies the effect among those of one system: 1, 2, 3 … in the order in which they began.
    public let id: Int
    public let source: EffectSource
    /// The number of the event that led to it; 0 for the initial state.
    public let number: Int
    /// The event of that number; `nil` for the initial state.
    public let event: Event?
    /// When the effect began, in nanoseconds of the system's ``StepClock``.
    public let beganAt: UInt64
    /// How the effect ended; `nil` in the notice of its beginning.
    public internal(set) var outcome: Outcome?
    /// How long the effect ran, in nanoseconds of the system's ``StepClock``; 0 in the notice of its beginning.
    public internal(set) var duration: UInt64 = 0

    func ended(_ outcome: Outcome, at time: UInt64) -> EffectNotice {
        var notice = self
        notice.outcome = outcome
        notice.duration = time &- beganAt
        return notice
    }

    /// The notice as a part of the system gets it; `nil` if its event is not one of the part's.
    func map<Part>(_ part: (Event) -> Part?) -> EffectNotice<Part>? {
        let local = event.flatMap(part)
        if event != nil && local == nil { return nil }
        return EffectNotice<Part>(
            id: id, source: source, number: number, event: local, beganAt: beganAt, outcome: outcome, duration: duration)
    }
}

/// What started an effect.
public enum EffectSource: Sendable, Hashable {
    /// The event's ``Next``.
    case next
    /// An effect, by its ``Effect/id(_:_:)`` or its feedback's name (``Feedback/named(_:)``); "effect" if a reducer returned it unnamed.
    case effect(String)
}

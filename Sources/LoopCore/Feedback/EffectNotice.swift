/// The beginning or the end of an effect, for middleware that asks for ``MiddlewareNeeds/effects``.
///
/// Effects are the work of an event's ``Next`` and what feedbacks start. The end of each that began is reported once, unless its system is
/// released without a ``System/stop(isolation:)``: a released system reports nothing. The end of a ``Next``'s work is reported before its
/// settled step. A feedback's effect that sends an event while nothing is under way ends after that event was taken. Effects that ran
/// already when the first middleware asked are not reported.
@usableFromInline package struct EffectNotice<Event> {
    /// Tells the effects of one system apart: 1, 2, 3 … in the order in which they began.
    @usableFromInline package let id: Int
    @usableFromInline package let source: EffectSource
    /// The number of the event that led to it; 0 for the initial state.
    @usableFromInline package let number: Int
    /// The event of that number; `nil` for the initial state.
    @usableFromInline package let event: Event?
    /// When it began, on the system's ``StepClock``.
    @usableFromInline package let beganAt: UInt64
    /// `nil` while it begins.
    @usableFromInline package let end: EffectEnd?

    func ended(_ outcome: Outcome, at time: UInt64) -> EffectNotice {
        EffectNotice(
            id: id, source: source, number: number, event: event, beganAt: beganAt,
            end: EffectEnd(outcome: outcome, duration: time &- beganAt))
    }

    /// The notice as a part of the system gets it; `nil` if its event means nothing there.
    func map<Part>(_ part: (Event) -> Part?) -> EffectNotice<Part>? {
        let local = event.flatMap(part)
        if event != nil && local == nil { return nil }
        return EffectNotice<Part>(id: id, source: source, number: number, event: local, beganAt: beganAt, end: end)
    }
}

/// What started an effect.
@usableFromInline package enum EffectSource: Sendable, Hashable {
    /// The event's ``Next``.
    case next
    /// The feedback of this name: ``Feedback/named(_:)``.
    case feedback(String)
}

/// What is known at the end of an effect.
@usableFromInline package struct EffectEnd {
    @usableFromInline package let outcome: Outcome
    /// How long it ran, in nanoseconds of the system's ``StepClock``.
    @usableFromInline package let duration: UInt64
}

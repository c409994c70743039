public import LoopCore

extension Reducer {
    /// CombineFeedback's name for ``/LoopCore/Reducer/all(_:)``.
    public static func combine(_ reducers: Reducer...) -> Reducer { all(of: reducers) }

    /// The reducer of one case of an enum, for the whole enum: nothing else changes. In LoopCore this is `on(_:)` with a `Part(case:)`.
    public func pullback<Whole, WholeEvent>(
        state: EnumCase<Whole, State>, event: EnumCase<WholeEvent, Event>
    ) -> Reducer<Whole, WholeEvent> {
        inside(
            .unique(), leaves: true, read: state.extract,
            change: { whole, change in
                guard var part = state.extract(whole) else { return }
                change(&part)
                whole = state.embed(part)
            }, embed: event.embed, extract: event.extract)
    }

    /// This reducer for a state that may be missing; while it is missing, nothing changes.
    public func optional() -> Reducer<State?, Event> {
        inside(
            .unique(), leaves: true, read: { $0 }, change: { state, change in if state != nil { change(&state!) } }, embed: { $0 },
            extract: { $0 })
    }
}

extension Feedback {
    /// The feedback of one case of an enum, for the whole enum. When the enum leaves the case, the feedback's effects are cancelled.
    public func pullback<Whole, WholeEvent>(
        state: EnumCase<Whole, State>, event: EnumCase<WholeEvent, Event>
    ) -> Feedback<Whole, WholeEvent> { pullback(state: state.extract, event: event) }

    /// This feedback for a state that may be missing: when the state goes missing, its effects are cancelled.
    public func optional() -> Feedback<State?, Event> { pullback(state: { $0 }, event: .whole) }
}

extension EnumCase where Root == Value {
    /// The whole value, unchanged.
    public static var whole: EnumCase { EnumCase(embed: { $0 }, extract: { $0 }) }
}

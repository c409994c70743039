public import LoopCore

extension Reducer {
    /// CombineFeedback's name of ``/LoopCore/Reducer/all(_:)``.
    public static func combine(_ reducers: Reducer...) -> Reducer { all(of: reducers) }

    /// This reducer for a state that may be missing; while it is, nothing changes.
    public func optional() -> Reducer<State?, Event> {
        inside(
            .unique(), leaves: true, read: { $0 }, change: { state, change in if state != nil { change(&state!) } }, embed: { $0 },
            extract: { $0 })
    }
}

extension Feedback {
    /// This feedback for a state that may be missing: leaving cancels its effects.
    public func optional() -> Feedback<State?, Event> { pullback(state: { $0 }, event: .whole) }
}

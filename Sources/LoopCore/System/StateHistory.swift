/// How many past states a system keeps.
public enum HistoryLimit: Sendable, Equatable {
    /// None. The default, because a kept state makes in-place changes copy.
    case off
    /// The last so many, the current one included.
    case last(Int)
}

/// The last states of a system: O(1) a step.
@usableFromInline
final class StateHistory<State> {
    private let limit: Int
    private var kept = EventQueue<State>()

    init?(_ limit: HistoryLimit) {
        guard case .last(let count) = limit else { return nil }
        precondition(count > 0, "A history keeps at least one state; use .off for none.")
        self.limit = count
    }

    /// - Returns: the state that left for it. Letting go of it may run code of its own, which may read the history.
    @usableFromInline
    func append(_ state: State) -> State? {
        kept.append(state)
        return kept.count > limit ? kept.popFirst() : nil
    }

    /// Oldest first.
    var states: [State] { kept.elements }
}

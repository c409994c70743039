/// How many past states a system keeps.
public enum HistoryLimit: Sendable, Equatable {
    /// None. The default, because a kept state makes in-place changes copy.
    case off
    /// This many of the last states, the current one included.
    case last(Int)
}

/// How many past states a system keeps.
public enum HistoryLimit: Sendable, Equatable {
    /// None. The default, because a kept state makes in-place changes copy.
    case off
    /// The last so many, the current one included.
    case last(Int)
}

/// A funnel's result beside that of the same funnel in another time.
public struct FunnelComparison: Sendable, Hashable {
    /// What was asked for.
    public let result: FunnelResult
    /// What it is compared with: the same definition but for its time range.
    public let other: FunnelResult

    /// Whether what was asked for differs from what it is compared with.
    package let claim: Claim

    public init(result: FunnelResult, other: FunnelResult) {
        precondition(result.steps.count == other.steps.count, "only results of the same steps can be compared")
        self.result = result
        self.other = other
        claim = .comparing(result, with: other)
    }

    /// By how much a share differs from the other's, -1…1; `nil` where one of them is a share of nothing.
    public static func difference(_ share: Double?, _ other: Double?) -> Double? {
        guard let share, let other else { return nil }
        return share - other
    }
}

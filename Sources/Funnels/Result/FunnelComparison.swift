/// A funnel's result beside that of the same funnel in another time range.
public struct FunnelComparison: Sendable, Hashable {
    /// What was asked for.
    public let result: FunnelResult
    /// What it is compared with: the result of the same definition with another time range.
    public let other: FunnelResult

    /// Whether the two results differ.
    package let claim: Claim

    public init(result: FunnelResult, other: FunnelResult) {
        precondition(result.steps.count == other.steps.count, "only results of the same steps can be compared")
        self.result = result
        self.other = other
        claim = .comparing(result, with: other)
    }

    /// By how much a share differs from the other's, -1…1; `nil` where one of them is a share of nothing.
    public static func difference(_ share: Double?, _ other: Double?) -> Double? { if let share, let other { share - other } else { nil } }
}

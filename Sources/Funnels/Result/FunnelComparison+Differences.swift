import Basics

/// By how much the results of two time ranges differ, and whether chance alone would explain it.
extension FunnelComparison {
    /// A difference of shares; its p-value is `nil` where keys are not independent.
    package struct Difference: Sendable, Hashable {
        package let difference: ShareDifference
        package let pValue: Double?

        init?(_ share: Share, _ other: Share, isIndependent: Bool) {
            guard let difference = ShareDifference(share, other) else { return nil }
            self.difference = difference
            pValue = isIndependent ? difference.pValue : nil
        }
    }

    /// By how much the shares that converted differ.
    package var rate: Difference? { Difference(result.share, other.share, isIndependent: countsUsers) }

    /// For each step, by how much the shares of step 1 that reached it differ.
    package var ofFirst: [Difference?] {
        zip(result.steps, other.steps).map {
            Difference(result.share(ofFirst: $0, in: result.steps), other.share(ofFirst: $1, in: other.steps), isIndependent: countsUsers)
        }
    }

    /// For each group of either result, by how much the shares that converted differ; `nil` where only one result has the group.
    package var groups: [(value: String, difference: Difference?)] {
        let isIndependent = countsUsers && result.definition.breakdown?.attribution == .first
        let own = Dictionary(result.groups.map { (ExactText($0.value), result.share(of: $0)) }) { first, _ in first }
        let others = Dictionary(other.groups.map { (ExactText($0.value), other.share(of: $0)) }) { first, _ in first }
        let values = result.groups.map { ExactText($0.value) } + other.groups.map { ExactText($0.value) }.filter { own[$0] == nil }
        return values.map { value in
            guard let share = own[value], let compared = others[value] else { return (value.text, nil) }
            return (value.text, Difference(share, compared, isIndependent: isIndependent))
        }
    }

    private var countsUsers: Bool { result.definition.counting == .users }

    /// The lengths of the two ranges of starts that are shown, in milliseconds; `nil` where a range has no beginning or no end.
    package var lengths: (own: Int64, other: Int64)? {
        func length(_ result: FunnelResult) -> Int64? {
            let until = result.definition.starts == .mature ? result.mature.untilMilliseconds : result.definition.until
            guard let since = result.definition.since, let until else { return nil }
            let (length, overflow) = until.subtractingReportingOverflow(since)
            return overflow ? nil : max(length, 0)
        }
        guard let own = length(result), let compared = length(other) else { return nil }
        return (own, compared)
    }
}

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
        let values = result.groups.map(\.value)
        let isIndependent = countsUsers && result.definition.breakdown?.attribution == .first
        return (values + other.groups.map(\.value).filter { value in !values.contains { $0.isExactly(value) } }).map { value in
            guard let own = result.groups.first(where: { $0.value.isExactly(value) }),
                let others = other.groups.first(where: { $0.value.isExactly(value) })
            else { return (value, nil) }
            return (value, Difference(result.share(of: own), other.share(of: others), isIndependent: isIndependent))
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

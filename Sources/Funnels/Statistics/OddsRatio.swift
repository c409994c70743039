import Basics

/// By what factor the odds of having something are higher among those that converted than among those that dropped.
package struct OddsRatio: Sendable, Hashable {
    /// Above 0; 1 where having it makes no difference.
    package let value: Double
    /// Woolf's logit interval, or a wider one where users are clusters.
    package let interval: ConfidenceInterval
    /// The two-sided p-value where users make the interval wider; 0 where they do not.
    let clusteredPValue: Double

    /// The odds among those that converted, divided by the odds among those that dropped. Where a cell of the table is 0, a half is added
    /// to each (Haldane and Anscombe). `variance` takes these cells and returns that of the ratio's logarithm, with users as clusters.
    package init(converted: Share, dropped: Share, variance ofUsers: ([Double]) -> Double = { _ in 0 }) {
        var cells = [converted.count, converted.total - converted.count, dropped.count, dropped.total - dropped.count].map(Double.init)
        if cells.contains(0) { cells = cells.map { $0 + 0.5 } }
        value = cells[0] / cells[1] / (cells[2] / cells[3])
        let (woolf, clustered) = (cells.reduce(0) { $0 + 1 / $1 }, ofUsers(cells))
        let (error, centre) = (max(woolf, clustered).squareRoot(), log(value))
        // If each user counts once, the two variances are equal up to rounding.
        clusteredPValue = clustered > woolf * (1 + 1e-9) ? StudentT.pValue(centre / error, degrees: .infinity) : 0
        interval = ConfidenceInterval(exp(centre - ConfidenceInterval.z * error), exp(centre + ConfidenceInterval.z * error))
    }
}

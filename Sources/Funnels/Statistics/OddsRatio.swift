import Basics

/// By what factor the odds of having something are higher among those that converted than among those that dropped.
package struct OddsRatio: Sendable, Hashable {
    /// Above 0; 1 where having it makes no difference.
    package let value: Double
    /// Woolf's logit interval.
    package let interval: ConfidenceInterval

    /// The odds among those that converted, divided by the odds among those that dropped. Where a cell of the table is 0, a half is added
    /// to each cell (Haldane and Anscombe).
    package init(converted: Share, dropped: Share) {
        var cells = [converted.count, converted.total - converted.count, dropped.count, dropped.total - dropped.count].map(Double.init)
        if cells.contains(0) { cells = cells.map { $0 + 0.5 } }
        value = cells[0] / cells[1] / (cells[2] / cells[3])
        let error = cells.reduce(0) { $0 + 1 / $1 }.squareRoot()
        let centre = log(value)
        interval = ConfidenceInterval(exp(centre - ConfidenceInterval.z * error), exp(centre + ConfidenceInterval.z * error))
    }
}

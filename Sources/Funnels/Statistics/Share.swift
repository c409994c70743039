/// How many of a number of keys did something.
package struct Share: Sendable, Hashable {
    package let count: Int
    package let total: Int

    /// - Parameters:
    ///   - count: 0 to `total`.
    ///   - total: 0 or more.
    package init(_ count: Int, of total: Int) {
        precondition(0 <= count && count <= total, "a share has no more keys than its whole")
        self.count = count
        self.total = total
    }

    /// The share, 0…1; `nil` for a share of nothing.
    package var value: Double? { total == 0 ? nil : Double(count) / Double(total) }

    /// Wilson's score interval, without continuity correction; `nil` for a share of nothing.
    ///
    /// It holds at the ends too, where the share plus or minus its standard error does not: none of ten is 0 to 28 %. The bound is exactly
    /// 0 where none is counted, and exactly 1 where all are.
    ///
    /// Wilson, E. B. (1927), Probable inference, the law of succession, and statistical inference. JASA 22, 209–212.
    package var interval: ConfidenceInterval? {
        guard let value else { return nil }
        let n = Double(total)
        let square = ConfidenceInterval.z * ConfidenceInterval.z
        let scale = 1 + square / n
        let centre = (value + square / (2 * n)) / scale
        let half = ConfidenceInterval.z * (value * (1 - value) / n + square / (4 * n * n)).squareRoot() / scale
        return ConfidenceInterval(count == 0 ? 0 : max(0, centre - half), count == total ? 1 : min(1, centre + half))
    }
}

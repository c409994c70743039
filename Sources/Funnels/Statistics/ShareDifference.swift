import Basics

/// By how much a share differs from another one, and whether chance alone would explain it.
package struct ShareDifference: Sendable, Hashable {
    /// The first share less the second, −1…1.
    package let value: Double
    /// Newcombe's hybrid score interval.
    ///
    /// Newcombe, R. G. (1998), Interval estimation for the difference between independent proportions, method 10. Stat. Med. 17, 873–890.
    package let interval: ConfidenceInterval
    /// The two-sided p-value: how often chance alone makes a difference at least as large between keys that do not differ.
    package let pValue: Double

    /// Compares two shares of different keys; `nil` where one of them is a share of nothing.
    package init?(_ share: Share, _ other: Share) {
        guard let a = share.value, let b = other.value, let ofA = share.interval, let ofB = other.interval else { return nil }
        value = a - b
        func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
        interval = ConfidenceInterval(value - length(a - ofA.lower, ofB.upper - b), value + length(ofA.upper - a, b - ofB.lower))
        pValue = Self.leastExpected(share, other) < 5 ? FisherExact.pValue(share, other) : Self.pooledPValue(share, other)
    }

    /// The smallest count that a cell of the table is expected to have if the shares do not differ.
    private static func leastExpected(_ share: Share, _ other: Share) -> Double {
        let count = share.count + other.count
        let total = share.total + other.total
        return Double(min(share.total, other.total)) * Double(min(count, total - count)) / Double(total)
    }

    /// The two-sided p-value of the z-test with the pooled share; not a number if none or all of the keys are counted.
    private static func pooledPValue(_ share: Share, _ other: Share) -> Double {
        let (n, m) = (Double(share.total), Double(other.total))
        let pooled = Double(share.count + other.count) / (n + m)
        let error = (pooled * (1 - pooled) * (1 / n + 1 / m)).squareRoot()
        let z = (Double(share.count) / n - Double(other.count) / m) / error
        return erfc(abs(z) / 2.0.squareRoot())
    }
}

/// Fisher's exact test, for tables with cells too small for the normal distribution.
enum FisherExact {
    /// Tables whose probabilities differ by no more than this share count as equally likely, so that rounding leaves none out.
    static let tolerance = 1e-7

    /// The two-sided p-value: the probability of all tables with these margins that are no more likely than this one.
    ///
    /// Each weight is its neighbour's times a factor, starting at the largest. Logarithms of factorials would lose digits.
    ///
    /// - Complexity: O(n log n), with n the smallest margin.
    static func pValue(_ share: Share, _ other: Share) -> Double {
        let counted = share.count + other.count
        let least = max(0, counted - other.total)
        let most = min(counted, share.total)
        /// By what factor `count` + 1 of the first share is more likely than `count`.
        func growth(_ count: Int) -> Double {
            Double(share.total - count) * Double(counted - count) / (Double(count + 1) * Double(other.total - counted + count + 1))
        }
        // The weights rise up to the mode and then fall.
        let mode = Double(share.total + 1) * Double(counted + 1) / (Double(share.total + other.total) + 2)
        let middle = min(max(Int(mode), least), most)
        var weights = Array(repeating: 1.0, count: most - least + 1)
        for count in stride(from: middle, to: most, by: 1) { weights[count + 1 - least] = weights[count - least] * growth(count) }
        for count in stride(from: middle - 1, through: least, by: -1) {
            weights[count - least] = weights[count + 1 - least] / growth(count)
        }
        let limit = weights[share.count - least] * (1 + tolerance)
        // From the smallest up: adding small numbers to large ones would lose them.
        weights.sort()
        let whole = weights.reduce(0, +)
        return min(1, weights.prefix { $0 <= limit }.reduce(0, +) / whole)
    }
}

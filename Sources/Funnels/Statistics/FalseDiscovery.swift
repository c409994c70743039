/// Corrects p-values for how many questions were asked at once.
package enum FalseDiscovery {
    /// The q-values of some p-values, in their order. If q-values up to 0.05 are claimed, at most one claim in twenty is false on average.
    ///
    /// A question without a p-value has no q-value and does not count as asked.
    ///
    /// Benjamini, Y. and Hochberg, Y. (1995), Controlling the false discovery rate. JRSS B 57, 289–300.
    ///
    /// - Complexity: O(n log n).
    package static func qValues(_ pValues: [Double?]) -> [Double?] {
        let asked = pValues.enumerated().compactMap { index, p in p.map { (index: index, p: $0) } }.sorted { $0.p < $1.p }
        var qValues = [Double?](repeating: nil, count: pValues.count)
        var least = 1.0
        for rank in stride(from: asked.count, through: 1, by: -1) {
            let (index, p) = asked[rank - 1]
            least = min(least, p * Double(asked.count) / Double(rank))
            qValues[index] = least
        }
        return qValues
    }
}

/// The 95 % confidence interval of a value that was measured on a sample.
package struct ConfidenceInterval: Sendable, Hashable {
    package let lower: Double
    package let upper: Double

    /// The quantile of the standard normal distribution for a confidence of 95 %.
    static let z = 1.959963984540054

    package init(_ lower: Double, _ upper: Double) { (self.lower, self.upper) = (lower, upper) }
}

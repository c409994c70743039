import Basics

/// The χ² distribution: that of a sum of squares of independent standard normal values.
enum ChiSquare {
    /// The 10 % quantile: one sum in ten is below it.
    ///
    /// - Parameter degrees: degrees of freedom, which is the number of squares; 1 or more.
    static func tenth(degrees: Int) -> Double {
        var (low, high) = (0.0, Double(degrees))
        for _ in 0..<100 {
            let middle = (low + high) / 2
            if share(below: middle, degrees: degrees) < 0.1 { low = middle } else { high = middle }
        }
        return high
    }

    /// The share of sums below a value above 0, by the series of the incomplete gamma function, which converges fast up to the mean.
    private static func share(below value: Double, degrees: Int) -> Double {
        let (a, x) = (Double(degrees) / 2, value / 2)
        var (term, sum, n) = (1 / a, 1 / a, a)
        while term > sum * 1e-17 {
            n += 1
            term *= x / n
            sum += term
        }
        return sum * exp(a * log(x) - x - lgamma(a).0)
    }
}

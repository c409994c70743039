import Basics

/// Student's distribution, for differences whose spread is itself estimated from few numbers.
package enum StudentT {
    /// The two-sided p-value: how often chance alone gives a `t` at least as far from 0.
    ///
    /// Press, W. H. and others (2007), Numerical Recipes, 3rd edition, sections 6.4 and 6.14.
    ///
    /// - Parameter degrees: degrees of freedom, above 0; need not be whole. With infinitely many it is the normal distribution.
    package static func pValue(_ t: Double, degrees: Double) -> Double {
        guard t.isFinite else { return t.isNaN ? 1 : 0 }
        if degrees == .infinity { return erfc(t.magnitude / 2.0.squareRoot()) }
        let whole = degrees + t * t
        return incompleteBeta(degrees / whole, rest: t * t / whole, degrees / 2, 0.5)
    }

    /// The distance of `t` from 0 that chance alone exceeds, in either direction, once in twenty times; about 10⁹ where it is larger.
    ///
    /// - Parameters:
    ///   - degrees: degrees of freedom, above 0.
    ///   - looks: how many values of `t` together exceed it once in twenty times, by Bonferroni's bound; 1 or more.
    package static func quantile(degrees: Double, looks: Int = 1) -> Double {
        let most = 0.05 / Double(looks)
        var (low, middle, high) = (0.0, 0x1p29, 0x1p30)
        while low < middle && middle < high {
            if pValue(middle, degrees: degrees) > most { low = middle } else { high = middle }
            middle = (low + high) / 2
        }
        return high
    }

    /// The regularised incomplete beta function at `x`, by its continued fraction on the side where that converges fast.
    ///
    /// - Parameter rest: 1 − x, which subtraction would round.
    private static func incompleteBeta(_ x: Double, rest: Double, _ a: Double, _ b: Double) -> Double {
        if x <= 0 { return 0 }
        if rest <= 0 { return 1 }
        let isFar = x > (a + 1) / (a + b + 2)
        let (x, rest, a, b) = isFar ? (rest, x, b, a) : (x, rest, a, b)
        let front = exp(lgamma(a + b).0 - lgamma(a).0 - lgamma(b).0 + a * log(x) + b * log(rest)) / a
        let share = min(1, front / fraction(x, a, b))
        return isFar ? 1 - share : share
    }

    /// The value of the continued fraction 1 + d₁/(1 + d₂/(1 + …)), by Lentz's algorithm.
    private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
        let tiny = 1e-300
        var (c, d, value) = (1.0, 0.0, 1.0)
        for term in 1...10_000 {
            let m = Double(term / 2)
            let numerator =
                term % 2 == 0
                ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 + numerator * d
            d = 1 / (d.magnitude < tiny ? tiny : d)
            c = 1 + numerator / c
            if c.magnitude < tiny { c = tiny }
            value *= c * d
            if (c * d - 1).magnitude < 1e-16 { break }
        }
        return value
    }
}

/// A difference that was measured, and how sure it is.
struct Estimate: Sendable, Hashable {
    let value: Double
    /// The standard error.
    let error: Double
    /// Degrees of freedom, above 0: how many independent numbers the error is estimated from.
    let degrees: Double

    /// How many standard errors it lies from 0.
    var z: Double { value / error }

    /// The two-sided p-value: how often chance alone makes a difference at least as large.
    var pValue: Double { value == 0 ? 1 : StudentT.pValue(z, degrees: degrees) }

    /// Whether the error is known. It takes two users, who leave 1 degree of freedom (rounding aside). Shares differ by 1 at most.
    var isKnown: Bool { degrees > 1 - 1e-9 && value.magnitude < 1 + 1e-9 }

    /// How far the 95 % interval reaches on either side of the value.
    ///
    /// - Parameter looks: how many differences are looked at together. A claim of one of them takes a p-value of 0.05 divided by that.
    func reach(looks: Int = 1) -> Double { StudentT.quantile(degrees: degrees, looks: max(looks, 1)) * error }

    /// The 95 % interval of a difference of shares, which lies from −1 to 1.
    func interval(looks: Int = 1) -> ConfidenceInterval {
        let reach = reach(looks: looks)
        return ConfidenceInterval(max(value - reach, -1), min(value + reach, 1))
    }

    /// The smallest difference that is found 8 times in 10: 0.84 errors beyond where a claim begins. `nil` if the error is 0 or not known.
    func detectable(looks: Int = 1) -> Double? { error == 0 || !isKnown ? nil : reach(looks: looks) + 0.84 * error }
}

extension Estimate {
    /// Computes the standard error of a difference with users as clusters, because visits of one user are not independent.
    ///
    /// With c the users' sums, the error is √Σc² / Σx̃², with (Σc²)²/Σc⁴ − 1 degrees of freedom: few users who make most of it have few.
    ///
    /// Liang, K.-Y. and Zeger, S. L. (1986), Longitudinal data analysis using generalized linear models. Biometrika 73, 13–22.
    ///
    /// - Parameters:
    ///   - sums: for each user, Σ x̃(ỹ − d·x̃) over the visits.
    ///   - square: Σx̃².
    ///   - least: the least error; a smaller one is raised to it.
    init(_ value: Double, ofUsers sums: [Double], square: Double, least: Double = 0) {
        var (squares, fourths) = sums.reduce((0.0, 0.0)) { ($0.0 + $1 * $1, $0.1 + $1 * $1 * $1 * $1) }
        // A sum this small comes from rounding errors, which few degrees of freedom would turn into an interval.
        if squares < 1e-20 { (squares, fourths) = (0, 0) }
        let degrees = fourths > 0 ? max(squares * squares / fourths - 1, 1e-9) : 1
        self.init(value: value, error: max(squares.squareRoot() / square, least), degrees: degrees)
    }
}

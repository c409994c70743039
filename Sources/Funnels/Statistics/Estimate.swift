/// A difference that was measured, and how sure it is.
struct Estimate: Sendable, Hashable {
    let value: Double
    /// The standard error.
    let error: Double
    /// Of freedom, above 0: on how many independent numbers the error is measured.
    let degrees: Double

    /// How many standard errors it lies from 0.
    var z: Double { value / error }

    /// How often chance alone makes a difference at least as large, in either direction.
    var pValue: Double { value == 0 ? 1 : StudentT.pValue(z, degrees: degrees) }

    var interval: ConfidenceInterval {
        let reach = StudentT.quantile(degrees: degrees) * error
        return ConfidenceInterval(value - reach, value + reach)
    }
}

extension Estimate {
    /// Makes the error of a difference from what each user adds to its residuals: visits of one user are not independent.
    ///
    /// With c the users' sums, the error is √Σc² / Σx̃². Few users that make most of it measure it badly: (Σc²)²/Σc⁴ − 1 degrees of
    /// freedom.
    ///
    /// Liang, K.-Y. and Zeger, S. L. (1986), Longitudinal data analysis using generalized linear models. Biometrika 73, 13–22.
    ///
    /// - Parameters:
    ///   - sums: of each user Σ x̃(ỹ − d·x̃) over the visits.
    ///   - square: Σx̃².
    ///   - least: what the error is never below.
    init(_ value: Double, ofUsers sums: [Double], square: Double, least: Double = 0) {
        var (squares, fourths) = sums.reduce((0.0, 0.0)) { ($0.0 + $1 * $1, $0.1 + $1 * $1 * $1 * $1) }
        // So little is rounding, which few degrees of freedom would turn into an interval.
        if squares < 1e-20 { (squares, fourths) = (0, 0) }
        let degrees = fourths > 0 ? max(squares * squares / fourths - 1, 1e-9) : 1
        self.init(value: value, error: max(squares.squareRoot() / square, least), degrees: degrees)
    }
}

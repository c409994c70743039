/// Durations as people write them: a whole number and its unit, `90s`, `1h`, `7d`.
public enum DurationText {
    /// The units, longest first, and how many milliseconds each has. A day is 24 hours and a week 7 days, whatever the clocks do.
    static let units: [(name: String, milliseconds: Int64)] = [
        ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// The milliseconds of `1*digit ( "ms" / "s" / "m" / "h" / "d" / "w" )`.
    ///
    /// - Parameter subject: what the text is, for the error: `window`.
    /// - Throws: ``GrammarError`` where digits or the unit are missing or wrong, or the whole is beyond 2⁶³ − 1 ms.
    public static func milliseconds(_ text: String, subject: String = "window") throws(GrammarError) -> Int64 {
        var cursor = GrammarCursor(text, subject: subject)
        var number: Int64 = 0
        var tooLarge = false
        while let scalar = cursor.current, ("0"..."9").contains(scalar) {
            let (tens, over) = number.multipliedReportingOverflow(by: 10)
            let (sum, overSum) = tens.addingReportingOverflow(Int64(scalar.value - 48))
            tooLarge = tooLarge || over || overSum
            number = sum
            cursor.advance()
        }
        let unitPlace = cursor.position
        if unitPlace == 0 { throw cursor.failure(expected: "digits and a unit, such as `90s`, `1h` or `7d`") }
        while cursor.current != nil { cursor.advance() }
        let unit = cursor.slice(unitPlace..<cursor.position)
        guard let size = units.first(where: { $0.name == unit })?.milliseconds else {
            // The whole rest is what stands there: of `1min` the `m` alone would be a unit.
            throw cursor.failure(
                expected: "a unit: `ms`, `s`, `m`, `h`, `d` or `w`", found: unit.isEmpty ? nil : "`\(unit)`", at: unitPlace)
        }
        let (product, over) = number.multipliedReportingOverflow(by: size)
        if tooLarge || over { throw cursor.failure(expected: "less than 300 million years", found: "`\(text)`", at: 0) }
        return product
    }

    /// The shortest exact text of a duration in one unit: `1h` for 3,600,000, `90s` for 90,000. Parsing it gives the same number.
    public static func exact(_ milliseconds: Int64) -> String {
        if milliseconds == 0 { return "0s" }
        // Nobody says `2w` for a window of 14 days.
        for unit in units.dropFirst() where milliseconds % unit.milliseconds == 0 {
            return "\(milliseconds / unit.milliseconds)\(unit.name)"
        }
        return "\(milliseconds)ms"
    }
}

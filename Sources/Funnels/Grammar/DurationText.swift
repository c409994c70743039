/// Durations as people write them: whole numbers and their units, `90s`, `1h30m`, `7d`.
public enum DurationText {
    /// The units, longest first, and how many milliseconds each has. A day is 24 hours and a week 7 days, whatever the clocks do.
    static let units: [(name: String, milliseconds: Int64)] = [
        ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// The milliseconds of one or more of `1*digit ( "ms" / "s" / "m" / "h" / "d" / "w" )`, larger units first: `1h30m`.
    ///
    /// - Parameter subject: what the text is, for the error: `window`.
    /// - Throws: ``GrammarError`` where digits or the unit are missing or wrong, or the whole is beyond 2⁶³ − 1 ms.
    public static func milliseconds(_ text: String, subject: String = "window") throws(GrammarError) -> Int64 {
        var cursor = GrammarCursor(text, subject: subject)
        var (sum, isTooLarge, last) = (Int64(0), false, Int64.max)
        repeat {
            guard let number = cursor.takeNumber() else {
                throw cursor.failure(expected: "digits and a unit, such as `90s`, `1h30m` or `7d`")
            }
            let unitStart = cursor.position
            while let scalar = cursor.current, !("0"..."9").contains(scalar) { cursor.advance() }
            let unit = cursor.slice(unitStart..<cursor.position)
            guard let size = units.first(where: { $0.name == unit })?.milliseconds else {
                throw cursor.failure(
                    expected: "a unit: `ms`, `s`, `m`, `h`, `d` or `w`", found: unit.isEmpty ? nil : "`\(unit)`", at: unitStart)
            }
            guard size < last else {
                throw cursor.failure(expected: "a smaller unit than the one before, as in `1h30m`", found: "`\(unit)`", at: unitStart)
            }
            last = size
            let (product, over) = Int64(clamping: number).multipliedReportingOverflow(by: size)
            let (total, overSum) = sum.addingReportingOverflow(product)
            isTooLarge = isTooLarge || number > Int64.max || over || overSum
            sum = total
        } while cursor.current != nil
        if isTooLarge { throw cursor.failure(expected: "less than 300 million years", found: "`\(text)`", at: 0) }
        return sum
    }

    /// The text of a duration in the largest unit up to days that divides it: `1h` for 3,600,000, `90s` for 90,000.
    public static func exact(_ milliseconds: Int64) -> String {
        if milliseconds == 0 { return "0s" }
        // Nobody says `2w` for a window of 14 days.
        for unit in units.dropFirst() where milliseconds % unit.milliseconds == 0 {
            return "\(milliseconds / unit.milliseconds)\(unit.name)"
        }
        return "\(milliseconds)ms"
    }
}

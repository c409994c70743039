import Basics

/// Numbers as people read them.
package enum NumberFormat {
    /// `−16,207`; thousands in groups, a real minus sign.
    static func count(_ number: Int64, minus: String = "−") -> String { GroupedNumber.text(number, minus: minus) }

    package static func count(_ number: Int) -> String { count(Int64(number)) }

    /// For programs: the shortest digits that read back equal, whole numbers below 2⁵³ without `.0`; empty for what is not finite.
    static func plain(_ number: Double) -> String {
        guard number.isFinite else { return "" }
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
        return number.description
    }

    /// A share as `22.3%`. Only the whole shows as 100.0% and only nothing as 0.0%.
    package static func percent(_ share: Double) -> String {
        let tenths = Int64((share * 1000).rounded())
        if share > 0 && tenths == 0 { return "<0.1%" }
        let shown = share < 1 && tenths >= 1000 ? 999 : tenths
        return "\(shown / 10).\(shown % 10)%"
    }

    /// A difference of shares in points: `+5.2`, `−0.4`; `0.0` only where there is none.
    static func points(_ difference: Double, minus: String = "−", plus: String = "+") -> String {
        let tenths = Int64((difference.magnitude * 1000).rounded())
        let sign = difference < 0 ? minus : difference > 0 ? plus : ""
        if tenths == 0 && difference != 0 { return "\(sign)<0.1" }
        return "\(sign)\(tenths / 10).\(tenths % 10)"
    }

    /// A probability as `0.032`; one that is not 0 but rounds to 0 as `<0.001`.
    package static func probability(_ probability: Double) -> String {
        let thousandths = Int64((probability * 1000).rounded())
        if thousandths < 1 && probability > 0 { return "<0.001" }
        return "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
    }

    /// A number as three digits: `0.374`, `1.12`, `25.3`, `1,204`, from 10¹⁵ on `1.75e18`; `<0.001` for what rounds to 0 but is not 0.
    static func number(_ number: Double) -> String {
        if number.isNaN { return "–" }
        guard number.isFinite else { return number < 0 ? "−∞" : "∞" }
        if number.magnitude >= 1e15 {
            var (digits, exponent) = (number, 0)
            while digits.magnitude >= 9.995 {
                digits /= 10
                exponent += 1
            }
            return "\(self.number(digits))e\(exponent)"
        }
        if number != 0 && number.magnitude < 0.0005 { return number < 0 ? "−<0.001" : "<0.001" }
        let decimals = number.magnitude < 9.995 ? (number.magnitude < 0.9995 ? 3 : 2) : number.magnitude < 99.95 ? 1 : 0
        let scale: Int64 = [1, 10, 100, 1000][decimals]
        let rounded = Int64((number * Double(scale)).rounded())
        let whole = count(rounded / scale)
        if decimals == 0 { return whole }
        let rest = String(rounded.magnitude % UInt64(scale))
        let sign = rounded < 0 && rounded / scale == 0 ? "−" : ""
        return "\(sign)\(whole).\(String(repeating: "0", count: decimals - rest.count))\(rest)"
    }

    /// A duration in at most two units, no finer than the reader needs: `850ms`, `4.2s`, `1m12s`, `14m`, `3h5m`, `2d4h`.
    package static func duration(_ milliseconds: Double) -> String {
        if !(milliseconds > 0) { return "0s" }
        if milliseconds < 1 { return "<1ms" }
        if milliseconds < 999.5 { return "\(Int64(milliseconds.rounded()))ms" }
        if milliseconds < 9_950 {
            let tenths = Int64((milliseconds / 100).rounded())
            return tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s"
        }
        let units: [(milliseconds: Double, name: String, size: Double, larger: String)] = [
            (1000, "s", 60, "m"), (60_000, "m", 60, "h"), (3_600_000, "h", 24, "d"),
        ]
        for unit in units {
            let number = (milliseconds / unit.milliseconds).rounded()
            if number < unit.size { return "\(Int64(number))\(unit.name)" }
            if number >= unit.size * 10 { continue }
            let (larger, rest) = Int64(number).quotientAndRemainder(dividingBy: Int64(unit.size))
            return "\(larger)\(unit.larger)" + (rest == 0 ? "" : "\(rest)\(unit.name)")
        }
        return "\(count(Int64(exactly: (milliseconds / 86_400_000).rounded()) ?? .max))d"
    }

    /// `1.2 kB`, `460 MB`: decimal units, three digits at most.
    package static func bytes(_ bytes: Int64) -> String {
        if bytes < 1000 { return "\(bytes) B" }
        var (value, unit) = (Double(bytes), "")
        for next in ["kB", "MB", "GB", "TB", "PB"] where value >= 999.5 || unit.isEmpty {
            value /= 1000
            unit = next
        }
        let tenths = Int64((value * 10).rounded())
        return tenths < 100 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(Int64(value.rounded())) \(unit)"
    }

    static func seconds(_ seconds: Double) -> String {
        if seconds < 0.0995 { return "\(Int64((seconds * 1000).rounded())) ms" }
        let tenths = Int64((seconds * 10).rounded())
        return tenths < 1000 ? "\(tenths / 10).\(tenths % 10) s" : "\(count(Int64(seconds.rounded()))) s"
    }
}

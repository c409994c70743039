/// Spans of time as people read them: `417 ns`, `1.23 µs`, `45.6 ms`, `7.89 s`.
package enum NanosecondText {
    /// Three digits, one to three of them before the point. Nanoseconds, and seconds from 100 on, are whole numbers of any length.
    package static func of(_ nanoseconds: UInt64) -> String {
        if nanoseconds < 1_000 { return "\(nanoseconds) ns" }
        var scale: UInt64 = 1_000
        for unit in ["µs", "ms"] {
            if let text = digits(nanoseconds, scale: scale, below: 1_000) { return "\(text) \(unit)" }
            scale *= 1_000
        }
        return "\(digits(nanoseconds, scale: scale, below: .max) ?? "") s"
    }

    /// `nil` where the rounded number is not below the limit.
    private static func digits(_ nanoseconds: UInt64, scale: UInt64, below limit: UInt64) -> String? {
        for parts in [100, 10, 1] as [UInt64] {
            let step = scale / parts
            let rounded = nanoseconds / step + (nanoseconds % step * 2 >= step ? 1 : 0)
            let whole = rounded / parts
            if parts > 1 && whole >= 1_000 / parts { continue }
            if whole >= limit { return nil }
            if parts == 1 { return GroupedNumber.text(whole) }
            let fraction = rounded % parts
            return parts == 100 && fraction < 10 ? "\(whole).0\(fraction)" : "\(whole).\(fraction)"
        }
        return nil
    }
}

extension NumberFormat {
    /// Short times, three digits: `417 ns`, `1.23 µs`, `45.6 ms`, `7.89 s`; whole seconds beyond 100.
    ///
    /// - Parameter micro: the sign of the millionth; `u` where there is no other.
    static func nanoseconds(_ nanoseconds: UInt64, micro: String = "µ") -> String {
        if nanoseconds < 1000 { return "\(nanoseconds) ns" }
        var value = Double(nanoseconds)
        var unit = "s"
        for next in ["\(micro)s", "ms", "s"] {
            value /= 1000
            unit = next
            if value < 999.5 { break }
        }
        if value >= 99.95 { return "\(count(Int64(exactly: value.rounded()) ?? .max)) \(unit)" }
        let parts: Int64 = value < 9.995 ? 100 : 10
        let digits = Int64((value * Double(parts)).rounded())
        let fraction = String(digits % parts)
        return "\(digits / parts).\(parts == 100 && fraction.count == 1 ? "0" : "")\(fraction) \(unit)"
    }
}

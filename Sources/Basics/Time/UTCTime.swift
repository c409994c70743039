/// Dates and times in UTC, in the form of RFC 3339.
package enum UTCTime {
    /// Appends `2025-07-20T08:26:40.123Z`.
    ///
    /// - Parameter milliseconds: counted from 1970 UTC. A year has four digits, more beyond 9999, and a minus sign before year 0.
    package static func append(milliseconds: Int64, to bytes: ByteBuffer) {
        let date = CivilDate(daysSince1970: CivilDate.floor(milliseconds, 86_400_000))
        let rest = CivilDate.remainder(milliseconds, 86_400_000)
        append(date.year, 4, "-", bytes)
        append(date.month, 2, "-", bytes)
        append(date.day, 2, "T", bytes)
        append(rest / 3_600_000, 2, ":", bytes)
        append(rest / 60_000 % 60, 2, ":", bytes)
        append(rest / 1_000 % 60, 2, ".", bytes)
        append(rest % 1_000, 3, "Z", bytes)
    }

    private static func append(_ number: Int64, _ digits: Int, _ end: StaticString, _ bytes: ByteBuffer) {
        if number < 0 { bytes.append("-") }
        var least: UInt64 = 10
        for _ in 1..<digits {
            if number.magnitude < least { bytes.append("0") }
            least *= 10
        }
        JSONText.append(Int64(number.magnitude), to: bytes)
        bytes.append(end)
    }
}

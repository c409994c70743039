/// Two points in time as people write them: `2026-01-01..2026-01-08`.
struct MomentRange: Sendable, Hashable {
    let from: Moment
    let to: Moment

    /// `nil` for anything but two moments with `..` between them.
    init?(_ text: String) {
        guard let dots = text.firstRange(of: "..") else { return nil }
        guard let from = Moment(String(text[..<dots.lowerBound])), let to = Moment(String(text[dots.upperBound...])) else { return nil }
        self.from = from
        self.to = to
    }
}

extension ValueKind<MomentRange> {
    static let momentRange = ValueKind(placeholder: "FROM..TO", example: "2026-01-01..2026-01-08") { text throws(ValueProblem) in
        guard let range = MomentRange(text) else {
            throw ValueProblem("`\(text)` is not a time range: write two dates or times, `2026-01-01..2026-01-08` or `now-14d..now-7d`")
        }
        return range
    }
}

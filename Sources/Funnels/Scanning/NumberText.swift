import TrackingEvents

/// A number as JSON writes it, compared without losing digits where both sides are whole.
enum NumberText: Sendable {
    case whole(Int64)
    case real(Double)

    /// The number that the whole text is by JSON's grammar (RFC 8259 §6); `nil` for anything else: `+1`, `01`, `.5`, ` 1`, `1e999`.
    ///
    /// So a postal code such as `01234` stays a text.
    init?(_ text: UnsafeRawBufferPointer) {
        guard JSONNumber.end(in: text, from: 0) == text.count else { return nil }
        if let whole = JSONNumber.integer(text) {
            self = .whole(whole)
            return
        }
        let real = JSONNumber.double(text)
        guard real.isFinite else { return nil }
        self = .real(real)
    }

    /// −1, 0 or 1 as the first is smaller, equal or larger.
    static func order(_ a: NumberText, _ b: NumberText) -> Int {
        switch (a, b) {
        case (.whole(let a), .whole(let b)): return a < b ? -1 : a == b ? 0 : 1
        default: return a.double < b.double ? -1 : a.double == b.double ? 0 : 1
        }
    }

    private var double: Double {
        switch self {
        case .whole(let value): Double(value)
        case .real(let value): value
        }
    }
}

/// A share as people write it: `30%`, `2.5%`. Kept exactly, so that a count can be compared with it without rounding.
struct Percentage: Sendable, Hashable {
    /// The share is `digits` ÷ (100 × 10^`places`).
    let digits: Int64
    let places: Int

    /// Reads 0% to 100% with at most six digits behind the point; `nil` for anything else.
    init?(_ text: String) {
        guard text.utf8.last == UInt8(ascii: "%") else { return nil }
        let parts = Array(text.utf8.dropLast()).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
        guard (1...2).contains(parts.count), (1...3).contains(parts[0].count) else { return nil }
        let fraction = parts.count == 2 ? parts[1] : []
        if parts.count == 2 && !(1...6).contains(fraction.count) { return nil }
        let all = parts[0] + fraction
        guard all.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        places = fraction.count
        digits = all.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        if digits > 100 * scale { return nil }
    }

    /// 0…1.
    var fraction: Double { Double(digits) / (100 * Double(scale)) }

    /// Whether `part` is at least this share of `whole`.
    func isReached(by part: Int, of whole: Int) -> Bool {
        // The products may not fit into 64 bits.
        Int128(part) * 100 * Int128(scale) >= Int128(digits) * Int128(whole)
    }

    private var scale: Int64 { (0..<places).reduce(Int64(1)) { scale, _ in scale * 10 } }
}

extension Percentage: CustomStringConvertible {
    /// `2.5%`: the share as it was written, without leading zeros.
    var description: String {
        let whole = digits / scale
        if places == 0 { return "\(whole)%" }
        let fraction = String(digits % scale)
        return "\(whole).\(String(repeating: "0", count: places - fraction.count))\(fraction)%"
    }
}

extension ValueKind<Percentage> {
    static let percent = ValueKind(placeholder: "SHARE", example: "5%") { text throws(ValueProblem) in
        guard let share = Percentage(text) else { throw ValueProblem("`\(text)` is not a share from 0% to 100%, such as `30%` or `2.5%`") }
        return share
    }
}

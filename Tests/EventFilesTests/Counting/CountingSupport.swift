@testable import EventFiles

extension Fingerprint: ExpressibleByIntegerLiteral {
    /// A fingerprint whose halves have the same bits.
    init(_ bits: UInt64) { self.init(high: bits, low: bits) }

    package init(integerLiteral bits: UInt64) { self.init(bits) }
}

extension SequenceLedger {
    /// How many numbers are missing of all sessions together.
    mutating func missing() -> Int64 {
        finish().reduce(0) { sum, gap in
            let (more, isOver) = sum.addingReportingOverflow(gap.count)
            return isOver ? .max : more
        }
    }
}

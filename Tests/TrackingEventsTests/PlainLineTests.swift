import Basics
import Foundation
import Testing

@testable import TrackingEvents

/// Compares the fast path for plain events with the encoder for all events, which sets the rules.
///
/// `LOOPTRAIL_FUZZ_INPUTS=1000000` asks for more events.
@Suite struct PlainLineTests {
    private static let texts = [
        "", "a", "ab", "abc", "abcd", "Home", "sku-17", "12345678", "checkout", "a text of some length, as a title has it", "größer als 8",
        "日本語", "🙂", "e\u{301}", "\u{7F}", "\u{80}", "with \"quotes\"", "back\\slash", "tab\there", "\u{0}", "\u{1F}", "line\nfeed",
        "12345678\"", "1234567\"", "\"12345678", "_cut", "_cut2", "_CUT", String(repeating: "x", count: 1_020),
        String(repeating: "x", count: 1_021), String(repeating: "é", count: 512), String(repeating: "y", count: 1_025),
    ]
    private static let numbers: [Double] = [
        0, -0.0, 0.01, -0.01, 0.07, 0.1, 0.29, 1.005, 9.5, 10, 19.99, 1e13, 9_999_999_999_999.99, 1e15, 1e16, .leastNonzeroMagnitude, 1e300,
        0.001, 123.456, .nan,
        .infinity, -.infinity,
    ]

    private struct Made {
        var random: SeededRandom

        mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        mutating func text() -> String { below(3) == 0 ? "key\(below(1_000))" : PlainLineTests.texts[below(PlainLineTests.texts.count)] }

        mutating func value() -> TrackingValue {
            switch below(40) {
            case 0..<14: .string(text())
            case 14..<18: .int(Int64(below(2_000)) - 1_000)
            case 18: .int(Int64(truncatingIfNeeded: random.next()))
            case 19: .int([1 << 53, -(1 << 53), 1 << 53 + 1, .max, .min, 0, 9, 10, 99, 100, -1][below(11)])
            case 20..<24: .double(PlainLineTests.numbers[below(PlainLineTests.numbers.count)])
            case 24..<28: .double(Double(below(1_000_000)) / 100)
            case 28: .double(Double(bitPattern: random.next()))
            case 29..<33: .bool(below(2) == 0)
            case 33..<36: .null
            case 36: .array([.string(text()), .int(1)])
            case 37: .object([text(): .bool(true)])
            case 38: .sensitive(text())
            default: random.next().trackingValue
            }
        }

        mutating func event() -> StampedEvent {
            var properties = TrackingProperties()
            for _ in 0..<(below(50) == 0 ? 60 + below(80) : below(8)) { properties[text()] = value() }
            return StampedEvent(
                timeMilliseconds: below(20) == 0 ? Int64(truncatingIfNeeded: random.next()) : 1_767_225_600_000 + Int64(below(1_000_000)),
                event: .event(below(3) == 0 ? text() : "event_\(below(30))", properties), user: below(9) == 0 ? nil : text(),
                session: below(9) == 0 ? nil : text(), sequence: below(9) == 0 ? nil : Int64(below(1_000_000)),
                id: EventID(milliseconds: Int64(truncatingIfNeeded: random.next()), random: &random),
                kind: [.track, .track, .track, .meta, .timing][below(5)], system: below(3) == 0 ? text() : nil)
        }
    }

    @Test(arguments: [SensitivityPolicy.drop, .mask])
    func `the fast path and the encoder for all events write the same line of a random event`(_ sensitivity: SensitivityPolicy) {
        let count = ProcessInfo.processInfo.environment["LOOPTRAIL_FUZZ_INPUTS"].flatMap(Int.init) ?? 2_500
        let encoder = EventLineEncoder(sensitivity: sensitivity)
        var made = Made(random: SeededRandom(seed: 7))
        let (ours, byRule) = (ByteBuffer(capacity: 16), ByteBuffer(capacity: 16))
        var plain = 0
        for number in 0..<count {
            let event = made.event()
            ours.removeAll()
            byRule.removeAll()
            let outcome = encoder.append(event, to: ours)
            #expect(outcome == encoder.appendAny(event, to: byRule))
            if !ours.bytes.elementsEqual(byRule.bytes) { Issue.record("event \(number): \(ours.text) is by the rules \(byRule.text)") }
            guard let bound = PlainLine.bound(of: event) else { continue }
            let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: bound)
            defer { bytes.deallocate() }
            guard let length = PlainLine.write(event, to: bytes) else { continue }
            plain += 1
            #expect(length <= bound)
        }
        #expect(plain > count / 8, "of \(count) events \(plain) were plain")
    }
}

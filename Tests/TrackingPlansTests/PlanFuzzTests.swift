import TestSupport
import Testing
@testable import PlanAuthoring
@testable import TrackingPlans

/// Spoiled plan files: an error with its place, or a plan. Never a crash.
@Suite struct PlanFuzzTests {
    /// xorshift64* by Vigna: the same inputs each time.
    private struct Numbers {
        var state: UInt64
        mutating func next(below bound: Int) -> Int {
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % bound
        }
    }

    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u12", "null", "true", "-", "1e9", "0.5", "\"type\"", "\"string\"", "\"values\"",
            "\"min\"",
            "\"a.b\"", "\n", " ", "é", "\u{1F600}",
        ].map { Array($0.utf8) } + [[0xFF], [0x00], [0xC3]]

    @Test func `thousands of spoiled files give an error inside the file, or a plan`() {
        let files = isNight ? 10_000 : 3_000
        var numbers = Numbers(state: 0x5EED)
        let lines = Samples.shop.split(separator: "\n", omittingEmptySubsequences: false).count
        var plans = 0
        for _ in 0..<files {
            var bytes = Array(Samples.shop.utf8)
            for _ in 0...numbers.next(below: 4) {
                let place = numbers.next(below: bytes.count)
                switch numbers.next(below: 4) {
                case 0: bytes.removeSubrange(place..<min(bytes.count, place + 1 + numbers.next(below: 9)))
                case 1: bytes.insert(contentsOf: Self.pieces[numbers.next(below: Self.pieces.count)], at: place)
                case 2: bytes[place] = UInt8(numbers.next(below: 256))
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = [0x7B] }
            }
            do throws(PlanError) {
                let plan = try TrackingPlan(bytes)
                #expect(SwiftGenerator.source(of: plan).hasSuffix("}\n"))
                plans += 1
            } catch {
                #expect(
                    (1...lines + 4).contains(error.place.line) && error.place.column >= 1 && !error.found.isEmpty && !error.expected.isEmpty
                )
            }
        }
        #expect((files / 100..<files - files / 100).contains(plans), "both kinds are tried")
    }

    @Test func `a file cut at every byte is an error, until it is whole`() throws {
        let whole = Array(Samples.shop.utf8)
        let end = try #require(whole.lastIndex(of: UInt8(ascii: "}")))
        for length in 0...end {
            #expect(throws: PlanError.self) { try TrackingPlan(Array(whole[..<length])) }
        }
        _ = try TrackingPlan(Array(whole[...end]))
    }
}

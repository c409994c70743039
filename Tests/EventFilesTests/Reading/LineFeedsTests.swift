import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct LineFeedsTests {
    private func count(_ bytes: [UInt8], from start: Int = 0) -> Int {
        bytes.withUnsafeBytes { LineFeeds.count(in: UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    @Test func `line feeds are counted at any length and place, among bytes that differ from them by a bit`() {
        var random = SeededRandom(seed: 9)
        let near: [UInt8] = [0x0A, 0x0A, 0x0B, 0x08, 0x0E, 0x02, 0x1A, 0x2A, 0x4A, 0x8A, 0x00, 0xFF, 0x09]
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in near.randomElement(using: &random)! }
            for start in 0..<min(length, 9) { #expect(count(bytes, from: start) == bytes[start...].count { $0 == 0x0A }) }
        }
    }

    @Test func `long runs of line feeds overflow no lane`() {
        for length in [2039, 2040, 2041, 4080, 100_000] {
            #expect(count([UInt8](repeating: 0x0A, count: length)) == length)
            #expect(count([UInt8](repeating: 0x8A, count: length)) == 0)
        }
    }
}

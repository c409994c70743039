import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct FingerprintTableTests {
    @Test("each fingerprint is new once, whatever number of them was expected", arguments: [0, 1, 100, 10_000])
    func once(expected: Int) {
        var table = FingerprintTable(expecting: expected)
        var known: Set<Fingerprint> = []
        var random = SeededRandom(seed: UInt64(expected))
        var mistaken = 0
        for _ in 0..<15_000 {
            // So few bits are random that hundreds come twice, and most have the low bits of another.
            let fingerprint = Fingerprint(random.next() & 0xF000_0000_0000_3FFF | 1 << 30)
            if table.insert(fingerprint) != known.insert(fingerprint).inserted { mistaken += 1 }
        }
        #expect(mistaken == 0)
        #expect(table.count == known.count)
    }

    @Test func `fingerprints that fall on one slot are told apart`() {
        var table = FingerprintTable()
        for number in 1...500 as ClosedRange<UInt64> { #expect(table.insert(Fingerprint(number << 32)) == true) }
        for number in 1...500 as ClosedRange<UInt64> { #expect(table.insert(Fingerprint(number << 32)) == false) }
        #expect(table.count == 500)
    }
}

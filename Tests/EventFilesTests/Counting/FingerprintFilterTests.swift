import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct FingerprintFilterTests {
    @Test("what was noted is never certainly new, however full the filter is", arguments: [0, 100, 5_000])
    func noted(expected: Int) {
        var filter = FingerprintFilter(expecting: expected)
        var random = SeededRandom(seed: 5)
        let all = (0..<filter.capacity).map { _ in Fingerprint(high: random.next(), low: random.next()) }
        var doubtful = 0
        for fingerprint in all where !filter.note(fingerprint) {
            doubtful += 1
            filter.note(fingerprint, evenTwice: true)
        }
        #expect(doubtful <= 1 + all.count / 1_000)
        for fingerprint in all { #expect(filter.note(fingerprint) == false) }
    }

    @Test func `a filter has room for as many fingerprints as were expected`() {
        for expected in [0, 1, 48, 49, 4_000] { #expect(FingerprintFilter(expecting: expected).capacity >= expected) }
    }

    @Test func `low bits of 0 are noted like others`() {
        var filter = FingerprintFilter(expecting: 10)
        #expect(filter.note(Fingerprint(high: 1, low: 1 << 40)) == true)
        #expect(filter.note(Fingerprint(high: 1, low: 1 << 40)) == false)
    }
}

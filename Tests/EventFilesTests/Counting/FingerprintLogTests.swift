import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct FingerprintLogTests {
    @Test func `what is in the log is never taken for certainly new`() {
        var log = FingerprintLog()
        var random = SeededRandom(seed: 1)
        var known: [Fingerprint] = []
        for _ in 0..<5_000 {
            let fingerprint = Fingerprint(random.next() | 1)
            if !log.insertIfCertain(fingerprint) { log.append(fingerprint) }
            known.append(fingerprint)
        }
        #expect(log.count == known.count)
        var mistaken = 0
        for fingerprint in known {
            if log.insertIfCertain(fingerprint) { mistaken += 1 }
            if !log.contains(fingerprint) { mistaken += 1 }
        }
        #expect(mistaken == 0)
        #expect(log.count == known.count)
    }

    @Test func `nearly all new fingerprints are certainly new, and no doubtful one is in the log`() {
        var log = FingerprintLog()
        var random = SeededRandom(seed: 2)
        var doubtful = 0
        for _ in 0..<50_000 {
            let fingerprint = Fingerprint(random.next() | 1)
            if log.insertIfCertain(fingerprint) { continue }
            doubtful += 1
            #expect(log.contains(fingerprint) == false)
            log.append(fingerprint)
        }
        #expect(doubtful < 50)
        #expect(log.count == 50_000)
    }

    @Test func `fingerprints come back in order, over the edges of chunks`() {
        for count in [0, 1, 511, 512, 513, 1_024, 3_000] {
            var log = FingerprintLog()
            let all = (0..<count).map { Fingerprint(UInt64($0) &* 0x9E37_79B9_7F4A_7C15 | 1) }
            for fingerprint in all where !log.insertIfCertain(fingerprint) { log.append(fingerprint) }
            var back: [Fingerprint] = []
            log.forEach { back.append($0) }
            #expect(back == all)
        }
    }

    @Test func `fingerprints whose low bits are all alike are told apart`() {
        var log = FingerprintLog()
        for number in 1...2_000 as ClosedRange<UInt64> {
            let fingerprint = Fingerprint(number << 40 | 0xABCD)
            #expect(log.contains(fingerprint) == false)
            if !log.insertIfCertain(fingerprint) { log.append(fingerprint) }
            #expect(log.contains(fingerprint) == true)
        }
        #expect(log.count == 2_000)
        #expect(log.contains(Fingerprint(2_001 << 40 | 0xABCD)) == false)
    }
}

import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct Hash128Tests {
    @Test func `texts that differ in a bit, in length or in zeros differ`() {
        var seen: Set<UInt128> = []
        var count = 0
        func note(_ bytes: [UInt8]) {
            count += 1
            seen.insert(bytes.withUnsafeBytes { Hash128.of($0) })
        }
        for length in 0..<40 { note([UInt8](repeating: 0, count: length)) }
        let base = (0..<36).map { UInt8(48 + $0) }
        for place in base.indices {
            for bit in 0..<8 {
                var changed = base
                changed[place] ^= 1 << bit
                note(changed)
            }
        }
        for number in 0..<20_000 { note(Array("session-\(number)".utf8)) }
        #expect(seen.count == count)
    }

    @Test func `both halves spread`() {
        var high = Set<UInt64>(), low = Set<UInt64>()
        for number in 0..<20_000 {
            let hash = Hash128.of("id-\(number)")
            high.insert(UInt64(truncatingIfNeeded: hash >> 64))
            low.insert(UInt64(truncatingIfNeeded: hash))
        }
        #expect(high.count == 20_000 && low.count == 20_000)
    }

    @Test func `the set tells new from known, as a set does, through every growth`() {
        var set = Hash128Set()
        var known: Set<UInt128> = []
        var random = SeededRandom(seed: 1)
        for _ in 0..<30_000 {
            let hash = UInt128(random.next() % 9000)
            #expect(set.insert(hash) == known.insert(hash).inserted)
        }
    }
}

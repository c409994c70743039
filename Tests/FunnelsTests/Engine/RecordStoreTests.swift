import EventFiles
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Record store")
struct RecordStoreTests {
    @Test("every key comes once, with all its events by time", arguments: [(1, 5000), (37, 9000), (4000, 9000), (50, 140_000)])
    func grouping(keys: Int, records: Int) {
        var random = SeededRandom(seed: UInt64(keys))
        let fingerprints = (0..<keys).map { _ in Fingerprint(high: random.next(), low: random.next()) }
        var expected: [Int: [Int64]] = [:]
        var store = RecordStore<StepEvent>()
        for _ in 0..<records {
            let key = Int.random(in: 0..<keys, using: &random)
            let time = Int64.random(in: -50...50, using: &random)
            expected[key, default: []].append(time)
            store.append(StepEvent(time: time, steps: 1), of: UInt32(key))
        }
        var found: [Int: [Int64]] = [:]
        store.forEachKey(of: .everyone, fingerprints) { key, events in
            #expect(found.updateValue(events.map(\.time), forKey: key) == nil)
        }
        #expect(found == expected.mapValues { $0.sorted() })
    }

    @Test func `an anonymous id's events go to its user, also where the user has no others`() {
        var keys = FingerprintNumbers.keys
        let (anonymous, other, user) = (Fingerprint.of("a"), Fingerprint.of("b"), Fingerprint.of("u"))
        var store = RecordStore<StepEvent>()
        for (key, time) in [(anonymous, 2), (other, 1), (anonymous, 0)] as [(Fingerprint, Int64)] {
            store.append(StepEvent(time: time, steps: 1), of: UInt32(keys.number(of: key)))
        }
        var identities = Identities()
        identities.add(IdentifiedLine(time: 0, anonymous: anonymous, user: Array("u".utf8)))
        store.rekey(keys.owners(identities))
        var found: [Fingerprint: [Int64]] = [:]
        store.forEachKey(of: .everyone, keys.all) { found[keys.all[$0]] = $1.map(\.time) }
        #expect(found == [user: [0, 2], other: [1]])
    }

    @Test func `an empty store has no keys`() {
        RecordStore<StepEvent>().forEachKey(of: .everyone, [.none, .of("u")]) { _, _ in Issue.record("a key") }
    }
}

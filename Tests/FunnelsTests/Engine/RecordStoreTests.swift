import EventFiles
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Record store")
struct RecordStoreTests {
    @Test("every key comes once, with all its events by time", arguments: [(1, 5000), (37, 9000), (4000, 9000)])
    func grouping(keys: Int, records: Int) {
        var random = SeededRandom(seed: UInt64(keys))
        let fingerprints = (0..<keys).map { _ in Fingerprint(high: random.next(), low: random.next()) }
        var expected: [Fingerprint: [Int64]] = [:]
        var store = RecordStore<StepEvent>()
        for _ in 0..<records {
            let key = fingerprints.randomElement(using: &random)!
            let time = Int64.random(in: -50...50, using: &random)
            expected[key, default: []].append(time)
            store.append(FunnelRecord(key: key, event: StepEvent(time: time, steps: 1)))
        }
        var found: [[Int64]] = []
        for part in 0..<RecordStoreLayout.partCount {
            store.forEachKey(inPart: part) { found.append($1.map(\.time)) }
        }
        #expect(
            found.sorted(by: { $0.lexicographicallyPrecedes($1) })
                == expected.values.map { $0.sorted() }.sorted(by: { $0.lexicographicallyPrecedes($1) }))
    }

    @Test func `an empty store has no keys`() {
        let store = RecordStore<StepEvent>()
        for part in 0..<RecordStoreLayout.partCount { store.forEachKey(inPart: part) { _, _ in Issue.record("a key") } }
    }
}

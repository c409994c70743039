import LoopTesting
import Testing
import TrackingEvents

@Suite struct MemorySinkTests {
    private func event(_ name: String, sequence: Int64 = 1, kind: StampedEvent.Kind = .track) -> StampedEvent {
        var random = SeededRandom(seed: UInt64(bitPattern: sequence))
        return StampedEvent(
            timeMilliseconds: 1_000, event: .event(name), sequence: sequence, id: EventID(milliseconds: 1_000, random: &random),
            kind: kind)
    }

    @Test func `keeps events in the order they were recorded`() {
        let sink = MemorySink()
        for name in ["a", "b", "a"] { sink.record(event(name)) }
        #expect(sink.names == ["a", "b", "a"])
        #expect(sink.all.count == 3)
        #expect(sink.dropped == 0)
    }

    @Test func `an unused sink is empty`() {
        let sink = MemorySink()
        #expect(sink.all.isEmpty)
        #expect(sink.events.isEmpty)
        #expect(sink.all.count == 0)
    }

    @Test func `notes of the tracker are kept apart from what users did`() {
        let sink = MemorySink()
        sink.record(event("session_started", kind: .meta))
        sink.record(event("pdp_shown"))
        sink.record(event("step", kind: .timing))
        #expect(sink.names == ["pdp_shown"])
        #expect(sink.all.map(\.event.name) == ["session_started", "pdp_shown", "step"])
        #expect(sink.events(named: "session_started").count == 1)
        #expect(sink.all.count == 3)
    }

    @Test func `finds events by name`() {
        let sink = MemorySink()
        for (index, name) in ["a", "b", "a"].enumerated() { sink.record(event(name, sequence: Int64(index))) }
        #expect(sink.events(named: "a").map(\.sequence) == [0, 2])
        #expect(sink.events(named: "c").isEmpty)
    }

    @Test(arguments: [1, 2, 3, 5, 7, 10, 11])
    func `a bounded sink keeps the last events and counts the others`(capacity: Int) {
        let sink = MemorySink(capacity: capacity)
        for number in 1...10 { sink.record(event("e", sequence: Int64(number))) }
        let kept = min(capacity, 10)
        #expect(sink.all.map(\.sequence) == (Int64(11 - kept)...10).map { $0 })
        #expect(sink.all.count == kept)
        #expect(sink.dropped == 10 - kept)
    }

    @Test func `forgets everything on request`() {
        let sink = MemorySink(capacity: 2)
        for number in 1...5 { sink.record(event("e", sequence: Int64(number))) }
        sink.removeAll()
        #expect(sink.all.isEmpty)
        #expect(sink.dropped == 0)
        sink.record(event("after"))
        #expect(sink.names == ["after"])
    }

    @Test func `takes events from several threads without losing one`() async {
        let sink = MemorySink()
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask {
                    for number in 0..<250 { sink.record(self.event("sender \(sender)", sequence: Int64(number))) }
                }
            }
        }
        #expect(sink.all.count == 2_000)
        for sender in 0..<8 {
            #expect(sink.events(named: "sender \(sender)").map(\.sequence) == Array(0..<250))
        }
    }

    @Test func `flushing has nothing to do and nothing to throw`() async throws {
        let sink = MemorySink()
        sink.record(event("a"))
        try await sink.flush()
        #expect(sink.all.count == 1)
    }
}

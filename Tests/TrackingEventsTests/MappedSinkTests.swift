import Basics
import Testing
import TrackingEvents

/// A sink that notes every call, and has room or not.
private final class Calls: TrackingSink {
    struct Full: Error {}

    private struct State {
        var log: [String] = []
        var events: [StampedEvent] = []
        var hasRoom = true
        var fails = false
    }

    private let state = Lock(State())
    let spoolsWhilePending: Bool

    init(spools: Bool = false) { spoolsWhilePending = spools }

    private func take(_ event: StampedEvent) {
        state.withLock { state in
            state.events.append(event)
            state.log.append(event.event.name)
        }
    }

    func record(_ event: StampedEvent) { take(event) }

    func offer(_ event: StampedEvent) -> Bool {
        if !state.withLock({ $0.hasRoom }) { return false }
        take(event)
        return true
    }

    func flush() async throws -> FlushReceipt {
        try state.withLock { state in
            state.log.append("flush")
            if state.fails { throw Full() }
            return FlushReceipt(recorded: state.events.count, droppedByReason: [.overflow: 3])
        }
    }

    func setConsent(_ consent: TrackingConsent) { state.withLock { $0.log.append(consent.rawValue) } }

    func erase(completion: @escaping @Sendable ((any Error)?) -> Void) {
        state.withLock { $0.log.append("erase") }
        completion(Full())
    }

    func set(hasRoom: Bool = true, fails: Bool = false) { state.withLock { ($0.hasRoom, $0.fails) = (hasRoom, fails) } }
    var log: [String] { state.withLock { $0.log } }
    var events: [StampedEvent] { state.withLock { $0.events } }
    var notes: [TrackingProperties] { events.filter { $0.event.name == "dropped" }.map(\.event.properties) }
}

/// A sink between a tracker and another sink only leaves out or changes events, and passes on all else.
@Suite struct MappedSinkTests {
    private let base = Calls()

    private func event(
        _ name: String, _ sequence: Int64?, session: String? = "s1", kind: StampedEvent.Kind = .track
    ) -> StampedEvent {
        var random = SeededRandom(seed: UInt64(sequence ?? 0))
        return StampedEvent(
            timeMilliseconds: 1_000 + (sequence ?? 0), event: .event(name), user: "u1", session: session, sequence: sequence,
            id: EventID(milliseconds: 1, random: &random), kind: kind)
    }

    /// Offers each event, and records it if there is no room, as a tracker does.
    private func hand(_ events: StampedEvent..., to sink: any TrackingSink) {
        for event in events where !sink.offer(event) { sink.record(event) }
    }

    @Test func `an event that is left out is reported before the next one, by session`() {
        let sink = base.filtered { $0.event.name != "scrolled" }
        hand(event("a", 1), event("scrolled", 2), event("scrolled", 3), event("scrolled", 1, session: "s2"), to: sink)
        #expect(base.log == ["a"])
        hand(event("b", 4), event("c", 5), to: sink)
        #expect(base.log == ["a", "dropped", "b", "c"])
        #expect(base.events.filter { $0.kind == .track } == [event("a", 1), event("b", 4), event("c", 5)], "kept events are unchanged")
        #expect(base.notes == [["count": 3, "reasons": ["filtered": 3], "sessions": ["s1": 2, "s2": 1]]])
        let note = base.events[1]
        #expect(note.kind == .meta && note.sequence == nil && note.session == nil && note.timeMilliseconds == 1_004)
    }

    @Test func `a sink that leaves out nothing adds nothing`() {
        let sink = base.filtered { _ in true }
        hand(event("a", 1), event("b", 2), to: sink)
        #expect(base.log == ["a", "b"])
    }

    @Test func `events may be changed on the way`() {
        let sink = base.mapped { event in
            var event = event
            event.event.properties["region"] = "eu"
            return event.event.name == "secret" ? nil : event
        }
        hand(event("a", 1), event("secret", 2), event("b", 3), to: sink)
        #expect(base.log == ["a", "dropped", "b"])
        #expect(base.events.filter { $0.kind == .track }.allSatisfy { $0.event.properties == ["region": "eu"] })
    }

    @Test func `notes of the tracker pass, whatever the closure says`() {
        let sink = base.filtered { _ in false }
        hand(event("session_started", 1, kind: .meta), event("identified", 2, kind: .meta), event("a", 3), to: sink)
        #expect(base.log == ["session_started", "identified"])
    }

    @Test func `an event without a number leaves no gap, so nothing is reported`() {
        let sink = base.filtered { $0.event.name != "x" }
        hand(event("x", nil, session: nil), event("x", nil), event("a", 1), to: sink)
        #expect(base.log == ["a"])
    }

    @Test func `flush reports what was left out, and gives the other sink's receipt and error`() async throws {
        let sink = base.filtered { $0.event.name != "x" }
        hand(event("x", 1), to: sink)
        #expect(try await sink.flush() == FlushReceipt(recorded: 1, droppedByReason: [.overflow: 3]))
        #expect(base.log == ["dropped", "flush"])
        base.set(fails: true)
        await #expect(throws: Calls.Full.self) { try await sink.flush() }
        #expect(base.notes.count == 1, "each is reported once")
    }

    @Test(arguments: [true, false])
    func `consent and erasing reach the other sink, and a denial or an erasure forgets what was left out`(spools: Bool) {
        let base = Calls(spools: spools)
        let sink = base.filtered { $0.event.name != "x" }
        #expect(sink.spoolsWhilePending == spools)
        hand(event("x", 1), to: sink)
        sink.setConsent(.granted)
        hand(event("x", 2), to: sink)
        sink.setConsent(.denied)
        hand(event("x", 3), to: sink)
        let ends = Lock(0)
        sink.erase { error in ends.withLock { $0 += error is Calls.Full ? 1 : 100 } }
        hand(event("a", 4), to: sink)
        #expect(base.log == ["dropped", "granted", "denied", "erase", "a"])
        #expect(ends.withLock { $0 } == 1)
    }

    @Test func `a full sink is not filled further, and nothing is reported twice`() {
        let sink = base.filtered { $0.event.name != "x" }
        hand(event("x", 1), to: sink)
        base.set(hasRoom: false)
        sink.setConsent(.granted)
        #expect(base.log == ["granted"])
        hand(event("a", 2), event("b", 3), to: sink)
        #expect(base.log == ["granted", "dropped", "a", "b"])
        #expect(base.notes == [["count": 1, "reasons": ["filtered": 1], "sessions": ["s1": 1]]])
    }

    @Test func `a mapped sink may stand before another`() {
        let sink: any TrackingSink = base.filtered { $0.event.name != "x" }.mapped { $0.event.name == "y" ? nil : $0 }
        hand(event("x", 1), event("y", 2), event("a", 3), to: sink)
        #expect(base.log == ["dropped", "dropped", "a"])
    }

    @Test(arguments: ["flush", "granted"])
    func `of two mapped sinks each reports what it left out last, however many notes there were before`(end: String) async throws {
        let sink: any TrackingSink = base.filtered { $0.event.name != "x" }.filtered { $0.event.name != "y" }
        for round in 1...2 as ClosedRange<Int64> {
            hand(event("a", 3 * round - 2), event("x", 3 * round - 1), event("y", 3 * round), to: sink)
            if end == "flush" { try await sink.flush() } else { sink.setConsent(.granted) }
        }
        #expect(base.log == ["a", "dropped", "dropped", end, "a", "dropped", "dropped", end])
        #expect(base.notes.allSatisfy { $0["count"] == 1 })
    }

    @Test func `the first of two mapped sinks keeps its count while there is no room`() {
        let sink: any TrackingSink = base.filtered { _ in true }.filtered { $0.event.name != "y" }
        hand(event("y", 1), to: sink)
        base.set(hasRoom: false)
        sink.setConsent(.granted)
        #expect(base.log == ["granted"])
        hand(event("a", 2), to: sink)
        #expect(base.log == ["granted", "dropped", "a"])
    }

    @Test func `eight threads lose no count`() async {
        let sink = base.filtered { ($0.sequence ?? 0) % 2 == 0 }
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask { for number in 1...500 { sink.record(event("e", Int64(number), session: "s\(thread)")) } }
            }
        }
        sink.setConsent(.granted)
        let told = base.notes.reduce(0) { sum, note in if case .int(let count)? = note["count"] { sum + Int(count) } else { sum } }
        #expect(told == 8 * 250)
        #expect(base.events.count { $0.kind == .track } == 8 * 250)
    }
}

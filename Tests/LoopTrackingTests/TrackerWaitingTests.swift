import Basics
import LoopTesting
import LoopTracking
import TestSupport
import Testing
import TrackingEvents
import TrackingPlans

/// A sink whose ring is full for a while: it refuses offers, and recording waits until it is opened.
private final class FullSink: TrackingSink {
    private struct State {
        var isFull = false
        var waiting = 0
        var log: [String] = []
    }

    private let state = WatchedValue(State())

    func flush() async throws -> FlushReceipt { FlushReceipt() }
    func record(_ event: StampedEvent) {
        state.change { $0.waiting += 1 }
        state.wait { (state: inout State) -> Void? in
            if state.isFull { return nil }
            state.waiting -= 1
            state.log.append("\(event.event.name) \(event.sequence ?? 0)")
            return ()
        }
    }

    func offer(_ event: StampedEvent) -> Bool {
        state.change { state in
            if !state.isFull { state.log.append("\(event.event.name) \(event.sequence ?? 0)") }
            return !state.isFull
        }
    }

    func setConsent(_ consent: TrackingConsent) { state.change { $0.log.append(consent.rawValue) } }
    func fill() { state.change { $0.isFull = true } }
    func open() { state.change { $0.isFull = false } }
    func untilSomebodyWaits() { state.wait { (state: inout State) -> Void? in state.waiting > 0 ? () : nil } }
    var all: [String] { state.change { $0.log } }
}

/// A store whose calls wait until they are let through.
private final class SlowStore: AnonymousIDStore {
    private struct State {
        var isOpen = true
        var calls = 0
        var kept: String?
    }

    private let state = WatchedValue(State())

    private func call(_ body: (inout State) -> Void) {
        state.change { $0.calls += 1 }
        state.wait { (state: inout State) -> Void? in state.isOpen ? () : nil }
        state.change(body)
    }

    func load(orKeep proposed: String) throws(AnonymousIDError) -> String {
        var id = proposed
        call { state in
            id = state.kept ?? proposed
            state.kept = id
        }
        return id
    }

    func replace(with id: String) throws(AnonymousIDError) { call { $0.kept = id } }
    func remove() throws(AnonymousIDError) { call { $0.kept = nil } }
    func close() { state.change { $0.isOpen = false } }
    func open() { state.change { $0.isOpen = true } }
    func untilCalled(_ times: Int) { state.wait { (state: inout State) -> Void? in state.calls >= times ? () : nil } }
    var kept: String? { state.change { $0.kept } }
}

/// The tracker's lock is free while a sink waits for room and while the store of the anonymous id is used. Without that these tests hang.
@Suite(.notForever) struct TrackerWaitingTests {
    @Test func `while a sink waits for room, the tracker can be read and changed, and the order stays`() throws {
        let (full, memory) = (FullSink(), MemorySink())
        let tracker = Tracker(to: full, memory, user: "u1", random: SeededRandom(seed: 1))
        tracker.track(.event("a"))
        full.fill()
        let first = try PosixThread { tracker.track(.event("b")) }
        full.untilSomebodyWaits()
        let session = tracker.session
        tracker.setSharedProperty("x", forKey: "k")
        #expect(tracker.user == "u1" && session != nil && tracker.consent == nil && tracker.dropped == 0)
        let others = try (0..<4).map { number in try PosixThread { tracker.track(.event("c\(number)")) } }
        let granting = try PosixThread { tracker.setConsent(.granted) }
        full.open()
        for thread in [first, granting] + others { thread.join() }
        #expect(full.all.filter { $0 != "granted" }.map { $0.split(separator: " ")[1] } == ["1", "2", "3", "4", "5", "6", "7"])
        #expect(full.all.count { $0 == "granted" } == 1)
        #expect(memory.all.map(\.sequence) == (1...7).map { Int64($0) })
    }

    @Test func `after a wait events go straight to the sinks again`() throws {
        let full = FullSink()
        let tracker = Tracker(to: full, user: "u1")
        full.fill()
        let thread = try PosixThread { tracker.track(.event("a")) }
        full.untilSomebodyWaits()
        full.open()
        thread.join()
        for name in ["b", "c"] { tracker.track(.event(name)) }
        #expect(full.all == ["session_started 1", "a 2", "b 3", "c 4"])
    }

    @Test func `a reset waits for no disk: the new id is in force at once, and kept by the time a flush returns`() async throws {
        let store = SlowStore()
        let tracker = Tracker(anonymousIDs: store)
        tracker.track(.event("a"))
        store.close()
        let before = tracker.user
        tracker.reset()
        store.untilCalled(3)
        let user = tracker.user
        #expect(user != before)
        tracker.setSharedProperty("x", forKey: "k")
        #expect(tracker.session == nil && tracker.consent == nil && tracker.dropped == 0)
        store.open()
        try await tracker.flush()
        #expect(store.kept == user)
    }

    @Test func `an event of another thread waits for the kept id, too, while the store is read for a session`() throws {
        let (store, sink, looks) = (SlowStore(), MemorySink(), WatchedValue(0))
        let clock = WallClock {
            looks.change { $0 += 1 }
            return 0
        }
        let tracker = Tracker(to: sink, anonymousIDs: store, clock: clock)
        try store.replace(with: "a-of-another-process")
        store.close()
        let first = try PosixThread { tracker.track(.event("a")) }
        store.untilCalled(3)
        let before = looks.change { $0 }
        let second = try PosixThread { tracker.track(.event("b")) }
        // It looks at the clock under the tracker's lock, before it begins a session or waits for the store.
        looks.wait { (count: inout Int) -> Void? in count > before ? () : nil }
        store.open()
        for thread in [first, second] { thread.join() }
        #expect(sink.all.map(\.sequence) == [1, 2, 3])
        #expect(Set(sink.all.map(\.user)) == ["a-of-another-process"])
    }

    @Test func `a reset during the reading of the store wins over what was read`() async throws {
        let (store, sink) = (SlowStore(), MemorySink())
        let tracker = Tracker(to: sink, anonymousIDs: store)
        let before = tracker.user
        store.close()
        let tracking = try PosixThread { tracker.track(.event("a")) }
        store.untilCalled(2)
        tracker.reset()
        store.open()
        tracking.join()
        try await tracker.flush()
        #expect(tracker.user != before && store.kept == tracker.user)
        #expect(sink.all.allSatisfy { $0.user == tracker.user })
    }
}

/// Code of the app between a tracker and its sinks.
@Suite struct TrackerCallbackTests {
    private let memory = MemorySink()
    private let box = Lock<Tracker?>(nil)

    private func tracker(to sink: any TrackingSink) -> Tracker {
        let tracker = Tracker(to: sink, memory, user: "u1")
        box.withLock { $0 = tracker }
        return tracker
    }

    private func letGo() { box.withLock { $0 = nil } }

    @Test func `a filter, a mapping, a closure and a plan's check may ask the tracker`() throws {
        let sessions = Lock<[String?]>([])
        let ask: @Sendable () -> Void = { [box] in sessions.withLock { $0.append(box.withLock { $0 }?.session) } }
        let filtered = ClosureSink { _ in ask() }.filtered { _ in
            ask()
            return true
        }
        let mapped = filtered.mapped { event in
            ask()
            return event
        }
        let plan = try TrackingPlan(Array(#"{"plan":1,"name":"Shop","events":{}}"#.utf8))
        let tracker = tracker(to: mapped.checked(against: plan) { _ in ask() })
        tracker.track(.event("unplanned"))
        // Only the closure gets the tracker's own `session_started`, too. Filter, mapping and check get the app's event alone.
        #expect(tracker.session != nil && sessions.withLock { $0 } == Array(repeating: tracker.session, count: 5))
        letGo()
    }

    @Test func `what a closure tracks comes after the event that it was given, to every sink`() {
        let names = Lock<[String]>([])
        let tracker = tracker(
            to: ClosureSink { [box] event in
                names.withLock { $0.append(event.event.name) }
                if event.event.name == "first" { box.withLock { $0 }?.track(.event("second")) }
            })
        tracker.track(.event("first"))
        #expect(names.withLock { $0 } == ["session_started", "first", "second"])
        #expect(memory.all.map(\.event.name) == ["session_started", "first", "second"])
        #expect(memory.all.map(\.sequence) == [1, 2, 3])
        letGo()
    }
}

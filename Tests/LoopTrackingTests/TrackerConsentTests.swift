import Basics
import EventFiles
import Foundation
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

/// A sink that keeps events apart itself, and writes down what it is told in order.
private final class SpoolingSink: TrackingSink {
    private let log = Lock<[String]>([])

    var spoolsWhilePending: Bool { true }
    func flush() async throws -> FlushReceipt { FlushReceipt() }
    func record(_ event: StampedEvent) { log.withLock { $0.append("\(event.event.name) \(event.sequence ?? 0)") } }
    func setConsent(_ consent: TrackingConsent) { log.withLock { $0.append(consent.rawValue) } }
    func erase(completion: @escaping @Sendable ((any Error)?) -> Void) {
        log.withLock { $0.append("erase") }
        completion(nil)
    }
    var all: [String] { log.withLock { $0 } }
}

/// Which events are handed on, and when.
@Suite struct TrackerConsentTests {
    private let sink = MemorySink()
    private let spooling = SpoolingSink()
    private let time = ManualWallClock()

    private func makeTracker(_ consent: TrackingConsent?, user: String? = "u1") -> Tracker {
        Tracker(to: sink, spooling, user: user, consent: consent, clock: time.clock, random: SeededRandom(seed: 1))
    }

    @Test func `an app that asks nobody tracks everything and tells no sink of consent`() {
        let tracker = makeTracker(nil)
        tracker.track(.event("a"))
        #expect(tracker.consent == nil, "nobody was asked")
        #expect(spooling.all == ["session_started 1", "a 2"])
        tracker.setConsent(.granted)
        #expect(spooling.all.last == "granted", "now it asks")
    }

    @Test func `denied: nothing is numbered or handed on`() {
        let tracker = makeTracker(.denied)
        tracker.track(.event("a"))
        tracker.identify("u2")
        #expect(sink.all.count == 0 && spooling.all == ["denied"] && tracker.session == nil)
        #expect(tracker.user == "u2", "the app may still know who it is")
        tracker.setConsent(.granted)
        tracker.track(.event("b"))
        #expect(spooling.all == ["denied", "granted", "session_started 1", "b 2"], "the numbers begin at one")
        #expect(sink.events(named: "identified").isEmpty)
    }

    @Test func `pending: a sink that keeps events apart gets them, the other gets them when the person agrees`() {
        let tracker = makeTracker(.pending)
        tracker.track(.event("a"))
        tracker.track(.event("b"))
        #expect(sink.all.count == 0)
        #expect(spooling.all == ["pending", "session_started 1", "a 2", "b 3"])
        tracker.setConsent(.granted)
        #expect(sink.all.map(\.sequence) == [1, 2, 3] && sink.names == ["a", "b"])
        tracker.track(.event("c"))
        #expect(sink.all.map(\.sequence) == [1, 2, 3, 4], "the session goes on")
        #expect(spooling.all == ["pending", "session_started 1", "a 2", "b 3", "granted", "c 4"])
    }

    @Test func `pending and then denied: what was held is gone, and a later session begins at one`() {
        let tracker = makeTracker(.pending)
        tracker.track(.event("a"))
        let session = tracker.session
        tracker.setConsent(.denied)
        tracker.track(.event("b"))
        tracker.setConsent(.granted)
        tracker.track(.event("c"))
        #expect(sink.all.map(\.event.name) == ["session_started", "c"] && sink.all.map(\.sequence) == [1, 2])
        #expect(sink.all[0].session != session && sink.all[0].event.properties["previous_session"] == nil)
        #expect(spooling.all == ["pending", "session_started 1", "a 2", "denied", "granted", "session_started 1", "c 2"])
    }

    @Test func `a decision that opens again holds again`() {
        let tracker = makeTracker(.granted)
        tracker.track(.event("a"))
        tracker.setConsent(.pending)
        tracker.track(.event("b"))
        #expect(sink.names == ["a"])
        tracker.setConsent(.granted)
        #expect(sink.names == ["a", "b"] && sink.all.map(\.sequence) == [1, 2, 3])
    }

    @Test func `a decision that changes nothing reaches no sink`() {
        let tracker = makeTracker(.pending)
        for _ in 0..<3 { tracker.setConsent(.pending) }
        for _ in 0..<3 { tracker.setConsent(.granted) }
        #expect(spooling.all == ["pending", "granted"])
    }

    @Test func `what is held is bounded, the first are kept, and notes have places of their own`() {
        let tracker = Tracker(to: sink, consent: .pending, clock: time.clock)
        for _ in 0..<5_000 { tracker.track(.event("a")) }
        tracker.identify("u1")
        #expect(tracker.dropped == 5_000 + 1 - 2_000)
        tracker.setConsent(.granted)
        #expect(sink.all.prefix(2_000).map(\.sequence) == Array(1...2_000))
        let rest = sink.all.dropFirst(2_000)
        #expect(rest.map(\.event.name) == ["identified", "dropped"])
        #expect(rest.map(\.sequence) == [5_002, nil], "what was dropped keeps its number")
    }

    /// 4 MiB hold about 41 events of 100 kB, wherever in the event the bytes are.
    @Test(arguments: [
        TrackingValue.string(String(repeating: "x", count: 100_000)), .sensitive(String(repeating: "x", count: 100_000)),
        .array([.string(String(repeating: "x", count: 50_000)), .object(["k": .string(String(repeating: "x", count: 50_000))])]),
        .object(TrackingProperties([(String(repeating: "k", count: 100_000), .null)])),
    ])
    func `what is held is bounded by its bytes, too`(value: TrackingValue) {
        let tracker = Tracker(to: sink, consent: .pending, clock: time.clock)
        for _ in 0..<100 { tracker.track(.event("a", ["text": value])) }
        #expect((58...61).contains(tracker.dropped))
        tracker.setConsent(.granted)
        let held = sink.all.filter { $0.kind == .track }
        #expect(held.count == 100 - tracker.dropped)
        #expect(held.map(\.sequence) == Array(2..<Int64(held.count) + 2), "the first are kept")
        // Events that are handed on free their room.
        tracker.setConsent(.pending)
        tracker.track(.event("b", ["text": value]))
        tracker.setConsent(.granted)
        #expect(sink.all.last?.event.name == "b")
    }

    @Test func `files behind a sink that holds nothing apart explain what found no place in memory`() async throws {
        let folder = NSTemporaryDirectory() + "looptrail-held-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let writer = try EventFileWriter(folder: folder, clock: time.clock)
        let tracker = Tracker(to: ClosureSink { writer.record($0) }, consent: .pending, clock: time.clock)
        for _ in 0..<2_500 { tracker.track(.event("a")) }
        tracker.endSession()
        tracker.track(.event("b"))
        tracker.setConsent(.granted)
        tracker.track(.event("c"))
        try await writer.close()
        let report = try EventFileCheck(EventFileReader(paths: [folder])).run()
        #expect(report.isSound, "the gap is explained")
        #expect(tracker.dropped == 502)
    }

    @Test func `events that found no room are reported once, and not after a denial`() {
        let tracker = makeTracker(.pending)
        func notes() -> [StampedEvent] { sink.all.filter { $0.event.name == "dropped" } }
        for _ in 0..<2_100 { tracker.track(.event("a")) }
        tracker.setConsent(.denied)
        tracker.setConsent(.granted)
        #expect(notes().isEmpty)
        tracker.setConsent(.pending)
        for _ in 0..<2_100 { tracker.track(.event("a")) }
        let session = tracker.session ?? ""
        for _ in 0..<2 {
            tracker.setConsent(.granted)
            tracker.setConsent(.pending)
        }
        #expect(notes().count == 1 && notes().first?.kind == .meta && notes().first?.sequence == nil)
        #expect(notes().first?.event.properties["count"] == 101)
        #expect(notes().first?.event.properties["sessions"] == [session: 101])
        #expect(notes().first?.event.properties["reasons"] == ["overflow": 101])
        #expect(!spooling.all.contains("dropped 0"), "it had them all")
    }

    @Test func `somebody can be identified while the decision is open`() {
        let tracker = makeTracker(.pending, user: nil)
        tracker.track(.event("a"))
        let anonymous = tracker.user
        tracker.identify("u1")
        tracker.setConsent(.granted)
        #expect(sink.all.map(\.user) == [anonymous, anonymous, "u1"])
    }

    @Test func `a denial forgets the anonymous id`() {
        let tracker = makeTracker(.granted, user: nil)
        let before = tracker.user
        tracker.setConsent(.denied)
        #expect(tracker.user != before && tracker.user.hasPrefix("a-"))
    }

    @Test func `erasing empties the sinks, and a new session begins`() async throws {
        let tracker = makeTracker(.granted, user: nil)
        tracker.track(.event("a"))
        let (session, user) = (tracker.session, tracker.user)
        try await tracker.erase()
        #expect(sink.all.count == 0 && spooling.all.last == "erase")
        tracker.track(.event("b"))
        #expect(sink.all.map(\.sequence) == [1, 2])
        #expect(tracker.session != session && tracker.user != user)
        #expect(sink.all[0].event.properties["previous_session"] == nil)
    }

    @Test func `erasing forgets what is held, too`() async throws {
        let tracker = makeTracker(.pending)
        tracker.track(.event("a"))
        try await tracker.erase()
        tracker.setConsent(.granted)
        #expect(sink.all.count == 0)
    }

    @Test func `erasing asks every sink and returns with the first error when all have answered`() async {
        struct Stuck: Error, Equatable { let number: Int }
        final class Slow: TrackingSink {
            let number: Int
            let asked = Lock(0)
            init(_ number: Int) { self.number = number }
            func flush() async throws -> FlushReceipt { FlushReceipt() }
            func record(_ event: StampedEvent) {}
            func erase(completion: @escaping @Sendable ((any Error)?) -> Void) {
                asked.withLock { $0 += 1 }
                let error = number == 0 ? nil : Stuck(number: number)
                Task {
                    for _ in 0..<10 * (5 - number) { await Task.yield() }
                    completion(error)
                }
            }
        }
        let sinks = (0..<4).map { Slow($0) }
        let tracker = Tracker(to: sinks[0], sinks[1], sinks[2], sinks[3])
        await #expect(throws: Stuck.self) { try await tracker.erase() }
        #expect(sinks.allSatisfy { $0.asked.withLock { $0 } == 1 })
    }

    @Test func `a tracker without sinks erases its session and its anonymous id`() async throws {
        let tracker = Tracker()
        tracker.track(.event("a"))
        let (session, user) = (tracker.session, tracker.user)
        try await tracker.erase()
        #expect(session != nil && tracker.session == nil)
        #expect(tracker.user != user)
    }

    @Test func `a session id longer than a key is counted without its name`() {
        var tally = SessionTally()
        for name in ["s1", String(repeating: "x", count: 2_000), "s1", "_other"] { tally.add(name) }
        #expect(tally.properties() == ["s1": 2, "_other": 2] && tally.count == 4)
        for number in 0..<200 { tally.add("t\(number)") }
        #expect(tally.properties().entries.count == 121 && tally.count == 204)
    }

    @Test func `eight threads track while consent changes, and the numbers handed on have no holes`() async {
        let tracker = Tracker(to: sink, spooling, user: "u1", consent: .granted)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<200 { tracker.track(.event("a")) } } }
            group.addTask {
                for round in 0..<50 {
                    tracker.setConsent(round % 2 == 0 ? .pending : .granted)
                    await Task.yield()
                }
            }
        }
        tracker.setConsent(.granted)
        #expect(sink.all.map(\.sequence) == (1...1_601).map { Int64($0) })
        #expect(spooling.all.count { !["granted", "pending"].contains($0) } == 1_601)
    }

    @Test func `eight threads track, identify, reset, decide and erase at once, and each session is a run from one`() async throws {
        let tracker = Tracker(to: sink, consent: .granted)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for round in 0..<150 {
                        switch (thread + round) % 10 {
                        case 0: tracker.identify("u\(round % 3)")
                        case 1: tracker.reset()
                        case 2: tracker.setConsent([.granted, .pending, .granted, .denied][round % 4])
                        case 3: tracker.endSession()
                        case 4: tracker.setSharedProperty(round % 2 == 0 ? 1 : nil, forKey: "k")
                        case 5: if round % 50 == 0 { try? await tracker.erase() }
                        default: tracker.track(.event("a"))
                        }
                    }
                }
            }
        }
        tracker.setConsent(.granted)
        tracker.track(.event("end"))
        let sessions = Dictionary(grouping: sink.all) { $0.session ?? "" }
        #expect(!sessions.isEmpty)
        for (session, events) in sessions {
            #expect(events.map(\.sequence) == (1...Int64(events.count)).map { $0 }, "\(session)")
            #expect(events[0].event.name == "session_started")
        }
    }
}

import Basics
import EventFiles
import Foundation
import LoopTesting
import Testing
import TrackingEvents

@testable import LoopTracking

/// One tracker for the requests of many people.
@Suite struct ScopedTrackerTests {
    private let sink = MemorySink()
    private let time = ManualWallClock()

    private func makeTracker(_ rule: SessionRule = SessionRule(), consent: TrackingConsent? = nil, sampleRate: Double = 1) -> Tracker {
        Tracker(
            to: sink, user: "server", context: ["host": "web-1"], sharedProperties: ["region": "eu"], rule: rule, consent: consent,
            sampleRate: sampleRate, clock: time.clock, random: SeededRandom(seed: 1))
    }

    private func numbers(_ session: String) -> [Int64?] { sink.all.filter { $0.session == session }.map(\.sequence) }

    @Test func `an event without a session has its user and nothing before it`() throws {
        let tracker = makeTracker()
        let scope = tracker.scoped(user: "u1")
        scope.track(.event("order_placed", ["total": 9.5]), system: "shop")
        let event = try #require(sink.all.first)
        #expect(sink.all.count == 1)
        #expect(event.user == "u1" && event.session == nil && event.sequence == nil && event.system == "shop" && event.kind == .track)
        #expect(event.event.properties["total"] == 9.5 && event.event.properties["region"] == "eu")
        #expect(tracker.session == nil && tracker.user == "server")
        #expect(scope.user == "u1" && scope.session == nil && tracker.scoped(user: "u1", session: "").session == nil)
    }

    @Test func `with a session events are numbered, behind one line with the context`() {
        let tracker = makeTracker()
        tracker.scoped(user: "u1", session: "s1").track(.event("a"))
        tracker.scoped(user: "u1", session: "s1").track(.event("b"))
        tracker.scoped(user: "u2", session: "s2").track(.event("c"))
        tracker.track(.event("own"))
        #expect(numbers("s1") == [1, 2, 3] && numbers("s2") == [1, 2])
        #expect(sink.all.filter { $0.session == "s1" }.map(\.event.name) == ["session_started", "a", "b"])
        let started = sink.events(named: "session_started")
        #expect(started[0].event.properties == ["host": "web-1", "sample_rate": 1.0] && started[0].user == "u1")
        #expect(started.count == 3 && sink.events.last?.user == "server")
    }

    @Test func `a session keeps the context of its beginning, and a later one has the new context`() {
        let tracker = makeTracker()
        tracker.track(.event("a"))
        tracker.scoped(user: "u1", session: "s1").track(.event("a"))
        tracker.setContext(["host": "web-2"])
        tracker.track(.event("b"))
        tracker.scoped(user: "u1", session: "s1").track(.event("b"))
        #expect(sink.events(named: "session_started").allSatisfy { $0.event.properties["host"] == "web-1" })
        tracker.endSession()
        tracker.track(.event("c"))
        tracker.scoped(user: "u1", session: "s2").track(.event("c"))
        #expect(sink.events(named: "session_started").suffix(2).allSatisfy { $0.event.properties["host"] == "web-2" })
    }

    @Test func `many requests at once: each event has the user it belongs to, each session all its numbers`() async {
        let tracker = makeTracker()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for request in 0..<2_000 {
                        let user = "u\((worker &+ request) % 50)"
                        tracker.scoped(user: user, session: "s-\(user)").track(.event("seen", ["by": .string(user)]))
                        if request % 100 == 0 { tracker.identify("admin\(worker)") }
                    }
                }
            }
        }
        let seen = sink.events.filter { $0.event.name == "seen" }
        #expect(seen.count == 16_000)
        #expect(seen.allSatisfy { $0.event.properties["by"] == $0.user.map { .string($0) } && $0.session == $0.user.map { "s-\($0)" } })
        for user in 0..<50 { #expect(numbers("s-u\(user)") == Array(1...321)) }
    }

    @Test(arguments: [TrackingConsent.denied, .pending])
    func `a scope has the consent of its tracker`(consent: TrackingConsent) {
        let tracker = makeTracker(consent: consent)
        tracker.scoped(user: "u1", session: "s1").track(.event("a"))
        tracker.scoped(user: "u1").track(.event("b"))
        #expect(sink.all.isEmpty)
        tracker.setConsent(.granted)
        #expect(sink.all.map(\.event.name) == (consent == .denied ? [] : ["session_started", "a", "b"]))
    }

    @Test func `a session is sampled as a whole, and what belongs to none is always tracked`() {
        let tracker = makeTracker(sampleRate: 0.5)
        for number in 0..<200 { for name in ["a", "b"] { tracker.scoped(user: "u", session: "s\(number)").track(.event(name)) } }
        let sampled = (0..<200).filter { SessionSampling.includes("s\($0)", rate: 0.5) }
        #expect(sampled.count > 60 && sampled.count < 140)
        #expect(Set(sink.all.compactMap(\.session)) == Set(sampled.map { "s\($0)" }))
        #expect(sink.all.count == sampled.count * 3)
        tracker.scoped(user: "u").track(.event("c"))
        #expect(sink.events(named: "c").count == 1)
    }

    @Test func `erasing begins every session anew`() async throws {
        let tracker = makeTracker()
        let scope = tracker.scoped(user: "u1", session: "s1")
        scope.track(.event("a"))
        try await tracker.erase()
        scope.track(.event("b"))
        #expect(sink.all.map(\.event.name) == ["session_started", "b"] && numbers("s1") == [1, 2])
    }

    @Test func `numbers of sessions that are over are forgotten, those of sessions under way are kept`() {
        var sessions = ScopedSessions(limit: 4_000)
        let rule = SessionRule()
        func next(_ id: String, at now: Int64) -> Int64 { sessions.next(in: id, at: now, rule: rule, rate: 1).sequence }
        for number in 0..<1_023 { _ = next("old\(number)", at: 0) }
        #expect(next("kept", at: 0) == 1 && next("kept", at: 1_900_000) == 2)
        // The next new session looks for sessions that are over.
        #expect(next("new", at: 1_900_000) == 1)
        #expect(next("old5", at: 1_900_000) == 1 && next("kept", at: 1_900_000) == 3)
    }

    @Test func `memory is bounded; those used longest ago go first`() {
        var sessions = ScopedSessions(limit: 100)
        let rule = SessionRule()
        for number in 0..<100 { _ = sessions.next(in: "s\(number)", at: Int64(number), rule: rule, rate: 1) }
        #expect(sessions.next(in: "more", at: 100, rule: rule, rate: 1).sequence == 1)
        #expect(sessions.next(in: "s99", at: 101, rule: rule, rate: 1).sequence == 2)
        #expect(sessions.next(in: "s25", at: 101, rule: rule, rate: 1).sequence == 2)
        #expect(sessions.next(in: "s0", at: 101, rule: rule, rate: 1).sequence == 1, "forgotten")
    }

    @Test func `a server's files prove complete`() async throws {
        let folder = NSTemporaryDirectory() + "looptrail-scoped-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let writer = try EventFileWriter(folder: folder)
        let tracker = Tracker(to: writer.filtered { $0.event.name != "ping" })
        for number in 0..<300 {
            let scope = tracker.scoped(user: "u\(number % 7)", session: "s\(number % 7)")
            scope.track(.event("seen"))
            scope.track(.event("ping"))
            tracker.scoped(user: "job").track(.event("swept"))
        }
        let receipt = try await tracker.flush()
        #expect(receipt.isComplete() && receipt.sinks[0].recorded > 600)
        try await writer.close()
        let report = try EventFileCheck(EventFileReader(paths: [folder])).run()
        #expect(report.isSound && report.sessions == 7 && report.events == 600 && report.droppedEvents == 300)
    }
}

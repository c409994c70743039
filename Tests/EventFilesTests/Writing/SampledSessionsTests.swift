import Foundation
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles

/// Each segment has the sample rates of its sessions, so that its events can be weighed.
@Suite struct SampledSessionsTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    private func start(_ session: String, rate: Double = 0.25, after previous: String? = nil) -> StampedEvent {
        var event = testEvent(1, session: session, name: "session_started", kind: .meta)
        event.event.properties = ["app": "test", "sample_rate": .double(rate)]
        if let previous { event.event.properties["previous_session"] = .string(previous) }
        return event
    }

    /// The session lines of each sealed file, in order: session, rate, and of a repeated line the user.
    private func heads() throws -> [[String]] {
        try folder.sealed.map { name in
            try folder.decode(name).lines.compactMap { line in
                let object = try object(line)
                guard object["name"] as? String == "session_started", let props = object["props"] as? [String: Any] else { return nil }
                let rate = try #require(props["sample_rate"] as? Double)
                if props["repeat"] as? Bool == true {
                    #expect(object["seq"] == nil && object["type"] as? String == "meta" && props.count == 2)
                    return "\(object["session"] ?? "") \(rate) again by \(object["user"] ?? "")"
                }
                return "\(object["session"] ?? "") \(rate)"
            }
        }
    }

    @Test func `the rate of a session under way stands again at the head of each later file`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(start("s1"))
        writer.record(testEvent(2))
        try await writer.rotate()
        writer.record(testEvent(3))
        try await writer.rotate()
        writer.record(testEvent(4))
        try await writer.close()
        #expect(try heads() == [["s1 0.25"], ["s1 0.25 again by us1"], ["s1 0.25 again by us1"]])
        for name in folder.sealed.dropFirst() {
            #expect(try folder.decode(name).lines.first?.contains(#""repeat":true"#) == true, "before all others")
        }
        let report = try EventFileCheck(EventFileReader(paths: [folder.path])).run()
        #expect(report.isSound && report.events == 3, "it is no duplicate and no gap")
        #expect(writer.statistics.written == 4)
    }

    @Test func `a session that was not sampled is not repeated`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(start("s1", rate: 1))
        try await writer.rotate()
        writer.record(testEvent(2))
        try await writer.close()
        #expect(try heads() == [["s1 1.0"], []])
    }

    @Test func `a session that another one follows, or that is idle for more than half an hour, is not repeated`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        for session in ["s1", "s2", "s3"] { writer.record(start(session)) }
        try await writer.rotate()
        writer.record(start("s4", after: "s2"))
        clock.advance(.seconds(30 * 60))
        writer.record(testEvent(2, session: "s3"))
        try await writer.rotate()
        clock.advance(.seconds(1))
        writer.record(testEvent(3, session: "s3"))
        try await writer.close()
        let all = try heads()
        #expect(all[1] == ["s1 0.25 again by us1", "s3 0.25 again by us3", "s4 0.25"])
        #expect(all[2] == ["s3 0.25 again by us3"])
    }

    @Test func `the user is the one of the session's last event`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(start("s1"))
        var event = testEvent(2)
        event.user = "known"
        writer.record(event)
        try await writer.rotate()
        writer.record(testEvent(1, session: "other"))
        try await writer.close()
        #expect(try heads()[1] == ["s1 0.25 again by known"])
    }

    @Test func `at most 128 sessions are repeated, those with the latest events`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        for number in 1...140 { writer.record(start("s\(number)")) }
        writer.record(testEvent(2, session: "s20"))
        writer.record(start("s141"))
        try await writer.rotate()
        writer.record(testEvent(3, session: "s20"))
        try await writer.close()
        let again = try heads()[1].map { String($0.prefix { $0 != " " }) }
        #expect(again.count == 128)
        #expect(again == ((14...19).map { "s\($0)" } + (21...140).map { "s\($0)" } + ["s141", "s20"]))
    }

    @Test func `a file that follows a full one in the middle of a session begins with it, too`() async throws {
        var options = EventFileWriterOptions.lossless
        options.rotateBytes = 10_000
        options.repackLevel = nil
        let writer = try EventFileWriter(folder, options: options, clock: clock)
        writer.record(start("s1"))
        for number in 2...5_000 { writer.record(testEvent(number, text: "sku-\(number &* 2_654_435_761 % 1_000_003)")) }
        try await writer.close()
        let all = try heads()
        #expect(all.count > 3 && all[0] == ["s1 0.25"] && all.dropFirst().allSatisfy { $0 == ["s1 0.25 again by us1"] })
        #expect(try sequences(folder.lines()) == Array(1...5_000))
    }

    @Test func `sessions whose users' names do not fit into one member are not repeated`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        for number in 1...3 {
            var event = start("s\(number)")
            event.user = String(repeating: "u", count: 30_000)
            writer.record(event)
        }
        try await writer.rotate()
        writer.record(testEvent(1, session: "other"))
        try await writer.close()
        #expect(try heads()[1].count == 2)
        #expect(try EventFileCheck(EventFileReader(paths: [folder.path])).run().isSound)
    }

    @Test func `a session that began in the spool is not named outside it before consent is granted`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.record(start("open"))
        try await writer.rotate()
        writer.record(testEvent(2, session: "open"))
        writer.setConsent(.pending)
        writer.record(start("secret"))
        writer.record(testEvent(3, session: "open"))
        try await writer.flush()
        #expect(try !folder.lines().joined().contains("secret"))
        #expect(try folder.spooledLines().contains { $0.contains(#""session":"open""#) && $0.contains("repeat") })
        writer.setConsent(.granted)
        try await writer.rotate()
        writer.record(testEvent(2, session: "secret"))
        try await writer.close()
        #expect(try heads().contains { $0.contains("secret 0.25 again by usecret") }, "files are in the order of their writers' digits")
    }

    @Test func `a denial or an erasure forgets the sessions`() async throws {
        let writer = try EventFileWriter(folder, clock: clock)
        writer.setConsent(.pending)
        writer.record(start("s1"))
        writer.setConsent(.denied)
        writer.setConsent(.granted)
        writer.record(testEvent(1, session: "s2"))
        try await writer.rotate()
        writer.record(start("s3"))
        try await writer.erase()
        writer.record(testEvent(2, session: "s3"))
        try await writer.close()
        #expect(try heads() == [[]])
    }
}

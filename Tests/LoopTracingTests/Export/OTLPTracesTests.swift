import Foundation
import LoopCore
import LoopTesting
import LoopTracing
import Testing
import TrackingEvents

private enum Page: Equatable { case start, loaded(Int) }
private enum Move { case load(Int), fail, leave }
private struct Broken: Error { let secret = "hunter2" }

@MainActor @Suite struct OTLPTracesTests {
    private let time = ManualClock(nanoseconds: 5_000_000)

    private func spans(limit: Int = 1000) -> OTLPTraces {
        let epoch = TraceEpoch(clock: time.clock, wallClock: WallClock { 1_767_225_600_000 })
        return OTLPTraces(service: "shop", epoch: epoch, maxSpans: limit)
    }

    private func page(_ sink: OTLPTraces, name: String? = "page") -> System<Page, Move> {
        let time = time
        return System(
            name: name, initialState: .start, clock: time.clock,
            next: { (_: Page, move: Move) -> Next<Page> in
                time.advance(by: .microseconds(10))
                switch move {
                case .load(let id):
                    return .run {
                        time.advance(by: .milliseconds(3))
                        return .loaded(id)
                    }
                case .fail: return .run { throw Broken() }
                case .leave: return .state(.start)
                }
            }
        ).attach(.trace(to: sink))
    }

    /// The spans of all lines.
    private func told(_ sink: OTLPTraces, most: Int = 1000) throws -> [[String: Any]] {
        var all: [[String: Any]] = []
        while let line = sink.takeLine(maxSpans: most) {
            #expect(line.hasSuffix("\n") && line.filter { $0 == "\n" }.count == 1)
            let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [[String: Any]]]
            let resource = try #require(json?["resourceSpans"]?.first)
            let scope = try #require((resource["scopeSpans"] as? [[String: Any]])?.first)
            all += try #require(scope["spans"] as? [[String: Any]])
        }
        return all
    }

    private func attributes(_ span: [String: Any]) -> [String: String] {
        let pairs = (span["attributes"] as? [[String: Any]] ?? []).map { attribute in
            (attribute["key"] as? String ?? "", (attribute["value"] as? [String: Any])?.values.first.map { "\($0)" } ?? "")
        }
        return Dictionary(pairs) { $1 }
    }

    @Test func `an event is the root of a trace, its parts are its children, times are times of day`() async throws {
        let sink = spans()
        let system = page(sink)
        system.send(.load(1))
        await system.settled()
        let all = try told(sink)
        let root = try #require(all.first)
        #expect(all.map { $0["name"] as? String } == ["load", "reduce", "effect"])
        #expect(root["parentSpanId"] == nil && root["kind"] as? Int == 1)
        for child in all.dropFirst() {
            #expect(
                child["parentSpanId"] as? String == root["spanId"] as? String && child["traceId"] as? String == root["traceId"] as? String)
        }
        for span in all {
            let (trace, id) = (try #require(span["traceId"] as? String), try #require(span["spanId"] as? String))
            #expect(trace.count == 32 && id.count == 16 && (trace + id).allSatisfy { $0.isHexDigit && !$0.isUppercase })
        }
        #expect(Set(all.map { $0["spanId"] as? String }).count == 3)
        #expect(
            root["startTimeUnixNano"] as? String == "1767225600000000000" && root["endTimeUnixNano"] as? String == "1767225600003010000")
        #expect(all[1]["endTimeUnixNano"] as? String == "1767225600000010000")
        let known = attributes(root)
        #expect(known["looptrail.event"] == "load" && known["looptrail.system"] == "page" && known["looptrail.number"] == "1")
        #expect(known["looptrail.queue_wait_ns"] == "0" && known["code.file.path"]?.hasSuffix("OTLPTracesTests.swift") == true)
        #expect(attributes(all[2])["looptrail.event"] == "load")
    }

    @Test func `a failure is an error by its type, and what it holds stays where it is`() async throws {
        let sink = spans()
        let system = page(sink)
        system.send(.fail)
        await system.settled()
        let all = try told(sink)
        let status = try #require(all.first?["status"] as? [String: Any])
        #expect(status["code"] as? Int == 2 && status["message"] as? String == "Broken")
        #expect(!"\(all)".contains("hunter2"))
    }

    @Test func `what was cancelled says so, and is no error`() async throws {
        let sink = spans()
        let system = page(sink)
        system.send(.load(1))
        system.stop()
        let root = try #require(try told(sink).first)
        let cancelled = (root["attributes"] as? [[String: Any]])?.first { $0["key"] as? String == "looptrail.cancelled" }
        #expect((cancelled?["value"] as? [String: Any])?["boolValue"] as? Bool == true)
        #expect((root["status"] as? [String: Any])?.isEmpty == true)
        system.send(.leave)
        #expect(try told(sink).isEmpty, "a stopped system takes no event")
    }

    @Test func `traces of different events and of different systems have different ids`() throws {
        let sink = spans()
        for system in [page(sink), page(sink), page(sink, name: nil)] { for _ in 1...20 { system.send(.leave) } }
        let all = try told(sink)
        #expect(all.count == 120 && Set(all.map { $0["spanId"] as? String }).count == 120)
        #expect(Set(all.map { $0["traceId"] as? String }).count == 60)
    }

    @Test(arguments: [1, 3, 7, 1000])
    func `lines hold as many as are wanted, each span once`(most: Int) throws {
        let sink = spans()
        let system = page(sink)
        for _ in 1...10 { system.send(.leave) }
        let all = try told(sink, most: most)
        #expect(all.count == 20 && Set(all.map { $0["spanId"] as? String }).count == 20)
        #expect(sink.takeLine() == nil)
    }

    @Test func `where nobody takes lines, later events are dropped as a whole and counted`() throws {
        let sink = spans(limit: 5)
        let system = page(sink)
        for _ in 1...4 { system.send(.leave) }
        #expect(sink.dropped == 4)
        #expect(try told(sink).map { $0["name"] as? String } == ["leave", "reduce", "leave", "reduce"])
        system.send(.leave)
        #expect(try told(sink).count == 2)
    }

    @Test(arguments: ["with \"quotes\" \\", "line\nfeed \u{1}", "日本 🛒"])
    func `any name is told as it is`(name: String) throws {
        let sink = spans()
        page(sink, name: name).send(.leave)
        #expect(try told(sink).allSatisfy { attributes($0)["looptrail.system"] == name })
    }
}

import Basics
import Foundation
import LoopCore
import LoopTesting
@testable import LoopTracing
import Testing
import TrackingEvents

private enum Trouble: Error { case notFound(String) }
private struct Hostile: Error, NamedEvent { let eventName: String }

/// Takes everything and keeps nothing.
private struct NoOutput: TraceOutput {
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(TraceOutputError) {}
    func truncate(to size: Int) throws(TraceOutputError) {}
}

@Suite struct ChromeTraceFileTests {
    let output = MemoryOutput()
    let source = TraceSource(name: "shop")

    private func event(_ number: Int, name: String = "load", start: UInt64 = 1_500, outcome: Outcome = .finished) -> TraceSpan {
        TraceSpan(
            source: source, id: UInt64(number) << 1 | 1, kind: .event, name: name, event: name, number: number, start: start,
            duration: 2_250, queueWait: 7, outcome: outcome)
    }

    private func file(_ output: MemoryOutput? = nil, waiting: Int = 100, size: Int = 1 << 20) throws -> ChromeTraceFile {
        try ChromeTraceFile(to: output ?? self.output, pid: 42, maxWaitingSpans: waiting, maxBytes: size)
    }

    @Test func `an event is a complete one with its times in microseconds to the nanosecond`() throws {
        let file = try file()
        file.record([event(3)])
        let statistics = file.finish()
        #expect(statistics.written == 1 && statistics.lost == 0 && statistics.failure == nil)
        #expect(
            output.text == """
                [
                {"ph":"M","name":"process_name","pid":42,"tid":0,"args":{"name":"looptrail"}},
                {"ph":"M","name":"thread_name","pid":42,"tid":1,"args":{"name":"shop"}},
                {"ph":"X","name":"load","cat":"event","ts":1.500,"pid":42,"tid":1,"dur":2.250,"args":{"number":3,"queue_wait_us":0.007}}
                ]

                """)
    }

    @Test func `an effect has a lane of its own, says its event and has an arrow from there`() throws {
        let file = try file()
        var effect = TraceSpan(
            source: source, id: 8, parent: 7, parentStart: 1_000, kind: .feedback, name: "search", event: "type", number: 3, lane: 2,
            start: 4_000, duration: 500)
        effect.outcome = .cancelled
        file.record([effect])
        file.finish()
        let trace = try ChromeTrace(output.text)
        #expect(trace.threads == [1: "shop effects 2", 2: "shop"])
        let span = try #require(trace.lines("X").first)
        #expect(span["cat"] == "feedback" && span.start == 4_000 && span.end == 4_500)
        #expect(span.args["event"] as? String == "type" && span.args["number"] as? Int == 3 && span.args["cancelled"] as? Bool == true)
        let (from, to) = (try #require(trace.lines("s").first), try #require(trace.lines("f").first))
        #expect(from.thread == 2 && from.start == 1_000 && to.thread == 1 && to.start == 4_000)
        #expect(from["id"] == "20000000008" && from["id"] == to["id"])
        #expect(from["cat"] == to["cat"] && from["name"] == to["name"] && to["bp"] == "e")
        let phases = output.text.split(separator: "\n").compactMap { $0.firstMatch(of: /"ph":"([Xsf])"/)?.1 }
        #expect(phases == ["X", "s", "f"], "an arrow ties to the event that stands before it")
    }

    @Test func `how an event ended and where it was sent is told`() throws {
        let file = try file()
        var failed = event(1, outcome: .failed(Trouble.notFound("card 4711")))
        failed.origin = SendOrigin(fileID: "Shop/Cart.swift", line: 4)
        file.record([failed])
        file.finish()
        let args = try #require(try ChromeTrace(output.text).lines("X").first?.args)
        #expect(args["failed"] as? String == "Trouble.notFound")
        #expect(!output.text.contains("4711"))
        #expect(args["sent_at"] as? String == "Shop/Cart.swift:4")
    }

    @Test(arguments: [
        "\"},{\"ph\":\"X", "back\\slash", "line\nfeed\r\t", "\u{0}\u{1b}[31m\u{7f}", "</script><b>", "日本語 🛒 e\u{301}", "\u{2028}\u{feff}",
        "",
        String(repeating: "é", count: 3_000),
    ])
    func `names are data, whatever they hold`(name: String) throws {
        let output = MemoryOutput()
        let hostile = TraceSource(name: name)
        let file = try ChromeTraceFile(to: output, process: name, pid: 1)
        var span = event(1, name: name, outcome: .failed(Hostile(eventName: name)))
        span.source = hostile
        file.record([span])
        file.finish()
        let trace = try ChromeTrace(output.text)
        #expect(trace.lines.count == 3)
        let expected = name.utf8.count <= 256 ? name : String(repeating: "é", count: 128)
        #expect(trace.lines("X").first?["name"] == expected)
        #expect(trace.threads == [1: expected])
        #expect(output.text.split(separator: "\n").count == 5)
    }

    @Test func `the file is whole and closed after every write`() async throws {
        let file = try file()
        for number in 1...20 {
            file.record([event(number, start: UInt64(number) * 10_000)])
            if number.isMultiple(of: 3) { file.finish() }
            await Task.yield()
        }
        file.finish()
        #expect(output.states.count >= 7)
        var before = 0
        for state in output.states {
            let count = try ChromeTrace(state).lines("X").count
            #expect(count >= before && state.hasSuffix("\n]\n"))
            before = count
        }
        #expect(before == 20)
    }

    @Test func `a file cut anywhere holds its whole lines, as viewers read them`() throws {
        let file = try file()
        for number in 1...5 { file.record([event(number)]) }
        file.finish()
        let text = output.text
        for length in stride(from: text.utf8.count - 4, to: 2, by: -7) {
            let cut = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            let whole = cut.split(separator: "\n").dropFirst().filter { $0.hasSuffix("},") }
            let mended = "[" + whole.joined(separator: "\n").dropLast() + "]"
            #expect(try ChromeTrace(mended).lines.count == whole.count)
        }
    }

    @Test(arguments: Array(stride(from: 110, to: 700, by: 37))) func `on a full disk the file is put back as it was`(room: Int) throws {
        let output = MemoryOutput(room: room)
        let file = try file(output)
        for number in 1...10 {
            file.record([event(number)])
            file.finish()
        }
        let statistics = file.finish()
        let trace = try ChromeTrace(output.text)
        #expect(trace.lines("X").count == statistics.written)
        #expect(statistics.written + statistics.lost == 10)
        #expect(statistics.failure?.errno == 28)
        trace.expectNesting()
    }

    @Test func `where even putting back fails, the whole lines are there`() throws {
        let output = MemoryOutput(room: 400, truncates: false)
        let file = try file(output)
        for number in 1...10 {
            file.record([event(number)])
            file.finish()
        }
        #expect(file.finish().failure != nil)
        #expect(!output.text.hasSuffix("]\n"))
        let whole = output.text.split(separator: "\n").filter { $0.hasPrefix("{\"ph\":\"X\"") && $0.hasSuffix("},") }
        #expect(whole.count == file.finish().written)
    }

    @Test func `a file that has reached its size takes no more and says how many are missing`() throws {
        let file = try file(size: 2_000)
        for number in 1...50 { file.record([event(number)]) }
        let statistics = file.finish()
        #expect(output.text.utf8.count <= 2_000)
        #expect(statistics.written > 5 && statistics.written + statistics.lost == 50 && statistics.failure == nil)
        let trace = try ChromeTrace(output.text)
        #expect(trace.lines("X").count == statistics.written)
        #expect(trace.lines("i").first?.args["count"] as? Int == statistics.lost)
    }

    @Test func `once a span has found no room, later ones are counted and not encoded, even if they would fit`() throws {
        var writer = try ChromeTraceWriter(output, process: "looptrail", pid: 42, maxBytes: 700)
        writer.add([event(1), event(2, name: String(repeating: "x", count: 256)), event(3)], lost: 0)
        writer.add([event(4)], lost: 0)
        #expect(writer.written == 1 && writer.lost == 3)
        #expect(try ChromeTrace(output.text).lines("X").map { $0.args["number"] as? Int } == [1])
        writer.markLoss()
        #expect(try ChromeTrace(output.text).lines("i").map { $0.args["count"] as? Int } == [3])
    }

    @Test func `a system costs no more when many came before it`() throws {
        /// The least processor time of this thread in several runs: what else the machine does makes one dearer, never cheaper.
        func cost(systems: Int, times: Int) throws -> Int64 {
            // Sources are random numbers otherwise, and equal ones would share a lane.
            let spans = (1...systems).map { number in
                var span = event(1)
                span.source = TraceSource(id: UInt64(number))
                return span
            }
            var least = Int64.max
            for _ in 0..<2 {
                let start = systemNanoseconds(CLOCK_THREAD_CPUTIME_ID)
                for _ in 0..<times {
                    var writer = try ChromeTraceWriter(NoOutput(), process: "looptrail", pid: 42, maxBytes: 1 << 30)
                    writer.add(spans, lost: 0)
                    #expect(writer.written == systems)
                }
                least = min(least, systemNanoseconds(CLOCK_THREAD_CPUTIME_ID) - start)
            }
            return least
        }
        // Both sides write the spans of 32,000 systems in all.
        #expect(try cost(systems: 32_000, times: 1) < cost(systems: 250, times: 128) * 4)
    }

    @Test func `spans beyond those that may wait are dropped, counted and told`() throws {
        let own = Lock<ChromeTraceFile?>(nil)
        let more = event(9)
        // The loop records more spans while the file is being written.
        let output = MemoryOutput(onWrite: {
            let file = own.withLock { $0.take() }
            for _ in 0..<7 { file?.record([more, more]) }
        })
        let file = try file(output, waiting: 4)
        own.withLock { $0 = file }
        file.record([event(1)])
        let statistics = file.finish()
        #expect(statistics.written == 5 && statistics.lost == 10 && statistics.failure == nil)
        #expect(try ChromeTrace(output.text).lines("i").map { $0.args["count"] as? Int } == [10])
    }

    @Test func `a file that is never finished says how many spans it lacks`() throws {
        var writer = try ChromeTraceWriter(output, process: "looptrail", pid: 42, maxBytes: 1 << 20)
        writer.add([event(1)], lost: 3)
        writer.add([], lost: 2)
        func marks() throws -> [Int?] { try ChromeTrace(output.text).lines("i").map { $0.args["count"] as? Int } }
        #expect(try marks() == [3, 2])
        writer.markLoss()
        #expect(try marks() == [3, 2], "each is marked once")
    }

    @Test func `a folder that is not there throws`() {
        #expect(throws: TraceOutputError.self) { try ChromeTraceFile(path: "/nowhere/at/all/trace.json") }
    }

    @Test func `letting go of the file writes what waits`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chrome-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("a.json").path
        try ChromeTraceFile(path: path).record([event(1), event(2)])
        while try ChromeTrace(String(contentsOfFile: path, encoding: .utf8)).lines("X").count < 2 { await Task.yield() }
        #expect(try ChromeTrace(String(contentsOfFile: path, encoding: .utf8)).lines.count == 4)
    }
}

/// Real systems on several threads, with effects that overlap.
@Suite struct ChromeTraceOfSystemsTests {
    private actor Shop {
        enum Event { case work, search, found, leave }

        private let name: String

        init(name: String) { self.name = name }

        private lazy var system = System<Int, Event>(
            name: name, initialState: 0,
            feedbacks: [
                Feedback.onEachEvent({ (_: Int, event: Event) -> Effect<Event> in
                    guard event == .search else { return .none }
                    return .run {
                        for _ in 0..<5 { await Task.yield() }
                        return .found
                    }
                }).named("search")
            ],
            next: { (state: Int, event: Event) -> Next<Int> in
                guard event == .work else { return .state(state + 1) }
                return Next<Int>.run {
                    await Task.yield()
                    return state + 1
                }.stateWhenLoading(-1)
            })

        func run(_ file: ChromeTraceFile) async {
            system.attach(.trace(to: file)).bind { _ in }
            for round in 0..<40 {
                system.send(.search)
                system.send(round.isMultiple(of: 3) ? .work : .leave)
                if round.isMultiple(of: 7) { await system.settled() }
            }
            await system.settled()
            system.stop()
        }
    }

    @Test func `many systems at once leave one file whose lanes nest`() async throws {
        let output = MemoryOutput()
        let file = try ChromeTraceFile(to: output, pid: 1)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<6 { group.addTask { await Shop(name: "shop \(number)").run(file) } }
        }
        let statistics = file.finish()
        #expect(statistics.lost == 0)
        let trace = try ChromeTrace(output.text)
        #expect(trace.lines("X").count == statistics.written)
        trace.expectNesting()
        let loops = trace.threads.filter { !$0.value.contains("effects") }
        #expect(Set(loops.values) == Set((0..<6).map { "shop \($0)" }))
        for thread in loops.keys {
            let events = trace.lines("X").filter { $0.thread == thread && $0["cat"] == "event" }
            #expect(events.count == 120)
            #expect(Set(events.compactMap { $0.args["number"] as? Int }) == Set(1...120))
        }
        let effects = trace.lines("X").filter { $0["cat"] == "feedback" }
        #expect(effects.count == 240)
        #expect(effects.allSatisfy { $0["name"] == "search" && $0.args["event"] as? String == "search" })
        #expect(trace.threads.values.contains { $0.hasSuffix("effects 2") })
        #expect(trace.lines("s").count == 240 && trace.lines("f").count == 240)
    }
}

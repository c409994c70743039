import Dispatch
import Inspect
import LoopCore
import LoopLogging
import TestSupport
import Testing
import TrackingEvents

@testable import LoopRecording

/// The reader, a replay and the page tell what is missing from a recording, for each system and with its steps.
@MainActor @Suite struct LostStepsTests {
    private let lines = Collected<String>()
    private var recording: Recording { Recording(lines: lines.all) }

    private func makeSystem(_ name: String) -> System<Int, Int> {
        System(name: name, initialState: 0, reducer: { (sum: inout Int, more: Int) in sum += more })
    }

    private func session(of system: String) throws -> RecordedSteps {
        try #require(recording.sessions().first { $0.system == system })
    }

    /// The lines on the page of a system; a page holds one system.
    private func page(of system: String) throws -> [RecordedValue] {
        try session(of: system).pageLines(from: nil, to: nil, problems: []).compactMap(RecordedValue.parse)
    }

    private func problemsOnPage(of system: String) throws -> [String] {
        let head = try #require(page(of: system).first)
        #expect(head["system"]?.text == system)
        return try #require(head["problems"]).elements.compactMap(\.text)
    }

    private func statesKnown(in session: RecordedSteps) -> [Int: Int] {
        var walk = session.states
        var known: [Int: Int] = [:]
        for step in session.steps where walk.take(step) { known[step.number] = walk.state?.integer }
        return known
    }

    @Test func `tracked events are given up, too, where too many wait`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let recorder = Recorder(capacity: 6) {
            gate.wait()
            return { [lines] line in
                lines.add(line)
                return true
            }
        }
        for number in 1...1_000 {
            var random = SeededRandom(seed: UInt64(number))
            recorder.record(
                StampedEvent(
                    timeMilliseconds: 0, event: TrackingEvent("viewed"), user: "u", id: EventID(milliseconds: 0, random: &random)))
        }
        #expect(recorder.dropped == 994)
        gate.signal()
        try await recorder.close()
        #expect(lines.all.count == 7)
    }

    @Test func `steps of two systems that are given up together are told for each system apart`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let lines = lines
        let recorder = Recorder(capacity: 6) {
            { line in
                lines.add(line)
                if lines.all.count == 1 { gate.wait() }
                return true
            }
        }
        let cart = makeSystem("cart").attach(.record(to: recorder))
        await lines.until(count: 1)
        let search = makeSystem("search").attach(.record(to: recorder))
        for number in 1...10 {
            cart.send(number)
            if number <= 7 { search.send(100 * number) }
        }
        gate.signal()
        try await recorder.close()

        #expect(recorder.dropped == 11)
        let told = ["cart": "6 steps are without details from 1: overflow", "search": "5 steps are without details from 1: overflow"]
        let kept = ["cart": [7: 28, 8: 36, 9: 45, 10: 55], "search": [6: 2_100, 7: 2_800]]
        for (name, count) in ["cart": 10, "search": 7] {
            let session = try session(of: name)
            #expect(session.problems == [told[name]])
            #expect(try problemsOnPage(of: name) == [told[name]])
            #expect(session.steps.map(\.number) == Array(1...count))
            #expect(statesKnown(in: session) == kept[name])
            let lost = 1...count - kept[name]!.count
            #expect(session.steps.filter { $0.outcome == "unknown" }.map(\.number) == Array(lost))
            // No event is missing: each system replays its own, and the states that are known are compared.
            let whole = ReplayResult(events: count, statesChecked: kept[name]!.count + 1)
            #expect(try await makeSystem(name).replay(recording) == whole)
            // Nor is it known what the first step behind the lost ones changed, but a head on the page has its state.
            let unknown = try page(of: name).filter { $0["unknown"] != nil }
            #expect(unknown.compactMap { $0["n"]?.integer } == Array(lost) + [lost.upperBound + 1])
        }
    }

    @Test func `events that found no room are missing where they were, in each of two systems`() async throws {
        let isFull = Announced(false)
        let recorder = Recorder(to: lines, refusingWhile: isFull)
        let systems = ["cart", "search"].map { makeSystem($0).attach(.record(to: recorder)) }
        systems[0].send(1)
        systems[1].send(100)
        systems[1].send(200)
        isFull.change { $0 = true }
        for number in 2...4 { systems[0].send(number) }
        systems[1].send(300)
        isFull.change { $0 = false }
        systems[1].send(400)
        systems[0].send(5)
        try await recorder.close()

        #expect(try session(of: "cart").problems == ["3 steps are missing before 5", "3 steps are without details from 2: overflow"])
        #expect(try session(of: "search").problems == ["1 step is missing before 4", "1 step is without details from 3: overflow"])
        #expect(try statesKnown(in: session(of: "cart")) == [1: 1, 5: 15])
        #expect(try statesKnown(in: session(of: "search")) == [1: 100, 2: 300, 4: 1_000])
        for (name, missing, next) in [("cart", 2, 5), ("search", 3, 4)] {
            #expect(try problemsOnPage(of: name) == session(of: name).problems)
            // No patch leads over the hole, so a head follows.
            let lines = try page(of: name)
            let place = try #require(lines.firstIndex { $0["n"]?.integer == next })
            #expect(lines[place]["unknown"] != nil && lines[place]["patch"] == nil && lines[place + 1]["after"]?.integer == next)
            let error = ReplayError.lost(number: missing, reason: "the next line is that of event \(next)")
            await #expect(throws: error) { try await makeSystem(name).replay(recording) }
            let before = ReplayResult(events: missing - 1, statesChecked: missing)
            #expect(try await makeSystem(name).replay(recording, upTo: missing - 1) == before)
        }
    }

    @Test func `a step whose end is missing without a reason is reported, and its state is unknown until the next head`() async throws {
        lines.add(
            #"{"recording":2,"id":"aaaa","system":"cart","t_ms":1,"after":0,"states":"json","events":"json","hidden":[],"state":0}"#)
        for number in 1...9 {
            let cause = number == 6 ? #""by":2,"via":"load","# : ""
            lines.add("{\"n\":\(number),\"t_ms\":2,\(cause)\"name\":\"event\",\"event\":1}")
            if [2, 4, 5, 9].contains(number) { continue }
            lines.add("{\"of\":\(number),\"ns\":[1,1,1],\"patch\":[{\"op\":\"replace\",\"path\":\"\",\"value\":\(number)}]}")
            guard number == 7 else { continue }
            lines.add(
                #"{"recording":2,"id":"aaaa","system":"cart","t_ms":1,"after":7,"states":"json","events":"json","hidden":[],"state":7}"#)
        }
        let session = try session(of: "cart")
        let problems = ["1 step is without details from 2: cause unknown", "2 steps are without details from 4: cause unknown"]
        #expect(session.problems == problems)
        #expect(try problemsOnPage(of: "cart") == problems)
        #expect(session.steps.filter { $0.outcome == "unknown" }.map(\.number) == [2, 4, 5])
        // Whether the last event ended is not known.
        #expect(session.steps[8].outcome == "unfinished")
        #expect(statesKnown(in: session) == [1: 1, 7: 7, 8: 8])
        let onPage = try page(of: "cart").filter { $0["n"] != nil }
        #expect(onPage.filter { $0["unknown"] != nil }.compactMap { $0["n"]?.integer } == [2, 3, 4, 5, 6, 7])
        #expect(onPage.filter { $0["ns"] == nil }.compactMap { $0["n"]?.integer } == [2, 4, 5, 9])
        // It is still known which step led to another.
        #expect(onPage[5]["by"]?.integer == 2 && onPage[5]["via"]?.text == "load")
        // Three states are known by their patches. A replay compares them and the first state.
        #expect(try await makeSystem("cart").replay(recording) == ReplayResult(events: 9, statesChecked: 4))
    }
}

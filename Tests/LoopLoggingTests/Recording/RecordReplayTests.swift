import EventFiles
import Foundation
import LoopCore
import LoopLogFiles
import LoopLogging
import LoopTracking
import TrackingEvents
import Testing

@MainActor @Suite struct RecordReplayTests {
    struct Shop: Codable, Equatable, Sendable {
        var page = "start", items: [String: Int] = [:], log: [String] = []
    }

    enum Act: Codable, Equatable, Sendable { case open(String), add(String, Int), load(String), pay, wait, nested }

    /// What the world did, and how often it was asked.
    final class World {
        var loads = 0
        var answer = "fresh"
    }

    private static func coder<Value: Codable & Sendable>(_ type: Value.Type) -> RecordingCoder<Value> {
        RecordingCoder(
            encode: { value in
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                return String(decoding: try encoder.encode(value), as: UTF8.self)
            },
            decode: { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) })
    }

    private let events = RecordReplayTests.coder(Act.self)
    private let states = RecordReplayTests.coder(Shop.self)

    private func makeSystem(_ world: World, feedbacks: [Feedback<Shop, Act>] = []) -> System<Shop, Act> {
        System(
            initialState: Shop(), feedbacks: feedbacks,
            next: { (shop: Shop, act: Act) -> Next<Shop> in
                var shop = shop
                switch act {
                case .open(let page): shop.page = page
                case .add(let sku, let count): shop.items[sku, default: 0] += count
                case .load(let page):
                    return .run {
                        world.loads += 1
                        shop.page = "\(page) \(world.answer) \(world.loads)"
                        return shop
                    }.stateWhenLoading(Shop(page: "loading"))
                case .pay: return .run { throw Broken(description: "no\nmoney") }
                case .wait: return .run { throw CancellationError() }
                case .nested:
                    return Next<Shop>.run { shop }.flatMap { shop in
                        .run {
                            var shop = shop
                            shop.log.append("nested \(world.answer)")
                            return shop
                        }
                    }
                }
                return .state(shop)
            })
    }

    private let session: [Act] = [
        .open("list"), .add("a\n\u{1B}", 2), .load("detail"), .add("b", 1), .pay, .wait, .nested, .add("a\n\u{1B}", -1), .open("end"),
    ]

    /// The settled states of a session, and what was recorded of it.
    private func record(withStates: Bool, feedbacks: [Feedback<Shop, Act>] = []) async -> (lines: [String], states: [Shop], world: World) {
        let world = World()
        let lines = Lines()
        var seen: [Shop] = []
        let system = makeSystem(world, feedbacks: feedbacks).attach(
            .record(to: lines.output, events: events, states: withStates ? states : nil),
            Middleware { step in if step.phase == .settled { seen.append(step.state) } })
        for act in session { system.send(act) }
        await system.settled()
        return (lines.all, seen, world)
    }

    /// The settled steps of a replay, each as number, state and outcome.
    private func replay(
        _ lines: [String], withStates: Bool, world: World = World(), feedbacks: [Feedback<Shop, Act>] = []
    ) async throws -> (steps: [Step<Shop, Act>], report: ReplayResult, system: System<Shop, Act>) {
        var steps: [Step<Shop, Act>] = []
        let system = makeSystem(world, feedbacks: feedbacks)
            .attach(Middleware { step in if step.phase == .settled && step.isReplay { steps.append(step) } })
        let report = try await system.replay(from: lines, events: events, states: withStates ? states : nil)
        return (steps, report, system)
    }

    @Test func `a replay comes to the same states step by step, without asking the world`() async throws {
        let recorded = await record(withStates: true)
        #expect(recorded.lines.count == session.count + 1)
        let world = World()
        world.answer = "other"
        let replayed = try await replay(recorded.lines, withStates: true, world: world)
        #expect(replayed.steps.map(\.state) == recorded.states)
        #expect(replayed.steps.map(\.number) == Array(1...session.count))
        #expect(replayed.steps.compactMap(\.event) == session)
        #expect(world.loads == 0)
        let counts: [Int] = [replayed.report.events, replayed.report.failed, replayed.report.cancelled, replayed.report.statesChecked]
        #expect(counts == [9, 1, 1, 10] as [Int])
        let failed = try #require(replayed.steps[4].outcome?.error as? RecordedError)
        #expect(failed.description == #"no\nmoney"#)
        #expect(replayed.steps[5].outcome?.isCancelled == true)
    }

    @Test func `without recorded states the work runs again`() async throws {
        let recorded = await record(withStates: false)
        #expect(recorded.lines.allSatisfy { !$0.contains(#""state""#) })
        let world = World()
        let replayed = try await replay(recorded.lines, withStates: false, world: world)
        #expect(replayed.steps.map(\.state) == recorded.states)
        #expect(world.loads == 1)
        #expect(replayed.report.statesChecked == 0)
    }

    @Test func `recorded states are not used where no coder for them is given`() async throws {
        let recorded = await record(withStates: true)
        let world = World()
        world.answer = "other"
        let replayed = try await replay(recorded.lines, withStates: false, world: world)
        #expect(replayed.system.state.log == ["nested other"])
    }

    @Test func `every line is one line of JSON, whatever the events hold`() async throws {
        for line in await record(withStates: true).lines {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            #expect(line.utf8.allSatisfy { $0 >= 0x20 })
        }
    }

    @Test func `what feedbacks once sent comes from the recording and not twice`() async throws {
        func feedback() -> Feedback<Shop, Act> {
            .while({ $0.page == "list" && $0.items["gift"] == nil }) { _ in .event(.add("gift", 1)) }
        }
        let recorded = await record(withStates: true, feedbacks: [feedback()])
        let replayed = try await replay(recorded.lines, withStates: true, feedbacks: [feedback()])
        #expect(replayed.steps.map(\.state) == recorded.states)
        #expect(recorded.states.last?.items["gift"] == 1)
        await replayed.system.settled()
        #expect(replayed.system.state == recorded.states.last)
    }

    @Test func `a recording through compressed files is the same`() async throws {
        let folder = try LogFolder()
        let files = try LogFileWriter(folder: folder.path, stem: "session")
        let system = makeSystem(World()).attach(.record(to: .files(files), events: events, states: states))
        for act in session { system.send(act) }
        await system.settled()
        try await files.writer.close()
        let replayed = try await replay(folder.lines(), withStates: true)
        #expect(replayed.system.state == system.state)
        #expect(replayed.report.events == session.count)
    }

    @Test func `a replay can be recorded, and that recording replayed`() async throws {
        let recorded = await record(withStates: true)
        let again = Lines()
        let system = makeSystem(World()).attach(.record(to: again.output, events: events, states: states))
        try await system.replay(from: recorded.lines, events: events, states: states)
        #expect(again.all == recorded.lines)
    }

    // MARK: What is wrong with a recording

    private func failure(_ lines: [String], withStates: Bool = true) async -> ReplayError? {
        do {
            _ = try await replay(lines, withStates: withStates)
            return nil
        } catch {
            return error as? ReplayError
        }
    }

    @Test func `lines that are none, or missing, are named by their place`() async {
        let lines = await record(withStates: true).lines
        #expect(await failure([]) == .notARecording(line: 0))
        #expect(await failure(["hello"]) == .notARecording(line: 1))
        #expect(await failure(Array(lines.dropFirst())) == .notARecording(line: 1))
        #expect(await failure([#"{"recording":2,"after":0}"#]) == .notARecording(line: 1))
        #expect(await failure([#"{"recording":1,"after":4}"#]) == .beganLate(after: 4))
        #expect(await failure(lines + ["{\"n\":"]) == .badLine(line: 11))
        #expect(await failure(lines + [#"{"n":10}"#]) == .badLine(line: 11))
        #expect(await failure([lines[0], lines[0]]) == .badLine(line: 2))
        #expect(await failure(["", lines[0], "", lines[2]]) == .lost(line: 4, number: 1, reason: "the next line is that of event 2"))
        #expect(await failure([lines[0], #"{"n":1,"lost":"too secret"}"#]) == .lost(line: 2, number: 1, reason: "too secret"))
        guard case .undecodable(line: 2, number: 1, _) = await failure([lines[0], #"{"n":1,"event":"?"}"#]) else {
            Issue.record("an event that is none is taken")
            return
        }
    }

    @Test func `a reducer that does otherwise is found at its first step`() async {
        var lines = await record(withStates: true).lines
        lines[2] = lines[2].replacing(#"\"page\":\"list\""#, with: #"\"page\":\"other\""#)
        guard case .diverged(number: 2, let expected, let found) = await failure(lines) else {
            Issue.record("another state is taken")
            return
        }
        #expect(expected.contains("other") && found.contains("list"))
        lines[0] = lines[0].replacing("start", with: "elsewhere")
        guard case .diverged(number: 0, _, _) = await failure(lines) else {
            Issue.record("another initial state is taken")
            return
        }
    }

    @Test func `only a fresh system replays, and it goes on after an error`() async throws {
        let lines = await record(withStates: true).lines
        let used = makeSystem(World())
        used.send(.open("x"))
        await #expect(throws: ReplayError.systemHasRun) { try await used.replay(from: lines, events: events) }
        let system = makeSystem(World())
        await #expect(throws: ReplayError.self) { try await system.replay(from: lines.prefix(3) + ["?"], events: events) }
        #expect(system.eventNumber == 2 && !system.isReplaying)
        system.send(.open("on"))
        #expect(system.state.page == "on")
    }

    @Test func `a stopped system and a cancelled task end a replay`() async {
        let lines = await record(withStates: true).lines
        let stopped = makeSystem(World())
        stopped.attach(Middleware { [weak stopped] step in if step.number == 3 { stopped?.stop() } })
        await #expect(throws: ReplayError.ended(after: 2)) { try await stopped.replay(from: lines, events: events, states: states) }
        let system = makeSystem(World())
        let (acts, shops) = (events, states)
        let task = Task { @MainActor () -> ReplayError? in
            do {
                try await system.replay(from: lines, events: acts, states: shops)
                return nil
            } catch {
                return error as? ReplayError
            }
        }
        task.cancel()
        #expect(await task.value == .ended(after: 0))
    }

    @Test func `an event that cannot be encoded is owned up to`() async {
        let picky = RecordingCoder<Act>(
            encode: { act in
                if act == .pay { throw Broken(description: "no \"pay\"") }
                return "x"
            }, decode: { _ in .open("x") })
        let lines = Lines()
        let system = makeSystem(World()).attach(.record(to: lines.output, events: picky))
        system.send(.open("a"))
        system.send(.pay)
        await system.settled()
        #expect(lines.all == [#"{"recording":1,"after":0}"#, #"{"n":1,"event":"x"}"#, #"{"n":2,"lost":"no \"pay\""}"#])
    }

    @Test func `states without an equality are compared by their texts`() async throws {
        struct Bare { var sum = 0 }
        let coder = RecordingCoder<Bare>(encode: { "\($0.sum)" }, decode: { Bare(sum: Int($0) ?? 0) })
        func make() -> System<Bare, Int> { System(initialState: Bare(), reducer: { (bare: inout Bare, more: Int) in bare.sum += more }) }
        let lines = Lines()
        let system = make().attach(.record(to: lines.output, events: .text, states: coder))
        for number in [1, 2, 3] { system.send(number) }
        #expect(try await make().replay(from: lines.all, events: .text, states: coder).statesChecked == 4)
        let wrong = lines.all.dropLast() + [#"{"n":3,"event":"3","state":"7"}"#]
        await #expect(throws: ReplayError.diverged(number: 3, expected: "Bare(sum: 7)", found: "Bare(sum: 6)")) {
            try await make().replay(from: wrong, events: .text, states: coder)
        }
    }

    @Test func `texts that are no number are named`() async {
        let system = System<Int, Int>(initialState: 0, reducer: { (sum: inout Int, more: Int) in sum += more })
        await #expect(throws: ReplayError.undecodable(line: 2, number: 1, reason: "\"x\" is no Int")) {
            try await system.replay(from: [#"{"recording":1,"after":0}"#, #"{"n":1,"event":"x"}"#], events: .text)
        }
    }

    @Test(arguments: [
        (ReplayError.systemHasRun, "fresh"), (.notARecording(line: 1), "line 1"), (.beganLate(after: 4), "event 4"),
        (.badLine(line: 9), "line 9"),
        (.lost(line: 1, number: 2, reason: "r"), "event 2"), (.undecodable(line: 1, number: 2, reason: "r"), "decoded"),
        (.diverged(number: 3, expected: "a", found: "b"), "b in place of a"), (.ended(after: 5), "event 5"),
    ])
    func `errors say what and where`(error: ReplayError, part: String) {
        #expect("\(error)".contains(part))
    }

    @Test func `tracking is silent in a replay and goes on after it`() async throws {
        let recorded = await record(withStates: true)
        let kept = Kept()
        struct Sink: TrackingSink {
            let kept: Kept
            func flush() async throws -> FlushReceipt { FlushReceipt() }
            func record(_ event: StampedEvent) { if event.kind == .track { kept.append(event.event.name) } }
        }
        let tracker = Tracker(to: Sink(kept: kept))
        let system = makeSystem(World()).attach(
            .track(to: tracker) { shop in shop.page == "start" ? nil : TrackingEvent("page_\(shop.page)") },
            .trackSteps(to: tracker) { step in step.event == nil ? nil : TrackingEvent("step") })
        try await system.replay(from: recorded.lines, events: events, states: states)
        #expect(kept.all == [])
        system.send(.open("more"))
        #expect(kept.all.sorted() == ["page_more", "step"])
    }
}

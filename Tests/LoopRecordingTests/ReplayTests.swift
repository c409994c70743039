import EventFiles
import LoopCore
import LoopLogging
import LoopTracking
import TestSupport
import Testing
import TrackingEvents

@testable import LoopRecording

@MainActor @Suite struct ReplayTests {
    struct Shop: Codable, Equatable, Sendable {
        var page = "start", items: [String: Int] = [:], log: [String] = []
    }

    enum Act: Codable, Equatable, Sendable { case open(String), add(String, Int), load(String), pay, wait, nested }

    /// What the world answers, and how often it was asked.
    final class World {
        var loads = 0
        var answer = "fresh"
    }

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
    private func record(
        as form: RecordingForm<Shop, Act> = .json, feedbacks: [Feedback<Shop, Act>] = [], _ acts: [Act]? = nil
    ) async throws -> (lines: [String], states: [Shop]) {
        let lines = Collected<String>()
        let recorder = Recorder(to: .closure { lines.add($0) })
        var seen: [Shop] = []
        let system = makeSystem(World(), feedbacks: feedbacks).attach(
            .record(to: recorder, as: form), Middleware { step in if step.phase == .settled { seen.append(step.state) } })
        for act in acts ?? session { system.send(act) }
        await system.settled()
        try await recorder.close()
        return (lines.all, seen)
    }

    /// A replay, and the settled steps of it.
    private func replay(
        _ lines: [String], world: World = World(), feedbacks: [Feedback<Shop, Act>] = [],
        _ body: ((System<Shop, Act>, Recording) async throws -> ReplayResult)? = nil
    ) async throws -> (steps: [Step<Shop, Act>], report: ReplayResult, system: System<Shop, Act>) {
        var steps: [Step<Shop, Act>] = []
        let system = makeSystem(world, feedbacks: feedbacks)
            .attach(Middleware { step in if step.phase == .settled && step.isReplay { steps.append(step) } })
        let report: ReplayResult
        if let body {
            report = try await body(system, Recording(lines: lines))
        } else {
            report = try await system.replay(Recording(lines: lines))
        }
        return (steps, report, system)
    }

    private static func coder<Value: Codable & Sendable>(_ type: Value.Type) -> RecordingCoder<Value> {
        RecordingCoder(
            encode: { try RecordingEncoding(hiding: []).encode($0).json },
            decode: { text in
                guard let tree = RecordedValue.parse(text) else { throw Broken(description: "no JSON") }
                return try ValueDecoder(value: tree).decode(Value.self)
            })
    }

    private let events = ReplayTests.coder(Act.self)
    private let states = ReplayTests.coder(Shop.self)

    @Test func `a replay comes to the same states step by step, without asking the world`() async throws {
        let recorded = try await record()
        let world = World()
        world.answer = "other"
        let replayed = try await replay(recorded.lines, world: world)
        #expect(replayed.steps.map(\.state) == recorded.states)
        #expect(replayed.steps.map(\.number) == Array(1...session.count))
        #expect(replayed.steps.compactMap(\.event) == session)
        #expect(world.loads == 0)
        #expect(replayed.report == ReplayResult(events: 9, statesChecked: 10))
        let failed = try #require(replayed.steps[4].outcome?.error as? RecordedError)
        #expect(failed.description == #"no\nmoney"#)
        #expect(replayed.steps[5].outcome?.isCancelled == true)
    }

    @Test(arguments: [0, 1, 4, 9, 99]) func `a replay ends where it is asked to`(last: Int) async throws {
        let recorded = try await record()
        let replayed = try await replay(recorded.lines) { try await $0.replay($1, upTo: last) }
        #expect(replayed.report.events == min(last, 9))
        #expect(replayed.steps.map(\.state) == Array(recorded.states.prefix(last)))
    }

    @Test func `coders of one's own make the same recording, and without a coder of states the work runs again`() async throws {
        let recorded = try await record(as: .coded(events: events, states: states))
        let (events, states) = (events, states)
        let replayed = try await replay(recorded.lines) { try await $0.replay($1, events: events, states: states) }
        #expect(replayed.steps.map(\.state) == recorded.states)
        #expect(replayed.report.statesChecked == 10)
        let world = World()
        let again = try await replay(recorded.lines, world: world) { try await $0.replay($1, events: events) }
        #expect(again.steps.map(\.state) == recorded.states)
        #expect(world.loads == 1 && again.report.statesChecked == 0)
    }

    @Test func `every line is one line of JSON, whatever the events hold`() async throws {
        for line in try await record().lines {
            #expect(RecordedValue.parse(line) != nil)
            #expect(line.utf8.allSatisfy { $0 >= 0x20 })
        }
    }

    @Test func `lines may come in any order after their head, and lines of unknown kinds are passed over`() async throws {
        let recorded = try await record()
        var random = Generator(state: 3)
        let loading = recorded.lines.filter { $0.contains(#""phase""#) }
        let others = recorded.lines.dropFirst().filter { !$0.contains(#""phase""#) }.shuffled(using: &random)
        let replayed = try await replay([recorded.lines[0], #"{"later":{"n":[1]},"x":1}"#] + loading + others)
        #expect(replayed.report.statesChecked == 10)
    }

    @Test func `events that feedbacks sent come from the recording, and not twice`() async throws {
        func feedback() -> Feedback<Shop, Act> {
            .while({ $0.page == "list" && $0.items["gift"] == nil }) { _ in .event(.add("gift", 1)) }
        }
        let recorded = try await record(feedbacks: [feedback()])
        let replayed = try await replay(recorded.lines, feedbacks: [feedback()])
        #expect(replayed.steps.map(\.state) == recorded.states)
        #expect(recorded.states.last?.items["gift"] == 1)
        await replayed.system.settled()
        #expect(replayed.system.state == recorded.states.last)
    }

    @Test func `a recorder writes nothing of a replay and goes on after it`() async throws {
        let recorded = try await record()
        let lines = Collected<String>()
        let recorder = Recorder(to: .closure { lines.add($0) })
        let system = makeSystem(World()).attach(.record(to: recorder))
        try await system.replay(Recording(lines: recorded.lines))
        system.send(.open("on"))
        try await recorder.close()
        let session = try #require(Recording(lines: lines.all).sessions().last)
        #expect(session.steps.map(\.number) == [10])
        var walk = session.states
        // The head before it has the state that the replay led to.
        #expect(walk.take(session.steps[0]) && walk.state?["page"]?.text == "on")
    }

    // MARK: What is wrong with a recording

    private func failure(
        _ lines: [String], _ body: ((System<Shop, Act>, Recording) async throws -> ReplayResult)? = nil
    ) async -> ReplayError? {
        do {
            _ = try await replay(lines, body)
            return nil
        } catch {
            return error as? ReplayError
        }
    }

    @Test func `a damaged end after lost events leaves the state unknown`() throws {
        let recording = Recording(
            #"""
            {"recording":2,"id":"aaaa","system":"s","t_ms":1,"after":0,"states":"json","events":"json","hidden":[],"state":{"a":0,"b":0}}
            {"n":1,"t_ms":2,"name":"e","event":1}
            {"of":1,"ns":[1,1,1],"patch":[{"op":"replace","path":"/a","value":1}]}
            {"lost":2,"from":2,"reason":"overflow"}
            {"n":4,"t_ms":2,"name":"e","event":4}
            {"of":4,"ns":[1,1,1]}
            {"recording":2,"id":"aaaa","system":"s","t_ms":1,"after":4,"states":"json","events":"json","hidden":[],"state":{"a":4,"b":0}}
            {"n":5,"t_ms":2,"name":"e","event":5}
            {"n":6,"t_ms":2,"name":"e","event":6}
            {"of":6,"ns":[1,1,1],"patch":[{"op":"replace","path":"/b","value":6}]}
            """#)
        let session = try #require(recording.sessions().last)
        var walk = RecordedStateWalk(session)
        var known: [Int: Bool] = [:]
        for step in session.steps { known[step.number] = walk.take(step) }
        #expect(known == [1: true, 4: true, 5: false, 6: false])
    }

    @Test func `an error names what is missing in a recording`() async throws {
        let lines = try await record().lines
        let first = try #require(lines.firstIndex { $0.hasPrefix(#"{"n":1,"#) })
        #expect(await failure([]) == .notARecording)
        #expect(await failure(["hello"]) == .notARecording)
        #expect(await failure(Array(lines.dropFirst())) == .notARecording)
        #expect(await failure([lines[0].replacing(#""after":0"#, with: #""after":4"#)]) == .beganLate(after: 4))
        #expect(await failure(lines + ["{\"n\":", #"{"n":10}"#]) == .lost(number: 10, reason: "its line has no event"))
        var hole = lines
        hole.remove(at: first)
        #expect(await failure(hole) == .lost(number: 1, reason: "the next line is that of event 2"))
        #expect(await failure([lines[0], #"{"n":1,"unwritten":"too secret"}"#]) == .lost(number: 1, reason: "too secret"))
        guard case .undecodable(number: 1, _) = await failure([lines[0], #"{"n":1,"event":"?"}"#]) else {
            Issue.record("an event that cannot be decoded is taken")
            return
        }
    }

    @Test func `other types are refused unless that is wanted`() async throws {
        let lines = try await record().lines.map { $0.replacing(#/"shape":"[0-9a-f]{16}"/#, with: #""shape":"0000000000000000""#) }
        let shape = RecordedShape.digest(of: Shop.self, Act.self)
        #expect(await failure(lines) == .otherShape(recorded: "0000000000000000", found: shape))
        #expect(await failure(lines) { try await $0.replay($1, ignoringShape: true) } == nil)
        struct Other: Codable { var page = "", items: [String: Int] = [:], log: [Int] = [] }
        #expect(RecordedShape.digest(of: Other.self, Act.self) != shape)
        enum Case: Codable { case open(String) }
        enum Renamed: Codable { case opened(String) }
        #expect(RecordedShape.digest(of: Case.self).count == 16)
    }

    @Test func `a reducer that gives other states is found at the first of them`() async throws {
        var lines = try await record().lines
        let index = try #require(lines.firstIndex { $0.hasPrefix(#"{"of":1,"#) })
        lines[index] = lines[index].replacing(#""value":"list""#, with: #""value":"other""#)
        #expect(await failure(lines) == .diverged(number: 1, path: "/page", expected: #""other""#, found: #""list""#))
        lines[0] = lines[0].replacing(#""page":"start""#, with: #""page":"elsewhere""#)
        #expect(await failure(lines) == .diverged(number: 0, path: "/page", expected: #""elsewhere""#, found: #""start""#))
    }

    @Test func `hidden parts are compared as hidden, and an event needs the values that were hidden in it`() async throws {
        struct Login: Codable, Equatable, Sendable {
            var name = ""
            @Sensitive var password = ""
        }
        enum Step: Codable, Sendable { case submit(String, Sensitive<String>), wait }
        func make() -> System<Login, Step> {
            System(
                initialState: Login(),
                next: { (login: Login, step: Step) -> Next<Login> in
                    var login = login
                    if case .submit(let name, let password) = step { (login.name, login.password) = (name, password.wrappedValue) }
                    let next = login
                    if case .wait = step { return .run { Login(name: "waited", password: next.password) } }
                    return .state(login)
                })
        }
        let lines = Collected<String>()
        let recorder = Recorder(to: .closure { lines.add($0) })
        let system = make().attach(.record(to: recorder))
        system.send(.submit("ada", Sensitive("hunter2")))
        system.send(.wait)
        await system.settled()
        try await recorder.close()
        #expect(!lines.all.contains { $0.contains("hunter2") })
        let recording = Recording(lines: lines.all)
        await #expect(throws: ReplayError.hidden(number: 1, path: "/submit/_1")) { try await make().replay(recording) }
        let again = make()
        #expect(try await again.replay(recording, hidden: { path in path == "/submit/_1" ? #""test""# : nil }).statesChecked == 3)
        // A state that work led to takes its hidden parts from the state before it.
        #expect(again.state == Login(name: "waited", password: "test"))
    }

    /// Records events of a state and replays them into a fresh system.
    private func replayed<Value: Codable & Sendable>(
        _ first: Value, events: Int, _ next: @escaping (Value) -> Next<Value>
    ) async throws -> (state: Value, report: ReplayResult) {
        func make() -> System<Value, Int> { System(initialState: first, next: { (value: Value, _: Int) in next(value) }) }
        let lines = Collected<String>()
        let recorder = Recorder(to: .closure { lines.add($0) })
        let system = make().attach(.record(to: recorder))
        for number in 0..<events {
            system.send(number)
            await system.settled()
        }
        try await recorder.close()
        let again = make()
        let report = try await again.replay(Recording(lines: lines.all))
        return (again.state, report)
    }

    @Test func `a replay keeps the rest of a text that the recording cut`() async throws {
        struct Note: Codable, Equatable, Sendable { var text = "", loads = 0 }
        enum Edit: Codable, Equatable, Sendable { case write, load, grow }
        func makeSystem() -> System<Note, Edit> {
            System(
                initialState: Note(),
                next: { (note: Note, edit: Edit) -> Next<Note> in
                    let text = edit == .load ? note.text : String(repeating: "a", count: 20_000) + (edit == .grow ? "b" : "")
                    let next = Note(text: text, loads: note.loads + 1)
                    return edit == .load ? .run { next } : .state(next)
                })
        }
        let lines = Collected<String>()
        let recorder = Recorder(to: .closure { lines.add($0) })
        let system = makeSystem().attach(.record(to: recorder))
        for edit in [Edit.write, .load, .grow, .load] { system.send(edit) }
        await system.settled()
        try await recorder.close()
        let replayed = makeSystem()
        #expect(try await replayed.replay(Recording(lines: lines.all)) == ReplayResult(events: 4, statesChecked: 5))
        #expect(replayed.state == system.state && system.state.text.utf8.count == 20_001)
    }

    @Test func `a path that was hidden may hold something open later`() async throws {
        let swapped = try await replayed([Sensitive("x"), nil], events: 2) { .state([$0[1], $0[0]]) }
        #expect(swapped.report == ReplayResult(events: 2, statesChecked: 3))
    }

    @Test func `a text of three stars is itself where nothing is hidden`() async throws {
        struct Rating: Codable, Sendable { var stars = "*", note: Sensitive<String>? = Sensitive("n") }
        let rated = try await replayed(Rating(), events: 3) { rating in .run { Rating(stars: rating.stars + "*", note: rating.note) } }
        #expect(rated.report.statesChecked == 4 && rated.state.stars == "****" && rated.state.note == Sensitive("n"))
    }

    @Test func `a state that is a text stays one, even if it looks like JSON`() async throws {
        let texts = try await replayed("[1,2]", events: 2) { .state($0 == "{}" ? "***" : "{}") }
        #expect(texts.report == ReplayResult(events: 2, statesChecked: 3) && texts.state == "***")
    }

    @Test func `a recording of version 1 is replayed, by the types or by coders`() async throws {
        let version1 = #"""
            {"recording":1,"after":0,"state":"{\"page\":\"start\",\"items\":{},\"log\":[]}"}
            {"n":1,"event":"{\"open\":{\"_0\":\"list\"}}","state":"{\"items\":{},\"log\":[],\"page\":\"list\"}"}
            {"n":2,"event":"{\"load\":{\"_0\":\"detail\"}}","state":"{\"items\":{},\"log\":[],\"page\":\"detail fresh 1\"}"}
            {"n":3,"event":"{\"pay\":{}}","state":"{\"items\":{},\"log\":[],\"page\":\"detail fresh 1\"}","outcome":"failed","error":"timeout"}
            """#
        let lines = version1.split(separator: "\n").map(String.init)
        let world = World()
        let replayed = try await replay(lines, world: world)
        #expect(replayed.report == ReplayResult(events: 3, statesChecked: 4))
        #expect(world.loads == 0 && replayed.system.state.page == "detail fresh 1")
        let (events, states) = (events, states)
        #expect(try await replay(lines) { try await $0.replay($1, events: events, states: states) }.report.statesChecked == 4)
        let sums = System<Int, Int>(initialState: 0, reducer: { (sum: inout Int, more: Int) in sum += more })
        let numbers = Recording("{\"recording\":1,\"after\":0,\"state\":\"0\"}\n{\"n\":1,\"event\":\"5\",\"state\":\"5\"}")
        #expect(try await sums.replay(numbers, events: ReplayTests.coder(Int.self), states: ReplayTests.coder(Int.self)).statesChecked == 2)
        #expect(await failure([lines[0], #"{"n":1,"lost":"too secret"}"#]) == .lost(number: 1, reason: "too secret"))
    }

    @Test func `only a fresh system replays, and it goes on after an error`() async throws {
        let lines = try await record().lines
        let used = makeSystem(World())
        used.send(.open("x"))
        await #expect(throws: ReplayError.systemHasRun) { try await used.replay(Recording(lines: lines)) }
        let system = makeSystem(World())
        let cut = lines.filter { !$0.hasPrefix(#"{"n":3,"#) }
        await #expect(throws: ReplayError.self) { try await system.replay(Recording(lines: cut)) }
        #expect(system.eventNumber == 2 && !system.isReplaying)
        system.send(.open("on"))
        #expect(system.state.page == "on")
    }

    @Test func `a stopped system and a cancelled task end a replay`() async throws {
        let recording = Recording(lines: try await record().lines)
        let stopped = makeSystem(World())
        stopped.attach(Middleware { [weak stopped] step in if step.number == 3 { stopped?.stop() } })
        await #expect(throws: ReplayError.ended(after: 2)) { try await stopped.replay(recording) }
        let system = makeSystem(World())
        let task = Task { @MainActor () -> ReplayError? in
            do {
                try await system.replay(recording)
                return nil
            } catch {
                return error as? ReplayError
            }
        }
        task.cancel()
        #expect(await task.value == .ended(after: 0))
    }

    @Test func `an event that cannot be encoded is written with the reason`() async throws {
        let picky = RecordingCoder<Act>(
            encode: { act in
                if act == .pay { throw Broken(description: "no \"pay\"") }
                return "x"
            }, decode: { _ in .open("x") })
        let lines = try await record(as: .coded(events: picky, states: states), [.open("a"), .pay]).lines
        #expect(lines.contains { $0.hasSuffix(#""name":"pay","unwritten":"no \"pay\""}"#) })
    }

    @Test func `a state that cannot be encoded is unknown, and so are those after it`() async throws {
        let picky = RecordingCoder<Shop>(
            encode: { shop in
                if shop.page == "odd" { throw Broken(description: "odd") }
                return try RecordingEncoding(hiding: []).encode(shop).json
            }, decode: { _ in Shop() })
        let lines = try await record(as: .coded(events: events, states: picky), [.open("a"), .open("odd"), .open("b")]).lines
        let session = try #require(Recording(lines: lines).sessions().last)
        var walk = session.states
        #expect(session.steps.map { walk.take($0) } == [true, false, false])
    }

    @Test(arguments: [
        (ReplayError.systemHasRun, "fresh"), (.notARecording, "no line"), (.onlyText, "text"),
        (.otherShape(recorded: "a", found: "b"), "shape b"),
        (.beganLate(after: 4), "event 4"), (.lost(number: 2, reason: "r"), "event 2"), (.undecodable(number: 2, reason: "r"), "decoded"),
        (.hidden(number: 7, path: "/p"), "/p"), (.diverged(number: 3, path: "/q", expected: "a", found: "b"), "b in place of a"),
        (.ended(after: 5), "event 5"),
    ])
    func `errors say what and where`(error: ReplayError, part: String) {
        #expect("\(error)".contains(part))
    }

    @Test func `tracking is silent in a replay and goes on after it`() async throws {
        let recorded = try await record()
        let kept = Collected<String>()
        struct Sink: TrackingSink {
            let kept: Collected<String>
            func flush() async throws -> FlushReceipt { FlushReceipt() }
            func record(_ event: StampedEvent) { if event.kind == .track { kept.add(event.event.name) } }
        }
        let tracker = Tracker(to: Sink(kept: kept))
        let system = makeSystem(World()).attach(
            .track(to: tracker) { shop in shop.page == "start" ? nil : TrackingEvent("page_\(shop.page)") },
            .trackSteps(to: tracker) { step in step.event == nil ? nil : TrackingEvent("step") })
        try await system.replay(Recording(lines: recorded.lines))
        #expect(kept.all == [])
        system.send(.open("more"))
        #expect(kept.all.sorted() == ["page_more", "step"])
    }
}

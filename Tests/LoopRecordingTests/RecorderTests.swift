import EventFiles
import Foundation
import Inspect
import LoopCore
import LoopLogFiles
import LoopLogging
import LoopMigration
import LoopTracking
import TestSupport
import Testing
import TrackingEvents

@testable import LoopRecording

@MainActor @Suite struct RecorderTests {
    struct Shop: Codable, Equatable, Sendable {
        var page = "start", items: [String: Int] = [:]
        @Sensitive var mail = "secret@example.org"
    }

    enum Act: Codable, Equatable, Sendable {
        case open(String), add(String, Int), load(String), loaded(String), pay(card: Sensitive<String>), fail
    }

    let lines = Collected<String>()

    func makeSystem(feedbacks: [Feedback<Shop, Act>] = []) -> System<Shop, Act> {
        System(
            initialState: Shop(), feedbacks: feedbacks,
            next: { (shop: Shop, act: Act) -> Next<Shop> in
                var shop = shop
                switch act {
                case .open(let page), .loaded(let page): shop.page = page
                case .add(let sku, let count): shop.items[sku, default: 0] += count
                case .load(let page):
                    let ready = shop
                    return .run {
                        var ready = ready
                        ready.page = page
                        return ready
                    }.stateWhenLoading(Shop(page: "loading"))
                case .pay: break
                case .fail: return .run { throw Broken(description: "no\nmoney") }
                }
                return .state(shop)
            })
    }

    func makeRecorder(capacity: Int = 4_096) -> Recorder {
        let lines = lines
        return Recorder(
            app: ["version": "2.1"], clock: WallClock { 1_767_225_600_000 }, stopwatch: StepClock { 0 }, random: SeededRandom(seed: 1),
            capacity: capacity
        ) {
            { line in
                lines.add(line)
                return true
            }
        }
    }

    var recording: Recording { Recording(lines: lines.all) }

    /// The lines, with 0 or 1 in place of numbers that differ from run to run.
    var plain: [String] {
        lines.all.map { line in
            line.replacing(#/"ns":\[[0-9,]*\]/#, with: #""ns":[]"#).replacing(#/"ns":[0-9]+/#, with: #""ns":0"#).replacing(
                #/:\d+","name"/#, with: #":1","name""#)
        }
    }

    @Test func `the lines of a session are those of version 2`() async throws {
        let recorder = makeRecorder()
        let system = makeSystem().attach(.record(to: recorder, hiding: ["/items/secret"]))
        system.send(.add("a1", 2))
        system.send(.load("p"))
        await system.settled()
        system.send(.fail)
        await system.settled()
        system.send(.pay(card: Sensitive("4111")))
        try await recorder.close()
        let head = try #require(plain.first)
        #expect(head.hasPrefix(#"{"recording":2,"id":"#))
        #expect(head.contains(#","t_ms":1767225600000,"after":0,"app":{"version":"2.1"},"types":{"state":"#))
        #expect(
            head.hasSuffix(
                #","states":"json","events":"json","hidden":["/items/secret","/mail"],"state":{"page":"start","items":{},"mail":"***"}}"#))
        let at = #""at":"LoopRecordingTests/RecorderTests.swift:1""#
        #expect(
            Array(plain.dropFirst()) == [
                #"{"n":1,"t_ms":1767225600000,\#(at),"name":"add","event":{"add":{"_0":"a1","_1":2}}}"#,
                #"{"of":1,"ns":[],"patch":[{"op":"add","path":"/items/a1","value":2}]}"#,
                #"{"n":2,"t_ms":1767225600000,\#(at),"name":"load","event":{"load":{"_0":"p"}}}"#,
                #"{"of":2,"ns":[],"phase":"loading","patch":[{"op":"replace","path":"/page","value":"loading"},{"op":"remove","path":"/items/a1"}]}"#,
                #"{"effect":1,"by":2,"t_ms":1767225600000}"#,
                #"{"effect":1,"t_ms":1767225600000,"ns":0,"outcome":"finished"}"#,
                #"{"of":2,"ns":[],"patch":[{"op":"replace","path":"/page","value":"p"},{"op":"add","path":"/items/a1","value":2}]}"#,
                #"{"n":3,"t_ms":1767225600000,\#(at),"name":"fail","event":{"fail":{}}}"#,
                #"{"effect":2,"by":3,"t_ms":1767225600000}"#,
                #"{"effect":2,"t_ms":1767225600000,"ns":0,"outcome":"failed","error":"no\\nmoney"}"#,
                #"{"of":3,"ns":[],"outcome":"failed","error":"no\\nmoney"}"#,
                #"{"n":4,"t_ms":1767225600000,\#(at),"name":"pay","hidden":["/pay/card"],"event":{"pay":{"card":"***"}}}"#,
                #"{"of":4,"ns":[]}"#,
                #"{"ended":"closed","t_ms":1767225600000}"#,
            ])
        #expect(recording.sessions().last?.ended == "closed")
    }

    @Test func `a line says what led to its event`() async throws {
        let recorder = makeRecorder()
        let load = Feedback<Shop, Act>.while({ $0.page == "wanted" }) { _ in .run { .loaded("x") } }.named("load")
        let system = makeSystem(feedbacks: [load]).attach(.record(to: recorder))
        system.bind { [weak system] shop in if shop.items == ["a": 1] { system?.send(.add("b", 1)) } }
        system.send(.add("a", 1))
        system.send(.open("wanted"))
        await system.settled()
        try await recorder.close()
        let steps = try #require(recording.sessions().last).steps
        #expect(steps.map { $0.line["name"]?.text } == ["add", "add", "open", "loaded"])
        #expect(steps.map { $0.line["by"]?.integer } == [nil, 1, nil, 3])
        #expect(steps.map { $0.line["via"]?.text } == [nil, nil, nil, "load"])
    }

    @Test func `in a long queue, each event names the step that sent it`() async throws {
        let recorder = makeRecorder()
        let system = System<Int, Int>(initialState: 0, reducer: { (sum: inout Int, more: Int) in sum = more }).attach(.record(to: recorder))
        // Each of the first 1,999 events sends two more.
        system.bind { [weak system] number in
            if number > 0 && number < 2_000 { for next in [2 * number, 2 * number + 1] { system?.send(next) } }
        }
        system.send(1)
        try await recorder.close()
        let steps = try #require(recording.sessions().last).steps
        #expect(steps.count == 3_999)
        // An event's number is its value here, so that the event that led to it has half the number.
        #expect(steps.allSatisfy { ($0.line["by"]?.integer ?? 0) == $0.number / 2 })
    }

    @Test func `types that are not Codable are recorded as text, without the values of hidden paths`() async throws {
        struct Bare: Sendable { var sum = 0, phone = "secret-1" }
        for hidden in [[], ["/phone"]] {
            let lines = Collected<String>()
            let recorder = Recorder(to: .closure { lines.add($0) })
            let system = System<Bare, Int>(initialState: Bare(), reducer: { (bare: inout Bare, more: Int) in bare.sum += more })
                .attach(.record(to: recorder, as: .text, hiding: hidden))
            system.send(3)
            try await recorder.close()
            #expect(lines.all.contains { $0.contains("secret") } == hidden.isEmpty)
            let change = hidden.isEmpty ? #"{"path":"sum","old":"0","new":"3"}"# : #"{"path":"sum","old":"***","new":"***"}"#
            #expect(lines.all.contains { $0.contains(#""changes":["# + change + "]") })
            let again = System<Bare, Int>(initialState: Bare(), reducer: { (bare: inout Bare, more: Int) in bare.sum += more })
            let numbers = RecordingCoder<Int>(encode: { $0.description }, decode: { Int($0) ?? 0 })
            await #expect(throws: ReplayError.onlyText) { try await again.replay(Recording(lines: lines.all), events: numbers) }
        }
    }

    @Test func `a recorder for tests keeps what is sensitive, and its replay asks for no hidden values`() async throws {
        let recorder = makeRecorder()
        let system = makeSystem().attach(.recordKeepingSensitive(to: recorder))
        system.send(.pay(card: Sensitive("4111")))
        try await recorder.close()
        let head = try #require(lines.all.first)
        #expect(head.contains(#""hidden":null"#) && head.contains("secret@example.org"))
        #expect(lines.all.contains { $0.contains(#""card":"4111""#) })
        #expect(try await makeSystem().replay(recording) == ReplayResult(events: 1, statesChecked: 2))
    }

    /// A recorder that stops in its first line until the gate is opened.
    private func makeStoppedRecorder(capacity: Int = 4_096, files: ErasedFiles? = nil) -> (Recorder, gate: DispatchSemaphore) {
        let gate = DispatchSemaphore(value: 0)
        let lines = lines
        let recorder = Recorder(capacity: capacity, files: files) {
            { line in
                lines.add(line)
                if lines.all.count == 1 { gate.wait() }
                return true
            }
        }
        return (recorder, gate)
    }

    @Test func `where too many steps wait, the oldest lose their details, and no event is lost`() async throws {
        let (recorder, gate) = makeStoppedRecorder(capacity: 10)
        let system = makeSystem().attach(.record(to: recorder))
        await lines.until(count: 1)
        for number in 0..<50 { system.send(.add("a", number)) }
        gate.signal()
        try await recorder.close()
        #expect(recorder.dropped == 40)
        let session = try #require(recording.sessions().last)
        #expect(session.steps.count == 50 && session.problems == ["40 steps are without details from 1: overflow"])
        // The states that are known are still right.
        #expect(try await makeSystem().replay(recording).statesChecked == 11)
    }

    @Test func `what several systems give up at once is counted, whichever comes first`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let lines = lines
        let recorder = Recorder(capacity: 4) {
            { line in
                lines.add(line)
                return true
            }
        }
        recorder.append(nil) { write in
            _ = write("{}")
            gate.wait()
        }
        await lines.until(count: 1)
        let sessions = ["a", "b"].map { recorder.begin(system: $0) }
        DispatchQueue.concurrentPerform(iterations: 20_000) { index in
            recorder.append(sessions[index % 2], step: index / 2 + 1) { _ in }
        }
        gate.signal()
        try await recorder.close()
        #expect(recorder.dropped > 19_000)
        #expect(lines.all.count { $0.contains(#""lost":"#) } == 2)
    }

    @Test func `a head follows a hole, and a large recording has several heads`() async throws {
        let isFull = Announced(false)
        let recorder = Recorder(to: lines, refusingWhile: isFull)
        let system = makeSystem().attach(.record(to: recorder))
        system.send(.add("a", 1))
        isFull.change { $0 = true }
        for _ in 0..<3 { system.send(.add("b", 1)) }
        isFull.change { $0 = false }
        system.send(.add("c", 1))
        for number in 0..<2_000 { system.send(.add("d", number)) }
        try await recorder.close()
        let session = try #require(recording.sessions().last)
        #expect(session.problems == ["3 steps are missing before 5", "3 steps are without details from 2: overflow"])
        #expect(session.steps.filter { $0.head != nil }.count == 3)
        var walk = session.states
        var last: RecordedValue?
        for step in session.steps {
            let isKnown = walk.take(step)
            #expect(isKnown)
            last = walk.state
        }
        #expect(last?["items"]?["b"]?.integer == 3)
    }

    @Test func `a state that costs too much is recorded as text from then on`() async throws {
        let recorder = makeRecorder()
        let system = makeSystem().attach(.record(to: recorder))
        for number in 0..<80 { system.send(.add("\(number)" + String(repeating: "x", count: 14_000), 1)) }
        // A head of more than a million bytes follows when consent comes back.
        recorder.setConsent(.denied)
        system.send(.open("unseen"))
        recorder.setConsent(.granted)
        system.send(.open("seen"))
        try await recorder.close()
        #expect(!lines.all.contains { $0.contains("unseen") && $0.hasPrefix(#"{"n""#) })
        let head = try #require(lines.all.last { $0.hasPrefix(#"{"recording""#) })
        #expect(head.contains(#""states":"text""#) && head.contains(#""reason":"the state has more than 1000000 bytes""#))
        #expect(lines.all.contains { $0.contains(#""changes":[{"path":"page","old":"\"unseen\"","new":"\"seen\""}]"#) })
    }

    @Test func `the larger a state is, the later it is tried again`() async throws {
        let tries = Announced(0)
        let states = RecordingCoder<Int>(
            encode: { _ in
                tries.change { $0 += 1 }
                return String(repeating: "x", count: 1_100_000)
            }, decode: { _ in 0 })
        let events = RecordingCoder<Int>(encode: { "\($0)" }, decode: { _ in 0 })
        let recorder = makeRecorder()
        let system = System<Int, Int>(initialState: 0, reducer: { (sum: inout Int, more: Int) in sum += more })
            .attach(.record(to: recorder, as: .coded(events: events, states: states)))
        for number in 1...2_000 { system.send(number) }
        try await recorder.close()
        // Their lines have more than 256 KiB, and less than eight times the state.
        #expect(lines.all.count > 4_000 && tries.value == 1)
    }

    @Test func `after one slow step changes are texts, with the reason, until a later head has the state again`() async throws {
        let (lines, now, pace) = (lines, Announced<UInt64>(0), Announced<UInt64>(0))
        let stopwatch = StepClock {
            now.change { now in
                now += pace.value
                return now
            }
        }
        let recorder = Recorder(stopwatch: stopwatch) {
            { line in
                lines.add(line)
                return true
            }
        }
        let system = makeSystem().attach(.record(to: recorder))
        system.send(.open("a"))
        try await recorder.flush()
        pace.change { $0 = 60_000_000 }
        system.send(.open("b"))
        try await recorder.flush()
        pace.change { $0 = 0 }
        for number in 1...1_000 { system.send(.add("d", number)) }
        try await recorder.close()
        let heads = lines.all.filter { $0.hasPrefix(#"{"recording":2"#) }.compactMap(RecordedValue.parse)
        let reason = "step 2 took the recorder more than 50 ms"
        #expect(heads.map { $0["states"]?.text } == ["json", "text", "json"])
        #expect(heads.map { $0["reason"]?.text } == [nil, reason, nil])
        let session = try #require(recording.sessions().last)
        #expect(session.problems == ["states are recorded as text after 2: \(reason)"])
        let resumed = try #require(heads.last?["after"]?.integer)
        var walk = session.states
        let known = session.steps.filter { walk.take($0) }.map(\.number)
        #expect(known == [1, 2] + Array(resumed...1_002) && walk.state?["items"]?["d"]?.integer == 500_500)
        #expect(try await makeSystem().replay(recording) == ReplayResult(events: 1_002, statesChecked: known.count + 1))
    }

    @Test func `heads that repeat a text after resumptions put off no state`() async throws {
        let states = RecordingCoder<Int>(
            encode: { sum in
                if sum == 1 { throw Broken(description: "odd") }
                return "\(sum)"
            }, decode: { _ in 0 })
        let events = RecordingCoder<Int>(encode: { "\($0)" }, decode: { _ in 0 })
        let recorder = makeRecorder()
        let system = System<Int, Int>(initialState: 0, reducer: { (sum: inout Int, more: Int) in sum += more })
            .attach(.record(to: recorder, as: .coded(events: events, states: states)))
        for number in 1...2_000 {
            system.send(1)
            // The lines between two resumptions have less than 256 KiB.
            if number.isMultiple(of: 200) { recorder.resume() }
        }
        try await recorder.close()
        let heads = lines.all.filter { $0.hasPrefix(#"{"recording":2"#) }.compactMap(RecordedValue.parse)
        #expect(heads.contains { $0["states"]?.text == "text" } && heads.last?["states"]?.text == "coded")
    }

    @Test func `a change too large for a line is explained by the head behind it`() async throws {
        let recorder = makeRecorder()
        let system = System<[String], Int>(
            initialState: [],
            reducer: { (texts: inout [String], count: Int) in texts += (0..<count).map { "\($0)" + String(repeating: "x", count: 14_000) } }
        ).attach(.record(to: recorder))
        for count in [0, 80, 0] { system.send(count) }
        try await recorder.close()
        let session = try #require(recording.sessions().last)
        #expect(session.steps.map(\.outcome) == ["finished", "unknown", "finished"])
        #expect(session.problems == ["states are recorded as text after 2: the state has more than 1000000 bytes"])
    }

    @Test func `from a consent that is granted again on, states are known`() async throws {
        let recorder = makeRecorder()
        let system = makeSystem().attach(.record(to: recorder))
        system.send(.open("a"))
        recorder.setConsent(.denied)
        system.send(.open("unseen"))
        recorder.setConsent(.granted)
        system.send(.open("b"))
        try await recorder.close()
        let session = try #require(recording.sessions().last)
        var walk = session.states
        #expect(session.steps.map(\.number) == [1, 3] && session.steps.map { walk.take($0) } == [true, true])
        #expect(walk.state?["page"]?.text == "b")
    }

    @Test func `the recorder of a part numbers the events that come to it, and its recording is whole`() async throws {
        struct App: Sendable { var shop = Shop(), other = 0 }
        enum Event: Sendable { case shop(Act), other }
        let recorder = makeRecorder()
        let part = Middleware<Shop, Act>.record(to: recorder)
            .pullback(state: { (app: App) in app.shop }, event: { (event: Event) in if case .shop(let act) = event { act } else { nil } })
        let system = System<App, Event>(
            initialState: App(),
            reducer: { (app: inout App, event: Event) in
                if case .shop(.add(let sku, let count)) = event { app.shop.items[sku, default: 0] += count } else { app.other += 1 }
            }
        ).attach(part)
        // What is sent during a step of the part names its event.
        system.bind { [weak system] app in if app.shop.items == ["a": 2] { system?.send(.shop(.add("sent", 1))) } }
        for event in [.other, .shop(.add("a", 1)), .other, .other, .shop(.add("a", 1))] as [Event] { system.send(event) }
        try await recorder.close()
        let session = try #require(recording.sessions().last)
        #expect(session.problems == [] && session.steps.map(\.number) == [1, 2, 3])
        #expect(session.steps.map { $0.line["by"]?.integer } == [nil, nil, 2])
        #expect(try await makeSystem().replay(recording) == ReplayResult(events: 3, statesChecked: 4))
    }

    @Test func `a sample of a system's events has a state for each, and nothing is missing`() async throws {
        let recorder = makeRecorder()
        let system = makeSystem().attach(Middleware<Shop, Act>.record(to: recorder).sampled(every: 3))
        // More holes than are kept in mind.
        for _ in 0..<1_000 { system.send(.add("a", 1)) }
        try await recorder.close()
        let session = try #require(recording.sessions().last)
        #expect(session.problems == [] && session.steps.map(\.number) == Array(1...334))
        var walk = session.states
        let counts = session.steps.map { walk.take($0) ? walk.state?["items"]?["a"]?.integer : nil }
        #expect(counts == (0..<334).map { 3 * $0 + 1 })
    }

    @Test func `of works that overlap, states are known again from the last of them on`() async throws {
        let recorder = makeRecorder()
        let watcher = Middleware<Shop, Act>.record(to: recorder).makeWatcher(for: LoopInfo(name: nil))
        func settle(_ number: Int, _ page: String) {
            watcher.step(Step(number: number, event: .load(""), phase: .settled, state: Shop(page: page)))
        }
        watcher.step(Step(number: 0, event: nil, phase: .initial, state: Shop()))
        for number in 1...2 { watcher.taken?(number, .load(""), nil, nil) }
        settle(2, "quick")
        settle(1, "slow")
        watcher.taken?(3, .load(""), nil, nil)
        settle(3, "last")
        try await recorder.close()
        let session = try #require(recording.sessions().last)
        var walk = session.states
        #expect(session.problems == [] && session.steps.map(\.outcome) == ["finished", "finished", "finished"])
        // After both, the loop shows what the slower one led to.
        #expect(session.steps.map { walk.take($0) ? walk.state?["page"]?.text : nil } == [nil, "slow", "last"])
    }

    @Test func `a loop that reports states only has a step for each, and a replay says what is missing`() async throws {
        let recorder = makeRecorder()
        let show = Middleware<Shop, Act>.record(to: recorder).stateCallback(initialState: Shop())
        for page in ["a", "b"] { show(Shop(page: page)) }
        try await recorder.close()
        let session = try #require(recording.sessions().last)
        var walk = session.states
        #expect(session.steps.map { walk.take($0) ? walk.state?["page"]?.text : nil } == ["a", "b"] && session.problems == [])
        let error = ReplayError.lost(number: 1, reason: "the library reports no event")
        await #expect(throws: error) { try await makeSystem().replay(recording) }
    }

    private struct Reluctant: Codable, Equatable, Sendable {
        var phone = "secret", isOdd = false

        func encode(to encoder: any Encoder) throws {
            if isOdd { throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: "odd")) }
            try phone.encode(to: encoder)
        }
    }

    @Test(arguments: [[], ["/*/phone"]])
    func `the error of an encoding shows nothing where paths are hidden`(hidden: [String]) async throws {
        let recorder = makeRecorder()
        let system = System<[String: Reluctant], [String: Reluctant]>(
            initialState: [:], reducer: { (state: inout [String: Reluctant], event: [String: Reluctant]) in state = event }
        ).attach(.record(to: recorder, hiding: hidden))
        system.send(["user": Reluctant(isOdd: true)])
        try await recorder.close()
        #expect(lines.all.contains { $0.contains("secret") } == hidden.isEmpty)
        let told = lines.all.compactMap(RecordedValue.parse).compactMap { $0["unwritten"]?.text ?? $0["reason"]?.text }
        #expect(told.count == 2 && (hidden.isEmpty || told.allSatisfy { $0 == #"EncodingError at "/user""# }))
    }

    @Test func `two systems of one recorder are two recordings`() async throws {
        let recorder = makeRecorder()
        let (a, b) = (makeSystem().attach(.record(to: recorder)), makeSystem().attach(.record(to: recorder)))
        for number in 1...5 {
            a.send(.add("a", number))
            b.send(.add("b", number))
        }
        try await recorder.close()
        let sessions = recording.sessions()
        #expect(sessions.map { $0.steps.count } == [5, 5])
        #expect(sessions.map { $0.steps[0].line["event"]?["add"]?["_0"]?.text } == ["a", "b"])
        #expect(try await makeSystem().replay(recording).statesChecked == 6)
    }

    @Test(arguments: [false, true])
    func `a loop that starts over goes on in its recording, with a head of its new first state`(writesAtOnce: Bool) async throws {
        let recorder = writesAtOnce ? Recorder(to: lines, refusingWhile: Announced(false)) : makeRecorder()
        // As another library's loop is watched: its first states come as steps without an event, and nobody tells what is taken.
        let watcher = Middleware<Shop, Act>.record(to: recorder).makeWatcher(for: LoopInfo(name: nil))
        func step(_ number: Int, _ act: Act?, _ shop: Shop) {
            watcher.step(Step(number: number, event: act, phase: act == nil ? .initial : .settled, state: shop))
        }
        step(0, nil, Shop())
        step(1, .open("list"), Shop(page: "list"))
        step(1, nil, Shop())
        step(2, .add("b", 1), Shop(items: ["b": 1]))
        try await recorder.close()
        let session = try #require(recording.sessions().last)
        #expect(recording.sessions().count == 1 && session.problems == [])
        #expect(session.steps.map { $0.line["name"]?.text } == ["open", "add"], "the first states have no events")
        var walk = session.states
        let known = session.steps.map { walk.take($0) }
        #expect(known == [true, true])
        #expect(walk.state?["page"]?.text == "start" && walk.state?["items"]?["b"]?.integer == 1)
        let heads = lines.all.filter { $0.hasPrefix(#"{"recording":2"#) }.compactMap(RecordedValue.parse)
        #expect(heads.map { $0["after"]?.integer } == [0, 1])
    }

    @Test func `a head that is written while an event loads does not hide the state that the event leads to`() async throws {
        let recorder = makeRecorder()
        let watcher = Middleware<Shop, Act>.record(to: recorder).makeWatcher(for: LoopInfo(name: nil))
        watcher.step(Step(number: 0, event: nil, phase: .initial, state: Shop()))
        watcher.step(Step(number: 1, event: .load("p"), phase: .loading, state: Shop(page: "loading")))
        recorder.resume()
        watcher.step(Step(number: 1, event: .load("p"), phase: .settled, state: Shop(page: "p")))
        watcher.step(Step(number: 2, event: .add("b", 1), phase: .settled, state: Shop(page: "p", items: ["b": 1])))
        try await recorder.close()
        let session = try #require(recording.sessions().last)
        var walk = session.states
        let pages = session.steps.map { walk.take($0) ? walk.state?["page"]?.text : nil }
        #expect(pages == ["p", "p"])
    }

    @Test func `a head too long for readers is not written; the next step writes one whose state is a text`() async throws {
        let recorder = makeRecorder()
        let system = makeSystem().attach(.record(to: recorder))
        for number in 0..<80 { system.send(.add("\(number)" + String(repeating: "x", count: 14_000), 1)) }
        try await recorder.flush()
        recorder.resume()
        system.send(.open("after"))
        try await recorder.close()
        #expect(lines.all.allSatisfy { $0.utf8.count < 1 << 20 })
        let head = try #require(lines.all.last { $0.hasPrefix(#"{"recording""#) })
        #expect(head.contains(#""after":81,"#) && head.contains(#""states":"text""#))
    }

    /// Files that only note when they are erased.
    private struct ErasedFiles: TrackingSink {
        let lines: Collected<String>
        func record(_ event: StampedEvent) {}
        func flush() async throws -> FlushReceipt { FlushReceipt() }
        func erase(completion: @escaping @Sendable ((any Error)?) -> Void) {
            lines.add("erase")
            completion(nil)
        }
    }

    @Test func `lines that wait when the recordings are erased are erased with them, and later lines have a head`() async throws {
        let (recorder, gate) = makeStoppedRecorder(files: ErasedFiles(lines: lines))
        let system = makeSystem().attach(.record(to: recorder))
        await lines.until(count: 1)
        system.send(.open("before"))
        let ends = Collected<Bool>()
        recorder.erase { ends.add($0 == nil) }
        system.send(.open("after"))
        gate.signal()
        try await recorder.close()
        let parts = lines.all.split(separator: "erase", omittingEmptySubsequences: false)
        #expect(parts.count == 2 && !parts.joined().contains { $0.contains("before") })
        #expect(parts[1].contains { $0.hasPrefix(#"{"recording":2"#) && $0.contains("after") } && ends.all == [true])
        recorder.erase { ends.add($0 == nil) }
        #expect(ends.all == [true, true] && lines.all.last == "erase", "a recorder that is closed erases, too")
    }

    @Test func `what was tracked is noted with the step that led to it`() async throws {
        let recorder = makeRecorder()
        let tracker = Tracker(to: recorder)
        let system = makeSystem().attach(
            .record(to: recorder),
            .track(to: tracker) { $0.page == "start" ? nil : .event("opened", ["page": .string($0.page), "mail": .sensitive("s@x")]) })
        system.send(.add("a", 1))
        system.send(.open("list"))
        try await recorder.close()
        let line = try #require(lines.all.first { $0.hasPrefix(#"{"tracked":"opened""#) })
        #expect(line.contains(#""by":2,"session":"#) && line.contains(#""props":{"page":"list"}"#))
        #expect(!lines.all.contains { $0.contains("s@x") })
    }

    @Test func `what a system tracks is noted in its own session`() async throws {
        let recorder = makeRecorder()
        let tracker = Tracker(to: recorder)
        for name in ["shop", "cart"] {
            let system = System<Int, Int>(name: name, initialState: 0, reducer: { (sum: inout Int, more: Int) in sum += more })
            system.attach(.record(to: recorder), .track(to: tracker) { $0 == 0 ? nil : .event("\(name) \($0)", [:]) })
            system.send(1)
        }
        try await recorder.close()
        let tracked = recording.sessions().map { $0.others.compactMap { $0["tracked"]?.text }.filter { $0 != "session_started" } }
        #expect(tracked == [["shop 1"], ["cart 1"]])
    }

    @Test func `what systems of one name track at the same time is noted in the session of each`() async throws {
        let recorder = makeRecorder()
        let tracker = Tracker(to: recorder)
        let record = Middleware<Shop, Act>.record(to: recorder)
        let first = record.makeWatcher(for: LoopInfo(name: "request"))
        // Safe because the threads take turns.
        nonisolated(unsafe) let second = record.makeWatcher(for: LoopInfo(name: "request"))
        for each in [first, second] { each.step(Step(number: 0, event: nil, phase: .initial, state: Shop())) }
        // Both steps are under way, each on a thread of its own.
        first.taken?(1, .open("a"), nil, nil)
        func waitForOtherThread() {
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                second.taken?(1, .open("b"), nil, nil)
                tracker.track(TrackingEvent("of second"), system: "request")
                isDone.signal()
            }
            isDone.wait()
        }
        waitForOtherThread()
        tracker.track(TrackingEvent("of first"), system: "request")
        // A tracker with a slow sink may bring what another thread tracked.
        var random = SeededRandom(seed: 1)
        let id = EventID(milliseconds: 0, random: &random)
        recorder.record(StampedEvent(timeMilliseconds: 0, event: TrackingEvent("brought"), id: id, system: "request"))
        for each in [first, second] { each.step(Step(number: 1, event: .open(""), phase: .settled, state: Shop())) }
        tracker.track(TrackingEvent("after both"), system: "request")
        try await recorder.close()
        let tracked = recording.sessions().map { $0.others.filter { $0["by"] != nil }.compactMap { $0["tracked"]?.text } }
        #expect(tracked == [["of first"], ["of second"]])
        for name in ["brought", "after both"] {
            let line = try #require(lines.all.compactMap(RecordedValue.parse).first { $0["tracked"]?.text == name })
            #expect(line["id"] == nil && line["by"] == nil, "nobody knows which of the two it was")
        }
    }

    @Test func `what work leads to is noted with its event, whether the recorder is attached first or last`() async throws {
        let recorder = makeRecorder()
        let tracker = Tracker(to: recorder)
        func track() -> Middleware<Shop, Act> { .track(to: tracker) { $0.page == "start" ? nil : .event($0.page, [:]) } }
        let (first, second) = (makeSystem(), makeSystem())
        first.attach(.record(to: recorder), track())
        second.attach(track(), .record(to: recorder))
        first.send(.load("a"))
        second.send(.load("b"))
        await first.settled()
        await second.settled()
        try await recorder.close()
        let tracked = recording.sessions().map { session in
            session.others.filter { $0["by"]?.integer == 1 }.compactMap { $0["tracked"]?.text }.filter { $0 != "session_started" }
        }
        #expect(tracked == [["loading", "a"], ["loading", "b"]])
    }

    @Test func `an event that waited for consent names no step`() async throws {
        let recorder = makeRecorder()
        let tracker = Tracker(to: recorder, consent: .pending)
        let system = makeSystem().attach(
            .record(to: recorder), .track(to: tracker) { $0.page == "start" ? nil : .event("opened", ["page": .string($0.page)]) })
        system.send(.open("a"))
        system.send(.add("x", 1))
        tracker.setConsent(.granted)
        system.send(.open("b"))
        try await recorder.close()
        let tracked = try #require(recording.sessions().last).others.filter { $0["tracked"]?.text == "opened" }
        #expect(tracked.map { $0["by"]?.integer } == [nil, 3])
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `the session before is the one that began last, whatever its writer's name`(seed: UInt64) async throws {
        let folder = testFolders + "looptrail-recording-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var random = SeededRandom(seed: seed)
        func begin(at time: Int64) throws -> Recorder {
            try Recorder(folder: folder, clock: WallClock { time }, random: SeededRandom(seed: random.next()))
        }
        for time in [1_000, 3_000, 2_000] as [Int64] {
            let recorder = try begin(at: time)
            makeSystem().attach(.record(to: recorder)).send(.open("list"))
            try await recorder.flush()
            let whileRecorded = try Recording.previous(in: folder)
            #expect(whileRecorded == nil, "a session that is still recorded is not the one before, and those before it were closed")
            // Without its locks it looks like one that was killed.
            try await recorder.suspend()
            let previous = try Recording.previous(in: folder)
            #expect(previous?.sessions().last?.time == (time == 2_000 ? nil : Int(time)), "the last session of all was closed")
            recorder.resume()
            try await recorder.close()
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `of two recorders, the one whose last session began last counts`(seed: UInt64) async throws {
        let folder = testFolders + "looptrail-recording-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var random = SeededRandom(seed: seed)
        let now = Announced<Int64>(1)
        func begin() throws -> Recorder {
            try Recorder(folder: folder, clock: WallClock { now.value }, random: SeededRandom(seed: random.next()))
        }
        let killed = try begin()
        makeSystem().attach(.record(to: killed)).send(.open("first"))
        try await killed.flush()
        now.change { $0 = 50 }
        let closed = try begin()
        makeSystem().attach(.record(to: closed)).send(.open("other"))
        try await closed.close()
        now.change { $0 = 70 }
        makeSystem().attach(.record(to: killed)).send(.open("last"))
        // What a later version wrote cannot be read, and hides nothing.
        let later = try LogFileWriter(
            folder: folder, stem: Recorder.stem, clock: WallClock { now.value }, random: SeededRandom(seed: random.next()))
        later.writer.record(line: #"{"recording":3,"id":"x","t_ms":90}"#)
        later.writer.record(line: #"{"ended":"closed","t_ms":91}"#)
        try await later.writer.close()
        // Without its locks it looks like one that was killed.
        try await killed.suspend()
        #expect(try Recording.previous(in: folder)?.sessions().map(\.time) == [1, 70])
        killed.resume()
        try await killed.close()
    }

    @Test func `the first system of a recorder gets its head again, however many came after it`() async throws {
        let recorder = makeRecorder()
        let system = makeSystem().attach(.record(to: recorder))
        for _ in 0..<1_100 { _ = makeSystem().attach(.record(to: recorder)) }
        system.send(.open("list"))
        try await recorder.flush()
        let before = lines.all.count
        recorder.resume()
        try await recorder.close()
        #expect(lines.all[before...].contains { $0.hasPrefix(#"{"recording":2"#) && $0.contains(#""after":1,"#) && !$0.contains("beside") })
    }

    @Test func `a recording goes on after suspensions, and each of its events is read`() async throws {
        let folder = testFolders + "looptrail-recording-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let recorder = try Recorder(folder: folder)
        let system = makeSystem().attach(.record(to: recorder))
        // A sheet that was closed.
        makeSystem().attach(.record(to: recorder)).send(.open("sheet"))
        system.send(.open("list"))
        try await recorder.suspend()
        system.send(.open("while suspended"))
        recorder.resume()
        system.send(.open("after"))
        // As if the process were killed here.
        try await recorder.suspend()
        let previous = try #require(try Recording.previous(in: folder))
        #expect(previous.sessions().map { $0.steps.map(\.number) } == [[1, 2, 3], [1]])
        recorder.resume()
        try await recorder.close()
        let read = try Recording(contentsOf: folder)
        #expect(read.sessions().map { $0.steps.map(\.number) } == [[1, 2, 3], [1]])
        #expect(read.sessions().map(\.ended) == ["closed", "closed"])
    }

    @Test func `the session before is whole, although another recorder was at work while it was suspended`() async throws {
        let folder = testFolders + "looptrail-recording-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let now = Announced<Int64>(1)
        func begin(_ seed: UInt64) throws -> Recorder {
            try Recorder(folder: folder, clock: WallClock { now.value }, random: SeededRandom(seed: seed))
        }
        let app = try begin(1)
        let system = makeSystem().attach(.record(to: app))
        system.send(.open("first"))
        try await app.suspend()
        for seed in 2...3 as ClosedRange<UInt64> {
            now.change { $0 += 10 }
            let widget = try begin(seed)
            makeSystem().attach(.record(to: widget)).send(.open("other"))
            try await widget.close()
        }
        now.change { $0 += 10 }
        app.resume()
        system.send(.open("last"))
        // Without its locks it looks like one that was killed.
        try await app.suspend()
        let previous = try #require(try Recording.previous(in: folder))
        #expect(previous.sessions().map { $0.steps.map(\.number) } == [[1, 2]])
        app.resume()
        try await app.close()
    }

    @Test func `a copy of a folder is read with the copy of its ring, and a damaged ring is told`() async throws {
        let (folder, copy) = (testFolders + "looptrail-recording-\(UUID().uuidString)", testFolders + "looptrail-copy-\(UUID().uuidString)")
        defer { for path in [folder, copy] { try? FileManager.default.removeItem(atPath: path) } }
        let recorder = try Recorder(folder: folder)
        let system = makeSystem().attach(.record(to: recorder))
        system.send(.open("list"))
        try await recorder.flush()
        // Now there is a ring, which an event enters at once.
        system.send(.open("detail"))
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        // The ring first: a line that leaves it meanwhile is then in both.
        for ending in [".ring", ".open"] {
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(ending) })
            try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(copy)/\(name)")
        }
        let inspected = try InspectedRecording(paths: [copy])
        #expect(inspected.problems == [] && inspected.sessions.last?.steps.map(\.number) == [1, 2])
        #expect(try Recording.previous(in: copy)?.sessions().last?.steps.map(\.number) == [1, 2])
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: copy).first { $0.hasSuffix(".ring") })
        let ring = "\(copy)/\(name)"
        try Data("no ring".utf8).write(to: URL(fileURLWithPath: ring))
        #expect(try InspectedRecording(paths: [copy]).problems == ["\(ring) cannot be read"])
        try await recorder.close()
    }

    @Test func `a recording in files is read while it is written, after its end, and as the session before`() async throws {
        let folder = testFolders + "looptrail-recording-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try Recording.previous(in: folder) == nil)
        let recorder = try Recorder(folder: folder, app: ["name": "Shop"])
        let system = makeSystem().attach(.record(to: recorder))
        system.send(.open("list"))
        try await recorder.flush()
        // Now there is a ring, which an event enters at once.
        system.send(.open("detail"))
        let early = try Recording(contentsOf: folder)
        #expect(early.sessions().last?.steps.map(\.number) == [1, 2])
        try await recorder.flush()
        #expect(try Recording.previous(in: folder) == nil)
        // Without its locks it looks like one that was killed.
        try await recorder.suspend()
        let open = try #require(try Recording.previous(in: folder))
        #expect(open.sessions().last?.steps.last?.outcome == "finished")
        recorder.resume()
        try await recorder.close()
        #expect(try Recording.previous(in: folder) == nil)
        let read = try Recording(contentsOf: folder)
        #expect(try await makeSystem().replay(read).events == 2)
        // The text of a recording is a recording again.
        #expect(try await makeSystem().replay(Recording(read.text)).events == 2)
    }
}

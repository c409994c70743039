import Foundation
import LoopCore
import LoopLogging
import Testing
import TrackingEvents

@MainActor @Suite struct FormatTests {
    let book = Book()
    let lines = Lines()

    private func step(
        _ phase: StepPhase = .settled, outcome: Outcome? = .finished, previous: Page? = .start,
        timed: Bool = true, isReplay: Bool = false
    ) -> Step<Page, Move> {
        Step(
            number: 7, event: phase == .initial ? nil : .load("a"), phase: phase, state: .loaded("a"), previousState: previous,
            timing: timed ? StepTiming(startedAt: 1, queueWait: 40, reduce: 310, effect: 12_300_000, bindings: 2_100) : nil,
            origin: SendOrigin(fileID: "Shop/Cart.swift", line: 42), outcome: outcome, isReplay: isReplay)
    }

    @Test func `changes shows only what differs`() {
        let system = book.open(.counting(1)).attach(.log(.changes, to: lines.output))
        system.send(.count, fileID: "Shop/Cart.swift", line: 3)
        system.send(.tick, fileID: "Shop/Cart.swift", line: 4)
        #expect(
            lines.all == [
                "#0 initial → counting(1)", "#1 Shop/Cart.swift:3 count: counting: 1 → 2 in 40 ns",
                "#2 Shop/Cart.swift:4 tick: no change in 40 ns",
            ])
    }

    @Test func `changes shows loading and failed steps, too`() async {
        let system = book.open().attach(.log(LogOptions(.changes(timing: false)), to: lines.output))
        system.send(.load("a"), fileID: "S/C.swift", line: 1)
        system.send(.fail("no"), fileID: "S/C.swift", line: 2)
        await system.settled()
        #expect(
            lines.all.dropFirst() == [
                #"#1 S/C.swift:1 load("a") loading: start → loading"#, #"#1 S/C.swift:1 load("a"): loading → loaded("a")"#,
                #"#2 S/C.swift:2 fail("no") failed: no: no change"#,
            ])
    }

    @Test func `changes shows so many and counts the others`() {
        let format = LogFormat<[Int], Void>.changes(timing: false, max: 1)
        let step = Step<[Int], Void>(number: 1, event: nil, phase: .settled, state: [5, 6, 7], previousState: [1, 2, 3])
        #expect(format.text(of: LogRecord(step)) == "#1: [0]: 1 → 5, … 2 more")
    }

    @Test func `full shows all there is`() {
        #expect(
            LogFormat.full.text(of: LogRecord(step()))
                == #"#7 Shop/Cart.swift:42 load("a") | before: start | after: loaded("a") | waited 40 ns, reduce 310 ns, effect 12.3 ms, bindings 2.10 µs"#
        )
        #expect(
            LogFormat.full.text(of: LogRecord(step(.initial, previous: nil, timed: false)))
                == #"#7 Shop/Cart.swift:42 initial | after: loaded("a")"#)
    }

    @Test func `each format asks for what it shows`() {
        #expect(LogFormat<Page, Move>.changes.needs == [.previousState, .timing])
        #expect(LogFormat<Page, Move>.changes(timing: false).needs == .previousState)
        #expect(LogFormat<Page, Move>.full.needs == [.previousState, .timing])
        #expect(LogFormat<Page, Move>.json.needs == .timing)
        #expect(LogFormat<Page, Move>.json(changes: true).needs == [.previousState, .timing])
    }

    @Test(arguments: [LogFormat<Page, Move>.compact, .changes, .full])
    func `a replayed step is marked`(format: LogFormat<Page, Move>) {
        #expect(format.text(of: LogRecord(step(isReplay: true))).hasPrefix("replay #7 "))
        #expect(!format.text(of: LogRecord(step())).contains("replay"))
    }

    @Test(arguments: [LogFormat<Page, Move>.compact, .changes, .full])
    func `the system's name stands before the number, as data like any other`(format: LogFormat<Page, Move>) {
        #expect(format.text(of: LogRecord(step(), system: "stock")) == "stock " + format.text(of: LogRecord(step())))
        let replayed = format.text(of: LogRecord(step(isReplay: true), system: "stock", level: .notice, time: .zero))
        #expect(replayed.hasPrefix("1970-01-01T00:00:00.000Z [notice] replay stock #7 "))
        #expect(format.text(of: LogRecord(step(), system: "a\nb")).hasPrefix(#"a\nb #7 "#))
    }

    @Test func `json has the system's name as its last key`() {
        let unnamed = LogFormat.json.text(of: LogRecord(step()))
        #expect(LogFormat.json.text(of: LogRecord(step(), system: "stock")) == String(unnamed.dropLast()) + #","system":"stock"}"#)
    }

    private func object(_ line: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func `json is one object a line with what the step has`() throws {
        let object = try object(LogFormat.json.text(of: LogRecord(step())))
        #expect(
            NSDictionary(dictionary: object) == [
                "number": 7, "phase": "settled", "outcome": "finished", "origin": "Shop/Cart.swift:42", "event": "load",
                "value": #"load("a")"#, "state": #"loaded("a")"#, "wait_ns": 40, "reduce_ns": 310, "effect_ns": 12_300_000,
                "bindings_ns": 2_100,
            ])
    }

    @Test func `json leaves out what there is not`() throws {
        let initial = try object(LogFormat.json.text(of: LogRecord(step(.initial, timed: false))))
        #expect(Set(initial.keys) == ["number", "phase", "outcome", "origin", "state"])
        let loading = try object(LogFormat.json.text(of: LogRecord(step(.loading, outcome: nil, timed: false))))
        #expect(loading["outcome"] == nil && loading["phase"] as? String == "loading")
        #expect(try object(LogFormat.json.text(of: LogRecord(step(isReplay: true))))["replay"] as? Bool == true)
        let failed = try object(LogFormat.json.text(of: LogRecord(step(outcome: .failed(Broken(description: "no \"net\""))))))
        #expect(failed["outcome"] as? String == "failed")
        #expect(failed["error"] as? String == "no \"net\"")
        #expect(try object(LogFormat.json.text(of: LogRecord(step(outcome: .cancelled))))["outcome"] as? String == "cancelled")
    }

    @Test func `json with the changes in place of the state`() throws {
        let step = Step<[String: Int], Void>(
            number: 1, event: nil, phase: .settled, state: ["a": 2, "b": 1], previousState: ["a": 1, "c": 1])
        let object = try object(LogFormat.json(changes: true).text(of: LogRecord(step)))
        #expect(
            NSArray(array: try #require(object["changes"] as? [Any])) == [
                ["path": #"["a"]"#, "old": "1", "new": "2"], ["path": #"["b"]"#, "new": "1"], ["path": #"["c"]"#, "old": "1"],
            ])
        #expect(object["state"] == nil && object["more"] == nil && object["complete"] == nil)
        let many = Step<[Int], Void>(number: 1, event: nil, phase: .settled, state: Array(0..<100), previousState: [])
        #expect(try self.object(LogFormat.json(changes: true).text(of: LogRecord(many)))["more"] as? Int == 100 - 16)
    }

    @Test func `json has time and level if the log was given a clock and levels`() throws {
        let system = book.open().attach(
            .log(LogOptions(.json, levels: LogLevels { _ in .notice }, clock: WallClock { 1_753_000_000_123 }), to: lines.output))
        system.send(.tick)
        let object = try object(try #require(lines.all.last))
        #expect(object["t_ms"] as? Int == 1_753_000_000_123)
        #expect(object["level"] as? String == "notice")
    }
}

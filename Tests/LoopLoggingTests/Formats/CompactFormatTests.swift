import LoopCore
import LoopLogging
import LoopMigration
import Testing

@MainActor @Suite struct CompactFormatTests {
    let book = Book()
    let lines = Lines()

    @Test func `shows number, origin, event, state and time of a step`() {
        let system = book.open().attach(.log(to: lines.output))
        system.send(.leave)
        let line = #line - 1
        #expect(lines.all == ["#0 initial → start", "#1 \(here)/CompactFormatTests.swift:\(line) leave → start in 40 ns"])
    }

    @Test func `shows loading and settled steps of one event`() async {
        let system = book.open().attach(.log(to: lines.output))
        system.send(.load("a1"), fileID: "Shop/Cart.swift", line: 42)
        await system.settled()
        #expect(
            lines.all == [
                "#0 initial → start",
                #"#1 Shop/Cart.swift:42 load("a1") loading → loading"#,
                #"#1 Shop/Cart.swift:42 load("a1") → loaded("a1") in 2.00 ms"#,
            ])
    }

    @Test func `shows the error of a failed step`() async {
        let system = book.open().attach(.log(to: lines.output))
        system.send(.fail("no\nnetwork"), fileID: "Shop/Cart.swift", line: 7)
        await system.settled()
        #expect(lines.all.last == #"#1 Shop/Cart.swift:7 fail("no\nnetwork") failed: no\nnetwork → start in 40 ns"#)
    }

    @Test func `shows a feedback's effect that failed, which belongs to no event`() async {
        struct Broken: Error {}
        let system = System<Int, Int>(
            initialState: 0, feedbacks: [.onEachEvent { _, _ in .run { throw Broken() } }],
            reducer: { (state: inout Int, event: Int) in state += event }
        ).attach(.log(LogOptions(.compact(timing: false)), to: lines.output))
        system.send(5, fileID: "S/C.swift", line: 1)
        await system.settled()
        #expect(lines.all.prefix(2) == ["#0 initial → 0", "#1 S/C.swift:1 Int 5 → 5"])
        #expect(lines.all.count == 3 && lines.all[2].contains("effect failed: Broken"))
    }

    @Test func `shows a cancelled step`() {
        let system = book.open().attach(.log(to: lines.output))
        system.send(.wait, fileID: "Shop/Cart.swift", line: 7)
        system.stop()
        #expect(lines.all.last == "#1 Shop/Cart.swift:7 wait cancelled → start in 40 ns")
    }

    @Test func `shows no time unless it asked for it, whatever another middleware asks for`() {
        let system = book.open().attach(.log(LogOptions(.compact(timing: false)), to: lines.output), Middleware(needs: .timing) { _ in })
        system.send(.leave, fileID: "S/C.swift", line: 1)
        #expect(lines.all.last == "#1 S/C.swift:1 leave → start")
    }

    @Test func `asks for timing only if it shows it`() {
        #expect(Middleware<Page, Move>.log(to: lines.output).needs == .timing)
        #expect(Middleware<Page, Move>.log(LogOptions(.compact(timing: false)), to: lines.output).needs == [])
    }

    @Test func `shows what a foreign callback knows and no more`() {
        let tell = Middleware<Page, Move>.log(to: lines.output).stateCallback(initialState: .start)
        tell(.loading)
        #expect(lines.all == ["#0 initial → start", "#1 → loading"])
    }

    @Test func `is the same for a step made by hand`() {
        let step = Step<Page, Move>(
            number: 3, event: .tick, phase: .settled, state: .start,
            timing: StepTiming(startedAt: 0, queueWait: 900, reduce: 30, effect: 500, bindings: 70),
            origin: SendOrigin(fileID: "A/B.swift", line: 9))
        #expect(LogFormat<Page, Move>.compact.text(of: LogRecord(step)) == "#3 A/B.swift:9 tick → start in 600 ns")
    }

    @Test func `every step is one line, whatever the values hold`() async {
        let system = book.open().attach(.log(to: lines.output))
        for text in ["a\nb", "\r\n", "\u{2028}", "\u{1B}[2J", "\0"] { system.send(.load(text)) }
        system.send(.fail("x\ny"))
        await system.settled()
        #expect(lines.all.count == 12)
        for line in lines.all {
            #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{2028}" })
        }
    }
}

@Suite struct LogValuesTests {
    private struct Tapped { var x = 1 }
    private struct Talking: CustomStringConvertible, NamedEvent {
        var eventName: String { "tapped" }
        var description: String { "at 3, 4" }
    }
    private enum Odd: CustomStringConvertible {
        case first(Int)
        var description: String { "something else" }
    }

    private func values<Event>(_: Event.Type) -> LogValues<Int, Event> { LogValues() }

    @Test func `an enum's case begins its description`() {
        #expect(values(Move.self).text(ofEvent: .load("a")) == #"load("a")"#)
        #expect(values(Move.self).text(ofEvent: .leave) == "leave")
    }

    @Test func `a struct's type begins its description`() {
        #expect(values(Tapped.self).text(ofEvent: Tapped()) == "Tapped(x: 1)")
        #expect(values(Any.self).text(ofEvent: Tapped()) == "Tapped(x: 1)")
    }

    @Test func `a description without the name has the name before it`() {
        #expect(values(Talking.self).text(ofEvent: Talking()) == "tapped at 3, 4")
        #expect(values(Odd.self).text(ofEvent: .first(1)) == "first something else")
    }

    @Test(arguments: [0, 1, 10, 255, 256, 257]) func `values are cut at 256 characters`(count: Int) {
        let values = LogValues<String, Move>()
        let text = String(repeating: "x", count: count)
        #expect(values.text(ofState: text) == (count <= 256 ? text : String(repeating: "x", count: 256) + "…"))
        #expect(values.text(ofError: Broken(description: text)) == values.text(ofState: text))
    }

    @Test func `the limit is the user's`() {
        let values = LogValues<[Int], Move>(limit: 5)
        #expect(values.text(ofState: [1, 2, 3]) == "[1, 2…")
        #expect(values.text(ofEvent: .load("abcdef")) == "load(…")
        #expect(values.text(ofEvent: .leave) == "leave")
    }

    @Test func `describing closures replace the values' own descriptions`() {
        let values = LogValues<Int, Move>(event: { _ in "secret" }, state: { "\($0) things" })
        #expect(values.text(ofState: 3) == "3 things")
        #expect(values.text(ofEvent: .load("token")) == "load secret")
    }

    @Test func `an event described as nothing is its name`() {
        #expect(LogValues<Int, Move>(event: { _ in "" }).text(ofEvent: .load("token")) == "load")
    }

    @Test func `what a closure returns is cut and escaped like any other value`() {
        let values = LogValues<Int, Move>(limit: 6, event: { _ in "a\u{1B}\nb%d%s" }, state: { _ in "\r12345678" })
        #expect(values.text(ofState: 1) == "\\r12345…")
        #expect(values.text(ofEvent: .leave) == "leave a\\u{1B}\\nb%d…")
    }

    @Test func `values are never taken for a format`() {
        #expect(values(Move.self).text(ofEvent: .load("%s%n%@ \\(x)")) == #"load("%s%n%@ \\(x)")"#)
    }
}

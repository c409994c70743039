import LoopCore
import LoopLogging
import Testing

@MainActor @Suite struct LogFilterTests {
    let book = Book()
    let lines = Lines()

    private func numbers() -> [Substring] { lines.all.map { $0.prefix { $0 != " " } } }

    private func run(
        only: LogFilter<Page, Move>? = nil, except: LogFilter<Page, Move>? = nil, every: Int = 1, _ moves: [Move]
    ) async -> [Substring] {
        let system = book.open().attach(.log(LogOptions(only: only, except: except, every: every), to: lines.output))
        for move in moves { system.send(move) }
        await system.settled()
        return numbers()
    }

    @Test func `everything is logged without a filter`() async {
        #expect(await run([.tick, .leave, .load("a")]) == ["#0", "#1", "#2", "#3", "#3"])
    }

    @Test func `only the events of the names that are given`() async {
        #expect(await run(only: ["load", "leave"], [.tick, .load("a"), .tick, .leave, .count]) == ["#2", "#2", "#4"])
    }

    @Test func `all but the events of the names that are given; the initial step is none of them`() async {
        #expect(await run(except: ["tick", "count"], [.tick, .leave, .count, .leave]) == ["#0", "#2", "#4"])
    }

    @Test func `a filter takes names from a set`() async {
        let names: Set<String> = ["tick"]
        #expect(await run(only: .events(names), [.tick, .leave]) == ["#1"])
    }

    @Test func `an empty list of names lets nothing through, or leaves nothing out`() async {
        #expect(await run(only: [], [.tick, .leave]).isEmpty)
        #expect(await run(except: [], [.tick]) == ["#0", "#1"])
    }

    @Test func `the steps that a closure picks`() async {
        let failed = LogFilter<Page, Move>.steps { $0.outcome?.error != nil }
        #expect(await run(only: failed, [.tick, .fail("x"), .leave]) == ["#2"])
    }

    @Test func `except wins over only`() async {
        #expect(await run(only: ["tick", "leave"], except: .steps { $0.number == 3 }, [.tick, .leave, .leave, .count]) == ["#1", "#2"])
    }

    @Test(arguments: [
        (1, ["#0", "#1", "#2", "#3", "#4", "#5", "#6", "#7"]), (2, ["#0", "#1", "#3", "#5", "#7"]), (3, ["#0", "#1", "#4", "#7"]),
        (100, ["#0", "#1"]), (0, ["#0", "#1", "#2", "#3", "#4", "#5", "#6", "#7"]), (-4, ["#0", "#1", "#2", "#3", "#4", "#5", "#6", "#7"]),
    ])
    func `every n-th event beginning with the first`(every: Int, logged: [String]) async {
        #expect(await run(every: every, Array(repeating: .tick, count: 7)).map(String.init) == logged)
    }

    @Test func `every n-th of the events that the other filters leave`() async {
        #expect(await run(only: ["tick"], every: 2, [.tick, .leave, .tick, .leave, .tick, .tick]) == ["#1", "#5"])
    }

    @Test func `the loading and the settled step of an event are logged both or not at all`() async {
        #expect(await run(every: 2, [.load("a"), .load("b"), .load("c")]) == ["#0", "#1", "#1", "#3", "#3"])
    }

    @Test func `each attachment counts for itself`() {
        let log = Middleware<Page, Move>.log(LogOptions(every: 2), to: lines.output)
        let first = book.open().attach(log)
        let second = book.open().attach(log)
        first.send(.tick)
        second.send(.tick)
        #expect(numbers() == ["#0", "#0", "#1", "#1"])
    }

    @Test func `nothing is formatted for a step that is not logged`() {
        let described = Kept()
        let values = LogValues<Page, Move>(
            event: { _ in
                described.append("")
                return ""
            },
            state: { _ in
                described.append("")
                return ""
            })
        let system = book.open().attach(.log(LogOptions(values: values, only: ["leave"]), to: lines.output))
        for _ in 0..<5 { system.send(.tick) }
        #expect(described.all.count == 0)
        system.send(.leave)
        #expect(described.all.count == 2)
        #expect(lines.all.count == 1)
    }
}

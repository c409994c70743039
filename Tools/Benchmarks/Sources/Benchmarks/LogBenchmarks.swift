import LoopCore
import LoopLogging

/// What a log costs the loop, in processor time of the loop's thread. The logs take turns.
actor LogBenchmarks {
    /// Ten fields, none of which has fields of its own.
    struct Plain: Sendable {
        var query = "shoes"
        var page = 1
        var isLoading = false
        var count = 0
        var price = 9.5
        var user: String? = "u1"
        var sort = "price"
        var isSignedIn = true
        var zoom = 1.25
        var attempts = 3
    }

    /// A list of structures, so that each change lies deeper in the state.
    struct Todos: Sendable {
        struct Item: Sendable {
            var title: String
            var isDone = false
        }

        var items = (1...5).map { Item(title: "thing \($0)") }
        var filter = "all"
        var count = 0
    }

    enum Event: Sendable { case up(Int) }

    private let events: Int
    private let rounds: Int

    init(events: Int, rounds: Int) {
        self.events = events
        self.rounds = rounds
    }

    private func seconds<State>(_ initialState: State, _ reduce: @escaping (inout State, Event) -> Void, _ log: Middleware<State, Event>?)
        -> Double
    {
        let system = System(initialState: initialState, reducer: reduce)
        if let log { system.attach(log) }
        let start = threadProcessorSeconds()
        for number in 0..<events { system.send(.up(number)) }
        return threadProcessorSeconds() - start
    }

    /// Each log beside the same loop without one. The text of a step is thrown away.
    private func rows<State: Sendable>(
        _ name: String, _ initialState: State, _ reduce: @escaping (inout State, Event) -> Void
    ) throws -> [Measurement] {
        let thread = LogThread(to: .closure { _ in })
        let logs: [(String, Middleware<State, Event>?)] = [
            ("no log", nil), ("`.compact`", .log(.compact, to: .closure { _ in })), ("`.changes`", .log(.changes, to: .closure { _ in })),
            ("`.changes` on a thread of its own", .log(.changes, on: thread)),
        ]
        var seconds = [[Double]](repeating: [], count: logs.count)
        for round in 0...rounds {
            for (place, log) in logs.enumerated() {
                let own = self.seconds(initialState, reduce, log.1)
                if round > 0 { seconds[place].append(own) }
            }
        }
        return zip(logs, seconds).map { Measurement(name: "\(name): \($0.0)", events: events, seconds: $1) }
    }

    func run() async throws {
        let plain = try rows("ten plain fields", Plain()) { state, event in if case .up(let number) = event { state.count = number } }
        let todos = try rows("a list of five things to do", Todos()) { state, event in
            if case .up(let number) = event { state.items[number % 5].isDone.toggle() }
        }
        for rows in [plain, todos] {
            var table = Table(
                "**What a log costs**, \(thousands(Double(events))) events, processor time of the loop's thread", comparedWith: "no log")
            for row in rows { table.add(row) }
            table.show()
        }
        for row in [plain[1], plain[2]] {
            let own = row.nanosecondsPerEvent - plain[0].nanosecondsPerEvent
            await judge("\(row.name) takes \(fixed(own)) ns a step", target: "at most 3,000.0 ns beside the loop", isMet: own <= 3_000)
        }
    }
}

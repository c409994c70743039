import LoopCore
import LoopLogging
import Testing

@MainActor @Suite struct LogLevelTests {
    let book = Book()

    /// The lines and levels that an output was given.
    final class Seen {
        var lines: [String] = []
        func output(from level: LogLevel = .trace) -> LogOutput {
            LogOutput(isWanted: { $0 >= level }, writing: { self.lines.append("\($1): \($0)") })
        }
    }

    private let terse = LogFormat<Page, Move> { record, _ in "\(record.step.number)\(record.level.map { " \($0)" } ?? "")" }
    private let levels = LogLevels<Page, Move> { step in
        switch step.event {
        case .tick: .trace
        case .leave: .warning
        case .count: nil
        default: .info
        }
    }

    @Test func `each event has the level that the closure returns, and is not logged for nil`() {
        let seen = Seen()
        let system = book.open().attach(.log(LogOptions(terse, levels: levels), to: seen.output()))
        for move in [Move.tick, .leave, .count] { system.send(move) }
        #expect(seen.lines == ["info: 0 info", "trace: 1 trace", "warning: 2 warning"])
    }

    @Test func `a line begins with the level where levels were given`() {
        let lines = Lines()
        let system = book.open().attach(.log(LogOptions(.compact(timing: false), levels: levels), to: lines.output))
        system.send(.leave, fileID: "S/C.swift", line: 1)
        #expect(lines.all.last == "[warning] #1 S/C.swift:1 leave → start")
    }

    @Test func `without levels a failed step is an error to outputs that want to know`() async {
        let seen = Seen()
        let system = book.open().attach(.log(LogOptions(terse), to: seen.output()))
        system.send(.fail("no"))
        await system.settled()
        #expect(seen.lines == ["info: 0", "error: 1"])
    }

    @Test func `nothing is formatted below the level of the log or of the output`() {
        var asked: [Int] = []
        let seen = Seen()
        let format = LogFormat<Page, Move> { record, _ in "\(record.step.number)" }
        let values = levels
        let system = book.open().attach(
            .log(
                LogOptions(
                    format,
                    levels: LogLevels(atLeast: .info) { step in
                        asked.append(step.number)
                        return step.event.map { if case .tick = $0 { .debug } else { .warning } } ?? .info
                    }), to: seen.output(from: .warning)))
        for move in [Move.tick, .leave] { system.send(move) }
        #expect(asked == [0, 1, 2])
        #expect(seen.lines == ["warning: 2"])
        withExtendedLifetime(values) {}
    }

    @Test func `levels are in the order of their weight`() {
        #expect(LogLevel.allCases == LogLevel.allCases.sorted())
        #expect(LogLevel.allCases.map { "\($0)" } == ["trace", "debug", "info", "notice", "warning", "error", "critical"])
        #expect(LogLevel.trace < .debug && .error < LogLevel.critical)
    }
}

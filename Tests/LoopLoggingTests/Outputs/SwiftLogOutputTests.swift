#if SwiftLog
import Logging
import LoopCore
import LoopLogging
import Testing

/// The real swift-log with a handler of the test's own.
@MainActor @Suite struct SwiftLogOutputTests {
    struct Handler: LogHandler {
        let kept: Kept
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        init(kept: Kept, level: Logger.Level) {
            self.kept = kept
            logLevel = level
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let system = event.metadata?["system"].map { " of \($0)" } ?? ""
            kept.append("\(event.source)\(system) \(event.level): \(event.message)")
        }
    }

    private nonisolated func logger(_ kept: Kept, _ level: Logger.Level = .trace) -> Logger {
        Logger(label: "shop") { _ in Handler(kept: kept, level: level) }
    }

    @Test func `lines are messages of their level`() async {
        let kept = Kept()
        let format = LogFormat<Page, Move> { record, _ in "\(record.step.number)" }
        let levels = LogLevels<Page, Move> { step in
            LogLevel.allCases[step.number % LogLevel.allCases.count]
        }
        let system = Book().open().attach(.log(LogOptions(format, levels: levels), to: .logger(logger(kept))))
        for _ in 1..<LogLevel.allCases.count { system.send(.tick) }
        #expect(kept.all == LogLevel.allCases.enumerated().map { "LoopLogging \($1): \($0)" })
    }

    @Test func `the system's name is in the metadata, whatever the format`() async {
        let kept = Kept()
        let thread = LogThread(to: .logger(logger(kept)))
        let terse = LogFormat<Int, Int> { record, _ in "\(record.step.state)" }
        let system = System(name: "stock", initialState: 1, reducer: { (sum: inout Int, more: Int) in sum += more })
        system.attach(.log(LogOptions(terse), to: .logger(logger(kept))), .log(LogOptions(terse), on: thread))
        await thread.close()
        #expect(kept.all == ["LoopLogging of stock info: 1", "LoopLogging of stock info: 1"])
    }

    @Test func `nothing is formatted below the logger's level`() async {
        let kept = Kept()
        let made = Kept()
        let format = LogFormat<Page, Move> { record, _ in
            let step = record.step
            made.append("\(step.number)")
            return "\(step.number)"
        }
        let system = Book().open().attach(.log(LogOptions(format), to: .logger(logger(kept, .error))))
        system.send(.tick)
        system.send(.fail("no"))
        await system.settled()
        #expect(kept.all == ["LoopLogging error: 2"])
        #expect(made.all == ["2"])
    }

    @Test func `a logger on a thread gets hostile and sensitive values escaped and masked`() async {
        struct Login: Sendable {
            @Sensitive var password: String
            var name: String
        }
        let kept = Kept()
        let thread = LogThread(to: .logger(logger(kept)))
        let system = System<Int, Login>(
            initialState: 0, reducer: { (count: inout Int, _: Login) in count += 1 }
        )
        .attach(.log(.json, on: thread))
        system.send(Login(password: "geheim", name: "\n\u{1B}[2J"))
        await thread.close()
        #expect(kept.all.count == 2)
        #expect(
            kept.all.allSatisfy {
                !$0.contains("geheim") && !$0.contains("\n") && !$0.contains("\u{1B}")
            })
    }
}
#endif

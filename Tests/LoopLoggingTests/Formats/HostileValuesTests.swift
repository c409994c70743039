import EventFiles
import Foundation
import LoopCore
import LoopLogFiles
import LoopLogging
import Testing

/// What must hold of every format on every output: a step is one line, nothing in it moves the cursor, and no sensitive value is in it.
@Suite struct HostileValuesTests {
    struct Login: Sendable {
        var user: String
        @Sensitive var password: String
    }

    struct Account: Sendable, Equatable {
        var name: String
        @Sensitive var card: String
        var notes: [String: String] = [:]
    }

    struct Refused: Error { let key: Sensitive<String>, text: String }
    enum Act: Sendable { case login(Login), note(String), fail(String) }

    static let secret = "s3cr3t-"
    static let evil = "\n\r\t\u{1B}[2J\u{0}\u{85}\u{202E}\u{2066}\u{2028}\"\\%s%n"

    static let formats: [(name: String, format: LogFormat<Account, Act>)] = [
        ("compact", .compact), ("changes", .changes), ("full", .full), ("json", .json), ("json changes", .json(changes: true)),
    ]

    enum Way: String, CaseIterable { case closure, descriptor, files, thread, memory }

    /// A session in which everything is hostile. The test sees the system only through its log.
    @MainActor private func run(_ log: Middleware<Account, Act>) async {
        let system = System(
            initialState: Account(name: Self.evil, card: Self.secret + "0"),
            next: { (account: Account, act: Act) -> Next<Account> in
                var account = account
                switch act {
                case .login(let login):
                    account.card = Self.secret + "1"
                    account.name = login.user
                case .note(let text): account.notes[text] = text
                case .fail(let text): return .run { throw Refused(key: Sensitive(Self.secret + "2"), text: text) }
                }
                return .state(account)
            }
        ).attach(log)
        system.send(.login(Login(user: Self.evil, password: Self.secret + "3")), fileID: "A/\n.swift", line: 1)
        system.send(.note(Self.evil))
        system.send(.fail(Self.evil))
        await system.settled()
    }

    @MainActor private func lines(_ format: LogFormat<Account, Act>, _ way: Way) async throws -> [String] {
        let kept = Kept()
        switch way {
        case .closure: await run(.log(LogOptions(format), to: .closure { kept.append($0) }))
        case .memory:
            let memory = LogMemory(format: format)
            await run(.log(to: memory))
            return memory.lines
        case .thread:
            let thread = LogThread(to: .closure { kept.append($0) })
            await run(.log(LogOptions(format), on: thread))
            await thread.close()
        case .descriptor:
            let pipe = Pipe()
            await run(.log(LogOptions(format), to: .fileDescriptor(pipe.fileHandleForWriting.fileDescriptor)))
            try pipe.fileHandleForWriting.close()
            let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        case .files:
            let folder = try LogFolder()
            let files = try LogFileWriter(folder: folder.path)
            await run(.log(LogOptions(format), to: .files(files)))
            try await files.writer.close()
            return try folder.lines()
        }
        return kept.all
    }

    @Test(arguments: formats.indices, Way.allCases)
    @MainActor func `a step is one line, without control characters and sensitive values`(format: Int, way: Way) async throws {
        let lines = try await lines(Self.formats[format].format, way)
        #expect(lines.count == 4)
        for line in lines {
            #expect(!line.contains(Self.secret))
            #expect(
                line.unicodeScalars.allSatisfy { scalar in
                    scalar.value >= 0x20 && !(0x7F..<0xA0 ~= scalar.value) && ![0x2028, 0x2029, 0x202E, 0x2066].contains(scalar.value)
                })
            if Self.formats[format].name.hasPrefix("json") {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            }
        }
        // The other values are there, so that the test sees something.
        #expect(lines.contains { $0.contains("***") } && lines.contains { $0.contains("login") })
    }

    @Test func `a sensitive event does not even show its name`() {
        struct Quiet: LogSensitive { var word: String }
        let step = Step<Int, Quiet>(number: 1, event: Quiet(word: Self.secret), phase: .settled, state: 1, previousState: 0)
        for text in [LogFormat<Int, Quiet>.compact, .changes, .full, .json, .json(changes: true)].map({ $0.text(of: LogRecord(step)) }) {
            #expect(!text.contains("Quiet") && !text.contains(Self.secret) && text.contains("***"))
        }
    }

    @Test func `limits hold in every format`() {
        let long = String(repeating: "x", count: 100_000)
        let step = Step<Account, Act>(
            number: 1, event: .note(long), phase: .settled, state: Account(name: long, card: "", notes: [long: long]),
            previousState: Account(name: "a", card: ""), outcome: .failed(Refused(key: Sensitive(long), text: long)))
        for (name, format) in Self.formats {
            #expect(format.text(of: LogRecord(step), values: LogValues(limit: 30)).utf8.count < 700, "\(name)")
            #expect(format.text(of: LogRecord(step)).utf8.count < 3_000, "\(name)")
        }
    }
}

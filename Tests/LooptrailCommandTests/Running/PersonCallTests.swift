import EventFiles
import Foundation
import Testing
import TrackingEvents

/// `looptrail user` and `looptrail forget` as processes of their own.
@Suite struct PersonCallTests {
    private let folder: TemporaryFolder

    /// Three events of `u17`, the first under the anonymous id `a-1`, and one of `u18`, in one session and one sealed file.
    init() async throws {
        folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        let writer = try EventFileWriter(folder: folder.path)
        var random = SeededRandom(seed: 1)
        func record(
            _ number: Int64, _ name: String, _ user: String, _ properties: TrackingProperties = [:], _ kind: StampedEvent.Kind = .track
        ) {
            writer.record(
                StampedEvent(
                    timeMilliseconds: Events.start + number, event: TrackingEvent(name, properties), user: user, session: "s1",
                    sequence: number,
                    id: EventID(milliseconds: Events.start, random: &random), kind: kind))
        }
        record(1, "opened", "a-1")
        record(2, "identified", "u17", ["anonymous": "a-1"], .meta)
        record(3, "paid", "u17", ["total": 9.5])
        record(4, "opened", "u18")
        try await writer.close()
    }

    private struct UserAnswer: Decodable {
        struct Event: Decodable {
            var name: String
            var user: String
            var seq: Int
        }

        var key: String
        var aliases: [String]
        var events: [Event]
    }

    private struct ForgetAnswer: Decodable {
        struct File: Decodable {
            var path: String
            var lines: Int
            var outcome: String
            var replacedBy: String?
            var reason: String?
        }

        var complete: Bool
        var aliases: [String]
        var removedLines: Int
        var files: [File]
        var sql: [String: String]
    }

    @Test func `user gives key, aliases and the lines in order of time`() throws {
        let result = try Child.looptrail(["user", "u17", folder.path, "--format", "json"])
        let answer = try UserAnswer(snakeCase: result.output)
        #expect(result.status == 0 && result.errors == "")
        #expect(answer.key == "u17" && answer.aliases == ["a-1"])
        #expect(answer.events.map(\.name) == ["opened", "identified", "paid"] && answer.events.map(\.user) == ["a-1", "u17", "u17"])
    }

    @Test func `user gives the lines themselves, and a table`() throws {
        let lines = try Child.looptrail(["user", "u17", folder.path, "--format", "ndjson"]).output.split(separator: "\n")
        #expect(lines.count == 3)
        let file = folder.path("u17.ndjson")
        #expect(try Child.looptrail(["user", "u17", folder.path, "-o", file]).status == 0)
        #expect(folder.text("u17.ndjson")?.split(separator: "\n") == lines)
        try FileManager.default.removeItem(atPath: file)
        #expect(lines[2].hasPrefix(#"{"v":1,"t_ms":\#(Events.start + 3),"name":"paid","user":"u17","session":"s1","seq":3"#))
        let table = try Child.looptrail(["user", "u17", folder.path])
        #expect(table.output.contains("paid") && table.output.contains(#"{"total":9.5}"#) && table.output.contains("with a-1"))
        let anonymous = try Child.looptrail(["user", "a-1", folder.path])
        #expect(anonymous.errors.contains("`a-1` became `u17`"))
        #expect(try Child.looptrail(["user", "nobody", folder.path]).output.contains("no lines"))
    }

    @Test(arguments: [
        ["user"], ["user", "u17"], ["user", "u17", "-"], ["forget"], ["forget", "u17"], ["forget", "u17", "u18"],
        ["forget", "--user", "u17", "-", "--yes"], ["forget", "--user", "u17", "--yes"], ["forget", "FOLDER", "--yes"],
        ["forget", "--user", "u17", "FOLDER"], ["forget", "--user", "u17", "u18", "FOLDER", "--yes"],
    ])
    func `a call without an id, a path or a yes is a usage error, and nothing is changed`(words: [String]) throws {
        let before = folder.names
        let result = try Child.looptrail(words.map { $0 == "FOLDER" ? folder.path : $0 })
        #expect(folder.names == before)
        #expect(result.status == 2 && !result.errors.isEmpty && result.output == "")
    }

    @Test func `forget removes the person, says what it did, and check explains the gap`() throws {
        let result = try Child.looptrail(["forget", "--user", "u17", folder.path, "--yes", "--format", "json"])
        let answer = try ForgetAnswer(snakeCase: result.output)
        #expect(result.status == 0 && answer.complete && answer.removedLines == 3 && answer.aliases == ["a-1"])
        #expect(answer.files.count == 1 && answer.files[0].outcome == "replaced" && answer.files[0].replacedBy != nil)
        #expect(answer.sql["clickhouse"]?.hasPrefix("ALTER TABLE looptrail.events DELETE WHERE user IN ('u17', 'a-1')") == true)
        #expect(answer.sql["duckdb"]?.hasPrefix("DELETE FROM events") == true)
        #expect(try Child.looptrail(["check", folder.path]).status == 0)
        #expect(try Child.looptrail(["user", "u17", folder.path]).output.contains("no lines"))
        #expect(try Child.looptrail(["user", "u18", folder.path]).output.contains("1 line"))
        let again = try Child.looptrail(["forget", folder.path, "--user", "u17", "--yes"])
        #expect(again.status == 0 && again.output.contains("0 lines removed"))
    }

    @Test func `a dry run prints what would go and changes nothing`() throws {
        let before = folder.names
        let result = try Child.looptrail(["forget", "--user", "u17", folder.path, "--dry-run", "--format", "json"])
        let answer = try ForgetAnswer(snakeCase: result.output)
        #expect(result.status == 0 && answer.removedLines == 3 && answer.files.count == 1)
        #expect(result.errors.contains("nothing was changed"))
        #expect(folder.names == before)
        #expect(try Child.looptrail(["user", "u17", folder.path]).output.contains("paid"))
    }

    @Test func `several ids are several flags`() throws {
        let result = try Child.looptrail(["forget", "--user", "u17", "--user=u18", folder.path, "--yes", "--format", "json"])
        #expect(result.status == 0)
        #expect(try ForgetAnswer(snakeCase: result.output).removedLines == 4)
    }

    @Test(arguments: [("y\n", true), ("n\n", false), ("\n", false)])
    func `at a terminal it asks, and only a yes removes`(answer: String, isRemoved: Bool) throws {
        let terminal = try Terminal(columns: 80)
        terminal.type(answer)
        let result = try Child.looptrail(
            ["forget", "--user", "u17", folder.path], input: .descriptor(terminal.descriptor), errors: .descriptor(terminal.descriptor))
        #expect(terminal.text().contains("remove 3 lines"))
        #expect(result.status == (isRemoved ? 0 : 1))
        #expect(try Child.looptrail(["user", "u17", folder.path]).output.contains("no lines") == isRemoved)
    }

    @Test func `a file that is still being written is named, and the exit says that not all is done`() throws {
        let sealed = folder.names.first { $0.hasSuffix(".ndjson.gz") } ?? ""
        try FileManager.default.moveItem(atPath: folder.path(sealed), toPath: folder.path(sealed + ".open"))
        let result = try Child.looptrail(["forget", folder.path, "--user", "u17", "--yes"])
        #expect(result.status == 1 && result.output.contains("\(sealed).open") && result.output.contains("still being written"))
        #expect(folder.names == [sealed + ".open"])
        let dry = try Child.looptrail(["forget", folder.path, "--user", "u17", "--dry-run"])
        #expect(dry.status == 1 && dry.errors.contains("this is what would go, 0 lines in 0 files"), "\(dry.errors)")
    }

    @Test func `no id can end a text in SQL`() throws {
        let result = try Child.looptrail(["forget", "--user", #"o'brien\"#, folder.path, "--yes", "--format", "json"])
        let answer = try ForgetAnswer(snakeCase: result.output)
        #expect(answer.sql["clickhouse"]?.contains(#"IN ('o''brien\\')"#) == true)
        #expect(answer.sql["duckdb"]?.contains(#"IN ('o''brien\')"#) == true)
    }
}

import Foundation
import Testing

/// `looptrail check` as a process of its own: what makes it fail, and what it only reports.
@Suite struct CheckCallTests {
    private static let first = Events.text([Events.line("a", 1, id: "1", more: #","session":"s","seq":1"#)])
    private static let second = Events.text([Events.line("b", 2, id: "2", more: #","session":"s","seq":2"#)])

    private static func gap(explained: Bool) -> String {
        var lines = [
            Events.line("a", 1, id: "1", more: #","session":"s","seq":1"#),
            Events.line("b", 2, id: "2", more: #","session":"s","seq":3"#),
        ]
        if explained {
            let props = #"{"count":1,"reasons":{"overflow":1},"sessions":{"s":1}}"#
            lines.append(Events.line("dropped", 3, user: nil, id: "3", props: props, more: #","type":"meta""#))
        }
        return Events.text(lines)
    }

    private static let sound = BlockedFile.bytes([first, second])

    /// A file's name, its bytes, and the exit status of its check.
    private static let table: [(String, [UInt8], Int32)] = [
        ("sealed.ndjson.gz", sound, 0),
        ("open.ndjson.gz.open", BlockedFile.bytes([first, second], isSealed: false), 0),
        ("empty.ndjson", [], 0),
        ("plain.ndjson", Array((first + second).utf8), 0),
        ("clock.ndjson", Array(Events.text([Events.line("a", 9, id: "1"), Events.line("a", 1, id: "2")]).utf8), 0),
        ("explained.ndjson.gz", BlockedFile.bytes([gap(explained: true)]), 0),
        ("unsealed.ndjson.gz", BlockedFile.bytes([first, second], isSealed: false), 3),
        ("cut.ndjson.gz", Array(sound.dropLast(40)), 3),
        ("flipped.ndjson.gz", sound.enumerated().map { $0.offset == 40 ? $0.element ^ 1 : $0.element }, 3),
        ("zeros.ndjson.gz", sound + [0, 0, 0, 0], 3),
        ("badline.ndjson", Array((first + "{\"t_ms\":1}\n").utf8), 3),
        ("badprops.ndjson", Array(Events.text([Events.line("a", 1, id: "1", props: #"{"x":nope}"#)]).utf8), 3),
        ("twice.ndjson", Array((first + first).utf8), 3),
        ("gap.ndjson.gz", BlockedFile.bytes([gap(explained: false)]), 3),
    ]

    @Test(arguments: table.map(\.0))
    func `a check exits with 3 for what makes a file unsound and with 0 for all else`(_ name: String) throws {
        let row = try #require(Self.table.first { $0.0 == name })
        let folder = try TemporaryFolder()
        let path = try folder.file(name, bytes: row.1)
        let table = try Child.looptrail(["check", path])
        #expect(table.status == row.2, "\(table.output)\(table.errors)")
        #expect(!table.output.isEmpty)
        let json = try Child.looptrail(["check", path, "--format", "json"])
        #expect(json.status == row.2)
        #expect(try Child.looptrail(["check", path, "--strict"]).status == row.2)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.output.utf8)) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(row.1))
        #expect(folder.names == [name])
    }

    @Test func `duplicates are found across files, and standard input is checked too`() throws {
        let folder = try TemporaryFolder()
        try folder.file("a.ndjson", Self.first)
        try folder.file("b.ndjson", Self.first)
        #expect(try Child.looptrail(["check", folder.path]).status == 3)
        #expect(try Child.looptrail(["check", folder.path("a.ndjson")]).status == 0)
        #expect(try Child.looptrail(["check"], input: .pipe(Self.sound)).status == 0)
        #expect(try Child.looptrail(["check", "-"], input: .pipe(Array(Self.sound.dropLast(40)))).status == 3)
    }

    @Test(arguments: [(["-"], ""), ([], " and no PATH was given")])
    func `a check of an empty standard input fails, because nothing was checked`(paths: [String], reason: String) throws {
        let result = try Child.looptrail(["check"] + paths, input: .pipe([]))
        #expect(result.status == 1 && result.output == "")
        #expect(result.errors == "looptrail check: standard input was empty\(reason): nothing was checked\n")
    }

    @Test func `a session that begins above 1 fails only with --complete`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("b.ndjson.gz", bytes: BlockedFile.bytes([Self.second]))
        let some = try Child.looptrail(["check", path])
        #expect(some.status == 0 && some.output.contains("1 session begins before these files, by 1 number\n"))
        let all = try Child.looptrail(["check", "--complete", path])
        #expect(all.status == 3 && all.output.hasSuffix("not sound: 1 missing before these files and not explained\n"))
        let first = try folder.file("a.ndjson.gz", bytes: BlockedFile.bytes([Self.first]))
        #expect(try Child.looptrail(["check", "--complete", first, path]).status == 0)
    }

    @Test func `a dropped line explains the gap of a removed file, and is ignored if that file is here`() throws {
        let folder = try TemporaryFolder()
        let name = "events-0a1b2c3d4e5f6071-0000000001.ndjson.gz"
        let props = #"{"count":1,"reasons":{"retention":1},"sessions":{"s":1},"segment":"\#(name)"}"#
        let line = Events.line("dropped", 3, user: nil, id: "3", props: props, more: #","type":"meta""#)
        let rest = try folder.file("events-0a1b2c3d4e5f6071-0000000002.ndjson.gz", bytes: BlockedFile.bytes([Self.second + line + "\n"]))
        let alone = try Child.looptrail(["check", "--complete", rest])
        #expect(alone.status == 0 && alone.output.contains("1 dropped by the writer, 1 of them removed before they were taken"))
        #expect(alone.output.contains("events-0a1b2c3d4e5f6071  "))
        try folder.file(name, bytes: BlockedFile.bytes([Self.first]))
        let both = try Child.looptrail(["check", "--complete", folder.path])
        #expect(both.status == 0 && !both.output.contains("dropped by the writer"))
    }

    @Test func `with the report in a file, standard error says that the input is not sound`() throws {
        let folder = try TemporaryFolder()
        let result = try Child.looptrail(["check", "-o", folder.path("r.json")], input: .pipe(Array(Self.sound.dropLast(40))))
        #expect(result.status == 3)
        #expect(result.output == "")
        #expect(result.errors == "looptrail check: the input is not sound; see `\(folder.path("r.json"))`\n")
        #expect(folder.text("r.json") != nil)
    }

    @Test func `a missing path is an error and not damage`() throws {
        let result = try Child.looptrail(["check", "/no/such/file"])
        #expect(result.status == 1)
        #expect(result.errors.contains("/no/such/file"))
    }
}

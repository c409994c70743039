import Foundation
import Testing

/// `looptrail props` as a process of its own.
@Suite struct PropsCallTests {
    private struct Answer: Decodable {
        struct Key: Decodable {
            struct Value: Decodable {
                var value: String
                var count: Int
            }

            var path: String
            var types: [String: Int]
            var present: Int
            var distinct: Int
            var top: [Value]
        }

        var name: String
        var events: Int
        var keys: [Key]
    }

    private func answer(_ json: String) throws -> Answer { try JSONDecoder().decode(Answer.self, from: Data(json.utf8)) }

    @Test func `keys, types and values of an event from files and from standard input`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let file = try Child.looptrail(["props", "viewed", path, "--format", "json"])
        #expect(file.status == 0 && file.errors == "")
        let found = try answer(file.output)
        #expect(found.name == "viewed" && found.events == 4 && found.keys.map(\.path) == ["price"])
        #expect(found.keys[0].types["int"] == 4 && found.keys[0].present == 4 && found.keys[0].distinct == 4)
        #expect(found.keys[0].top.map(\.value) == ["10", "20", "30", "40"])
        let piped = try Child.looptrail(["props", "viewed", "--format=json"], input: .pipe(Array(Events.shop.utf8)))
        #expect(try answer(piped.output).keys[0].present == 4)
        let table = try Child.looptrail(["props", "paid", folder.path]).output
        #expect(table.hasPrefix("paid   1 event") && table.contains("total") && table.contains("9.5 (1)"))
    }

    @Test func `a call can limit the values, and the time of the events`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let one = try Child.looptrail(["props", "viewed", path, "--format", "json", "--top", "1"])
        #expect(try answer(one.output).keys[0].top.count == 1)
        let late = try Child.looptrail(["props", "viewed", path, "--format", "json", "--since", "2026-01-01T12:00:03"])
        #expect(try answer(late.output).events == 2)
        let none = try Child.looptrail(["props", "viewed", path, "--since", "2026-01-02", "--until", "2026-01-01"])
        #expect(none.status == 2 && none.errors.contains("no time lies between"))
    }

    @Test func `a name that does not occur is a warning with the nearest, and zeros`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let result = try Child.looptrail(["props", "veiwed", path, "--format", "json"])
        #expect(result.status == 0)
        #expect(result.errors.contains("warning: no event is named `veiwed`: did you mean `viewed`?"))
        #expect(try answer(result.output).events == 0)
        #expect(try Child.looptrail(["props", "veiwed", path, "--quiet"]).errors == "")
        let empty = try Child.looptrail(["props", "x", "--format", "json"])
        #expect(try empty.status == 0 && answer(empty.output).keys.isEmpty)
    }

    @Test func `names with anything in them are taken as they are`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.text([Events.line(#"a > \"b\" [c]|\u001b[2J"#, props: #"{"\u001b":"=x"}"#)]))
        let result = try Child.looptrail(["props", "a > \"b\" [c]|\u{1B}[2J", path])
        #expect(result.status == 0 && result.errors == "")
        #expect(result.output.contains("1 event") && !result.output.contains("\u{1B}"))
    }

    @Test func `a folder of events where the name should be is told, and an event may be called like another folder`() throws {
        let folder = try TemporaryFolder()
        for name in ["events", "viewed"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
        try folder.file("events/e.ndjson", Events.shop)
        let result = try Child.looptrail(["props", "events"], workingFolder: folder.path)
        #expect(result.status == 2 && result.errors.contains("NAME is needed before the path `events`, where"), "\(result.errors)")
        let event = try Child.looptrail(["props", "viewed"], workingFolder: folder.path)
        #expect(event.status == 0 && event.output.contains("price"), "\(event.errors)")
    }

    @Test func `a call without a name is a usage error`() throws {
        let result = try Child.looptrail(["props"])
        #expect(result.status == 2 && result.errors.contains("NAME is needed, for example `looptrail props cart_added`"))
    }
}

import Foundation
import Testing

@testable import EventFiles

/// Files that grow, move and shrink between two looks at them.
@Suite struct EventFileFollowerTests {
    private let folder: ReadingFolder
    private let follower: EventFileFollower

    init() throws {
        folder = try ReadingFolder()
        follower = EventFileFollower(paths: [folder.path])
    }

    private func poll() throws -> [String] {
        var lines: [String] = []
        let count = try follower.poll { lines.append(String(decoding: $0, as: UTF8.self)) }
        #expect(count == lines.count)
        return lines
    }

    /// Puts bytes behind those of a file.
    private func append(_ bytes: [UInt8], to name: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: "\(folder.path)/\(name)"))
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(bytes))
    }

    private func append(_ text: String, to name: String) throws { try append(Array(text.utf8), to: name) }

    private func cut(_ name: String, to size: Int) throws {
        let handle = try #require(FileHandle(forWritingAtPath: "\(folder.path)/\(name)"))
        defer { try? handle.close() }
        try handle.truncate(atOffset: UInt64(size))
    }

    @Test func `each line comes once, and the beginning of one waits for its end`() throws {
        #expect(try poll() == [])
        try folder.write("one\ntw", "e.ndjson")
        #expect(try poll() == ["one"])
        #expect(try poll() == [])
        try append("o\n\nth", to: "e.ndjson")
        #expect(try poll() == ["two", ""])
        try append("ree\n", to: "e.ndjson")
        #expect(try poll() == ["three"])
        #expect(follower.report.files.map(\.lines) == [4] && follower.report.files.map(\.bytes) == [15])
        #expect(follower.report.files.map(\.framing) == [.plain])
    }

    @Test func `new files are found, and an empty one is read once it has something`() throws {
        try folder.write("", "a.ndjson")
        #expect(try poll() == [])
        try folder.write("b\n", "b.ndjson")
        try append("a\n", to: "a.ndjson")
        try folder.write("log\n", "c.txt")
        #expect(try poll() == ["a", "b"])
        #expect(follower.report.files.map(\.path) == ["a", "b"].map { "\(folder.path)/\($0).ndjson" })
    }

    @Test("a member that is still being written waits, wherever it ends")
    func members() throws {
        let (first, second) = (Gzip.blocked(["a\nb\n"], end: false), Gzip.blocked(["c\n"]))
        for length in stride(from: 0, through: second.count, by: 3) + [second.count] {
            let name = "e-\(length).ndjson.gz.open"
            try folder.write(first + second[..<length], name)
            let before = try poll()
            try append(Array(second[length...]), to: name)
            let after = try poll()
            #expect(before + after == ["a", "b", "c"] && before.starts(with: ["a", "b"]), "\(length)")
        }
        #expect(follower.report.files.allSatisfy { $0.members == 2 && $0.damage.isEmpty && $0.framing == .blocked })
    }

    @Test func `members may cut lines anywhere`() throws {
        let text = (0..<200).map { "line \($0)\n" }.joined()
        let bytes = Gzip.bgzip(text, size: 37)
        try folder.write(Array(bytes[..<1000]), "e.jsonl.gz")
        let before = try poll()
        try append(Array(bytes[1000...]), to: "e.jsonl.gz")
        #expect(try before + poll() == (0..<200).map { "line \($0)" })
    }

    @Test func `a segment that is sealed keeps its place under its new name`() throws {
        try folder.write(Gzip.blocked(["a\n"], end: false), "e.ndjson.gz.open")
        #expect(try poll() == ["a"])
        try append(Gzip.blocked(["b\n"]), to: "e.ndjson.gz.open")
        try FileManager.default.moveItem(atPath: folder.path + "/e.ndjson.gz.open", toPath: folder.path + "/e.ndjson.gz")
        #expect(try poll() == ["b"])
        #expect(follower.report.files.map(\.path) == [folder.path + "/e.ndjson.gz"])
    }

    @Test func `an ordinary gzip is read whole when it is found, and not again`() throws {
        try folder.write(Gzip.ordinary("a\nb"), "e.jsonl.gz")
        #expect(try poll() == ["a", "b"])
        try append(Gzip.ordinary("c\n"), to: "e.jsonl.gz")
        #expect(try poll() == [])
        #expect(follower.report.files.map(\.framing) == [.gzip] && follower.report.files.map(\.lines) == [2])
        // What is damaged in it is said.
        try folder.write(Array(Gzip.ordinary(String(repeating: "x\n", count: 100)).dropLast(6)), "f.jsonl.gz")
        #expect(try poll().count == 100)
        #expect(follower.report.files[1].damage.count == 1)
    }

    @Test(
        "a file that became shorter goes on where it ends now, without what was taken from it",
        arguments: [
            ("one\ntw", 5, "x\n", ["tx"]), ("one\ntw", 4, "x\n", ["x"]), ("one\ntw", 3, "x\n", ["x"]), ("one\ntw", 0, "x\n", ["x"]),
        ])
    func shrinking(text: String, size: Int, more: String, lines: [String]) throws {
        try folder.write(text, "e.ndjson")
        #expect(try poll() == ["one"])
        try cut("e.ndjson", to: size)
        #expect(try poll() == [])
        try append(more, to: "e.ndjson")
        #expect(try poll() == lines)
    }

    @Test func `a torn member that recovery cut off is no part of what follows`() throws {
        let (whole, torn) = (Gzip.blocked(["a\n"], end: false), Gzip.blocked(["b\n"], end: false))
        try folder.write(whole + torn.dropLast(5), "e.ndjson.gz.open")
        #expect(try poll() == ["a"])
        try cut("e.ndjson.gz.open", to: whole.count)
        try append(Gzip.blocked(["c\n"]), to: "e.ndjson.gz.open")
        #expect(try poll() == ["c"])
    }

    @Test(
        "damage ends the reading of its file, and of no other",
        arguments: [
            (Array("garbage".utf8), "no member begins here: `looptrail check` says more"),
            (Gzip.ordinary("x\n"), "no member begins here: `looptrail check` says more"),
            (
                Gzip.blocked(["b\n"], end: false).enumerated().map { $0.offset == 20 ? ~$0.element : $0.element },
                "this member is damaged: `looptrail check` says more"
            ),
        ])
    func damage(bytes: [UInt8], message: String) throws {
        let sound = Gzip.blocked(["a\n"], end: false)
        try folder.write(sound + bytes + Gzip.blocked(["c\n"]), "e.ndjson.gz")
        try folder.write("d\n", "f.ndjson")
        #expect(try poll() == ["a", "d"])
        #expect(follower.report.files[0].damage.map(\.message) == [message])
        #expect(follower.report.files[0].damage.map(\.byteOffset) == [Int64(sound.count)])
        #expect(try poll() == [])
    }

    @Test func `a line that never ends is not kept for ever`() throws {
        try folder.write([UInt8](repeating: 0x78, count: EventFileReader.lineLimit), "e.ndjson")
        #expect(try poll() == [] && follower.report.files[0].damage.isEmpty)
        try append("xy", to: "e.ndjson")
        #expect(try poll() == [] && follower.report.files[0].damage.map(\.message) == ["a line is longer than 1 MiB"])
    }

    @Test func `a path that leads nowhere is an error, and standard input is passed over`() throws {
        #expect(throws: EventFileReadError.self) { try EventFileFollower(paths: [folder.path + "/none.ndjson"]).poll { _ in } }
        try folder.write("a\n", "a.ndjson")
        #expect(try EventFileFollower(paths: ["-", folder.path]).poll { _ in } == 1)
    }
}

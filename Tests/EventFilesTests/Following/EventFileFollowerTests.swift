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

    /// Appends bytes to a file.
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

    @Test("a member that is still being written waits, wherever it is cut")
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

    @Test func `a segment that is sealed is read on under its new name`() throws {
        try folder.write(Gzip.blocked(["a\n"], end: false), "e.ndjson.gz.open")
        #expect(try poll() == ["a"])
        try append(Gzip.blocked(["b\n"]), to: "e.ndjson.gz.open")
        try FileManager.default.moveItem(atPath: folder.path + "/e.ndjson.gz.open", toPath: folder.path + "/e.ndjson.gz")
        #expect(try poll() == ["b"])
        #expect(follower.report.files.map(\.path) == [folder.path + "/e.ndjson.gz"])
    }

    @Test func `an ordinary gzip is read again when it changed, and gives only its new lines`() throws {
        try folder.write(Gzip.ordinary("a\nb\n"), "e.jsonl.gz")
        #expect(try poll() == ["a", "b"] && poll() == [])
        try append(Gzip.ordinary("c\n"), to: "e.jsonl.gz")
        #expect(try poll() == ["c"])
        #expect(follower.report.files.map(\.framing) == [.gzip] && follower.report.files.map(\.lines) == [3])
        // Damage in it is reported.
        try folder.write(Array(Gzip.ordinary(String(repeating: "x\n", count: 100)).dropLast(6)), "f.jsonl.gz")
        #expect(try poll().count == 100)
        #expect(follower.report.files[1].damage.count == 1)
    }

    @Test func `a line that goes on in the next gzip member waits for its end`() throws {
        try folder.write(Gzip.ordinary("a\nb"), "e.jsonl.gz")
        #expect(try poll() == ["a"])
        try append(Gzip.ordinary("c\nd\n"), to: "e.jsonl.gz")
        #expect(try poll() == ["bc", "d"])
        #expect(follower.report.files.map(\.lines) == [3])
    }

    @Test func `a gzip that is emptied and written anew gives all its lines`() throws {
        try folder.write(Gzip.ordinary("a\nb\n"), "e.jsonl.gz")
        #expect(try poll() == ["a", "b"])
        try cut("e.jsonl.gz", to: 0)
        #expect(try poll() == [])
        try append(Gzip.ordinary("c\nd\ne\n"), to: "e.jsonl.gz")
        #expect(try poll() == ["c", "d", "e"])
    }

    @Test func `a file that is written anew in place gives all its lines, however alike it begins`() throws {
        let beginning = (0..<60).map { "line \($0)" }
        for ending in [[], ["one more"]] {
            try folder.write((beginning + ["old"]).map { $0 + "\n" }.joined(), "e.ndjson")
            _ = try poll()
            try cut("e.ndjson", to: 0)
            try append((beginning + ["other"] + ending).map { $0 + "\n" }.joined(), to: "e.ndjson")
            #expect(try poll() == beginning + ["other"] + ending)
            try append("more\n", to: "e.ndjson")
            #expect(try poll() == ["more"])
        }
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
        "damage in a growing file is passed over as a reader does it",
        arguments: [
            Array("garbage".utf8), Gzip.ordinary("x\n"),
            Gzip.blocked(["b\n"], end: false).enumerated().map { $0.offset == 20 ? ~$0.element : $0.element },
        ])
    func damage(bytes: [UInt8]) throws {
        let sound = Gzip.blocked(["a\n"], end: false)
        try folder.write(sound, "e.ndjson.gz.open")
        try folder.write("z\n", "f.ndjson")
        #expect(try poll() == ["a", "z"])
        try append(bytes + Gzip.blocked(["c\n"], end: false), to: "e.ndjson.gz.open")
        #expect(try poll().suffix(1) == ["c"])
        try append(Gzip.blocked(["d\n"]), to: "e.ndjson.gz.open")
        #expect(try poll() == ["d"] && poll() == [])
        let read = try ReadLines.of(folder.path)
        #expect(follower.report.files.map(\.damage) == read.report.files.map(\.damage))
    }

    /// Polls, and expects the lines and the damage that a reader finds in the folder now.
    private func expectAsRead() throws -> [String] {
        let lines = try poll()
        let read = try ReadLines.of(folder.path)
        #expect(lines == read.lines)
        #expect(follower.report.files.map(\.lines) == read.report.files.map(\.lines))
        #expect(follower.report.files.map(\.damage) == read.report.files.map(\.damage))
        #expect(try poll() == [])
        return lines
    }

    @Test(
        "a sealed segment gives what a reader finds, whatever is wrong at its beginning, inside or at its end",
        arguments: [
            (0, 0, 6), (2 * member + 40, 0, 6), (member + 16, 0, 6), (member + 17, 0, 6), (2 * member + 17, 0, 6), (3 * member + 17, 0, 9),
            (nil, 20, 9), (nil, BGZF.endMember.count, 9), (nil, BGZF.endMember.count + 30, 6),
        ] as [(Int?, Int, Int)])
    func sealed(spoilt: Int?, missing: Int, lines: Int) throws {
        var bytes = Array(Gzip.blocked([Self.text, Self.text, Self.text]).dropLast(missing))
        if let spoilt { bytes[spoilt] ^= 0xFF }
        try folder.write(bytes, SegmentName(stem: "events", writer: 1, number: 1).sealed)
        #expect(try expectAsRead().count == lines && follower.report.damagedMembers == 1)
    }

    private static let text = (0..<3).map { "line \($0) of a member\n" }.joined()
    private static let member = Gzip.blocked([text], end: false).count

    @Test func `a byte order mark is no part of the first line`() throws {
        try folder.write("\u{FEFF}a\nb\n", "e.ndjson")
        try folder.write(Gzip.blocked(["\u{FEFF}c\n", "\u{FEFF}d\n"]), "f.jsonl.gz")
        #expect(try expectAsRead() == ["a", "b", "c", "\u{FEFF}d"])
    }

    @Test func `when people are forgotten, the lines of others do not come again`() throws {
        let lines = (17...19).map { line(1, of: "u\($0)", session: "s\($0)") }
        try folder.write(sealedFile(lines), SegmentName(stem: "events", writer: 1, number: 1).sealed)
        #expect(try poll().count == 3)
        for user in ["u17", "u18"] {
            #expect(try EventForgetting([user], in: [folder.path]).run(threads: 1).isComplete)
            #expect(try poll() == [], "\(user)")
        }
        #expect(try EventFileFollower(paths: [folder.path]).poll { _ in } == 3, "a new follower gets a line, and two that say what went")
    }

    @Test func `a line that never ends is not kept for ever`() throws {
        try folder.write([UInt8](repeating: 0x78, count: EventFileReader.lineLimit), "e.ndjson")
        #expect(try poll() == [] && follower.report.files[0].damage.isEmpty)
        try append("xy", to: "e.ndjson")
        #expect(try poll() == [] && follower.report.files[0].damage.map(\.bytes) == [Int64(EventFileReader.lineLimit) + 2])
        try append("z\nnext\n", to: "e.ndjson")
        #expect(try poll() == ["next"])
        #expect(try follower.report.files[0].damage == ReadLines.of(folder.path).damage)
    }

    @Test func `a line that is too long is reported as a reader reports it, wherever it begins`() throws {
        let text = "a\n" + String(repeating: "x", count: 1_100_000) + "\nb\n"
        try folder.write(text, "e.ndjson")
        try folder.write(Gzip.blocked(["first\n"], end: false) + Gzip.bgzip(text, size: 50_000), "f.jsonl.gz")
        #expect(try expectAsRead() == ["a", "b", "first", "a", "b"])
        #expect(follower.report.files.map { $0.damage.map(\.bytes) } == [[1_100_000], [1_100_000]])
        #expect(follower.report.files[0].damage[0].byteOffset == 2 && follower.report.files[1].damage[0].byteOffset > 0)
    }

    @Test func `a path that leads nowhere or to a pipe is an error, and standard input is passed over`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let path = "/dev/fd/\(ends[0])"
        #expect(throws: EventFileReadError.notFollowable(path: path)) { try EventFileFollower(paths: [path]).poll { _ in } }
        #expect(throws: EventFileReadError.self) { try EventFileFollower(paths: [folder.path + "/none.ndjson"]).poll { _ in } }
        try folder.write("a\n", "a.ndjson")
        #expect(try EventFileFollower(paths: ["-", folder.path]).poll { _ in } == 1)
    }
}

import Foundation
import Inspect
import TestSupport
import Testing

@testable import LoopRecording

/// How lines become sessions, and that the work grows with the lines, whatever they say.
@Suite struct RecordingJoinerTests {
    private static func head(_ id: String, version: String = "2") -> String {
        "{\"recording\":\(version),\"id\":\"\(id)\",\"t_ms\":1,\"after\":0,\"states\":\"json\",\"events\":\"json\",\"hidden\":[],\"state\":0}"
    }

    private func joined(_ lines: [String]) -> RecordingJoiner {
        var joiner = RecordingJoiner()
        for (index, line) in lines.enumerated() { joiner.add(line, at: index + 1) }
        return joiner
    }

    @Test func `lines before their head wait for it, and other heads do not look at them`() {
        let early = (0..<50).map { "{\"id\":\"h\($0)\",\"n\":1}" } + (1...50).map { "{\"n\":\($0)}" } + ["{\"id\":\"never\",\"n\":1}"]
        let beside = Self.head("h1").replacing(#""t_ms""#, with: #""beside":"h0","t_ms""#)
        let joiner = joined(early + [beside] + (0..<50).filter { $0 != 1 }.map { Self.head("h\($0)") })
        // 101 lines, and 100 of them again once their session is there.
        #expect(joiner.taken == 201)
        let counts = Dictionary(uniqueKeysWithValues: joiner.finish().map { ($0.id, $0.steps.count) })
        // The lines without an id are those of the first head that stands beside no other.
        #expect(counts.count == 50 && counts["h0"] == 50 && counts.values.count { $0 == 1 } == 49)
    }

    @Test func `the end of a recorder is noted once for each of its sessions so far`() {
        var joiner = joined((0..<50).map { Self.head("h\($0)") })
        for number in 0..<50 {
            joiner.add(#"{"ended":"closed"}"#, at: 1)
            // No later line of the recorder goes over these sessions again.
            #expect(joiner.firstOpen == 50 + number)
            joiner.add(Self.head("later\(number)"), at: 1)
        }
        joiner.beginWriter()
        for line in [Self.head("other"), #"{"id":"later49","ended":"stopped"}"#] { joiner.add(line, at: 1) }
        let ended = Dictionary(uniqueKeysWithValues: joiner.finish().map { ($0.id, $0.ended) })
        #expect(ended["h0"] == "closed" && ended["later48"] == "closed" && ended["later49"] == "stopped" && ended["other"] == "stopped")
    }

    @Test func `what only a later head hides is among the hidden paths`() {
        let later = Self.head("h").replacing(#""after":0"#, with: #""after":1"#).replacing(#""hidden":[]"#, with: #""hidden":["/a"]"#)
        #expect(joined([Self.head("h"), #"{"n":1,"event":1}"#, #"{"of":1}"#, later]).finish().map(\.hidden) == [["/a"]])
    }

    @Test(arguments: ["\n", "\r\n"])
    func `the lines of a text end with a line feed, with a carriage return before it or without`(end: String) {
        let lines = [Self.head("a"), #"{"n":1,"event":1}"#, "", #"{"n":2,"event":1}"#, Self.head("b")]
        let sessions = Recording(lines.joined(separator: end) + end).sessions()
        // Behind the empty line, the line without an id is that of the next head.
        #expect(Dictionary(uniqueKeysWithValues: sessions.map { ($0.id, $0.steps.map(\.number)) }) == ["a": [1], "b": [2]])
    }

    @Test func `each of many loading states of one event counts once, and none after the end`() throws {
        let states = (0..<20_000).map {
            "{\"of\":1,\"ns\":[],\"phase\":\"loading\",\"patch\":[{\"op\":\"replace\",\"path\":\"\",\"value\":\($0)}]}"
        }
        let end = [#"{"of":1,"ns":[1,1,1,1],"patch":[]}"#]
        // Those that waited in a ring come again.
        let lines = [Self.head("h"), #"{"n":1,"event":1}"#] + states + states.suffix(100) + end + states.prefix(100) + end
        let step = try #require(joined(lines).finish().first?.steps.first)
        #expect(step.ends.count == 20_001 && step.ends.last?["phase"] == nil)
    }

    @Test func `patches of an object with many keys make no dictionary of them`() throws {
        let many = (0..<1_000).map { ("key \($0)", RecordedValue.integer(0)) }
        let first = RecordedValue.object(many + [("inner", .object([("a", .null)]))])
        let patches = [
            ("replace", "/key 999", "1"), ("remove", "/key 500", "0"), ("add", "/new", "2"), ("add", "/key 1", "3"),
            ("replace", "/inner/a", "4"),
        ]
        var state = first
        for (operation, path, value) in patches {
            let text = "[{\"op\":\"\(operation)\",\"path\":\"\(path)\",\"value\":\(value)}]"
            let patch = try #require(RecordedValue.parse(text))
            let next = state.applying(patch)
            state = try #require(next)
            #expect(state.container?.indices == nil)
        }
        #expect(first.container?.indices == nil)
        #expect(state["key 999"] == .integer(1) && state["key 500"] == nil && state["new"] == .integer(2) && state["key 1"] == .integer(3))
        #expect(state[path: "/inner/a"] == .integer(4) && state.container?.values.count == 1_001)
    }

    @Test func `a folder without a recording is an error that names it alone, and what a recording is called`() throws {
        let path = testFolders + "looptrail-no-recording-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Data("{}\n".utf8).write(to: URL(fileURLWithPath: "\(path)/a.ndjson"))
        let error = InspectError.noRecording(in: path)
        #expect(throws: error) { try InspectedRecording(paths: [path]) }
        #expect(error.description == "\(path): no recording is here; a folder's are recording-*.log.gz and recording-*.log.gz.open")
        let (good, empty) = (path + "-good.log", path + "-empty.log")
        defer { for file in [good, empty] { try? FileManager.default.removeItem(atPath: file) } }
        try (Self.head("h") + "\n").write(toFile: good, atomically: true, encoding: .utf8)
        #expect(throws: error) { try InspectedRecording(paths: [good, path]) }
        // A file without lines is no folder.
        try Data().write(to: URL(fileURLWithPath: empty))
        #expect(throws: InspectError.noHead(path: empty, lines: 0)) { try InspectedRecording(paths: [empty]) }
    }

    @Test(
        "a session of a version that is not read is left out and named",
        arguments: [
            (["2", "3"], "line 2 begins a session of version 3: only versions 1 and 2 are read"),
            (["1", "99", "0", #""new""#], "line 2 begins a session of version 99, the first of 3 such: only versions 1 and 2 are read"),
        ] as [([String], String)])
    func versions(_ versions: [String], problem: String) throws {
        let path = testFolders + "looptrail-recording-\(UUID().uuidString).log"
        defer { try? FileManager.default.removeItem(atPath: path) }
        // The line without an id belongs to no session that is read.
        let lines = versions.enumerated().map { Self.head("h\($0)", version: $1) } + [#"{"n":1,"event":1}"#]
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let recording = try InspectedRecording(paths: [path])
        #expect(recording.sessions.map(\.id) == ["h0"] && recording.sessions[0].steps.isEmpty)
        #expect(recording.problems == [problem])
        try (lines.dropFirst().joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: InspectError.noHead(path: path, lines: lines.count - 1)) { try InspectedRecording(paths: [path]) }
    }
}

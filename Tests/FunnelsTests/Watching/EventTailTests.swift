import Basics
import EventFiles
import Foundation
import Testing

@testable import Funnels

@Suite("Events as they arrive")
struct EventTailTests {
    private func line(_ name: String, _ time: Int = 1, user: String = "u", props: String = "{}") -> String {
        #"{"v":1,"t_ms":\#(time),"name":"\#(name)","user":"\#(user)","props":\#(props)}"# + "\n"
    }

    private func member(_ text: String) -> [UInt8] {
        let output = ByteBuffer(capacity: 256)
        Array(text.utf8).withUnsafeBufferPointer { BGZFDeflater(level: 6).appendMember(of: $0, to: output) }
        return Array(output.bytes)
    }

    private func names(_ tail: EventTail) throws -> [String] {
        var names: [String] = []
        try tail.poll { event, _ in names.append(event.name) }
        return names
    }

    @Test func `lines that are appended show once, and a line without its end waits`() throws {
        let folder = try GrowingFolder()
        try folder.append(line("a") + line("b"), to: "x.ndjson")
        let tail = try EventTail(paths: [folder.path])
        #expect(try names(tail) == ["a", "b"])
        #expect(try names(tail) == [])
        let next = line("c")
        try folder.append(String(next.dropLast(10)), to: "x.ndjson")
        #expect(try names(tail) == [])
        try folder.append(String(next.suffix(10)) + line("d"), to: "x.ndjson")
        try folder.append(line("e"), to: "y.ndjson")
        #expect(try names(tail) == ["c", "d", "e"])
    }

    @Test func `members of an open segment show as they are whole, and sealing it repeats nothing`() throws {
        let folder = try GrowingFolder()
        let (name, sealed) = ("events-0000000000000001-0000000001.ndjson.gz.open", "events-0000000000000001-0000000001.ndjson.gz")
        try folder.append(member(line("a")), to: name)
        let tail = try EventTail(paths: [folder.path])
        #expect(try names(tail) == ["a"])
        let next = member(line("b") + line("c"))
        try folder.append(Array(next.prefix(20)), to: name)
        #expect(try names(tail) == [])
        try folder.append(Array(next.dropFirst(20)), to: name)
        #expect(try names(tail) == ["b", "c"])
        try folder.append(member(line("d")) + BGZF.endMember, to: name)
        try folder.rename(name, to: sealed)
        #expect(try names(tail) == ["d"])
        #expect(try names(tail) == [])
    }

    @Test func `a damaged member is passed over and counted, and what follows is shown`() throws {
        let folder = try GrowingFolder()
        var spoilt = member(line("b"))
        spoilt[spoilt.count - 10] ^= 0xFF
        try folder.append(member(line("a")) + spoilt + member(line("c")) + BGZF.endMember, to: "x.ndjson.gz")
        try folder.append(line("other"), to: "y.ndjson")
        let follower = EventFileFollower(paths: [folder.path])
        var lines = 0
        #expect(try follower.poll { _ in lines += 1 } == 3)
        #expect(try follower.poll { _ in lines += 1 } == 0)
        #expect(lines == 3 && follower.report.damagedMembers == 1 && follower.report.files.count == 2)
    }

    @Test func `a step's test and a list of users choose events, and lines that cannot be read are counted`() throws {
        let folder = try GrowingFolder()
        let all = [("a", "u", 5), ("a", "u", 15), ("a", "v", 25), ("b", "u", 25)]
        try folder.append(
            all.map { line($0.0, user: $0.1, props: #"{"n":\#($0.2),"t":"x y"}"#) }.joined() + "no event\n"
                + #"{"v":1,"t_ms":1,"name":"session_started","type":"meta"}"# + "\n", to: "x.ndjson")
        let some = CohortFilter(except: try Cohort(Array("v".utf8), name: "x"))
        let tail = try EventTail(paths: [folder.path], matching: FunnelStep.parse("a[n>10]")[0].pattern, cohort: some)
        var events: [EventTail.Event] = []
        try tail.poll { event, _ in events.append(event) }
        #expect(events.map(\.user) == ["u"] && tail.badLines == 1)
        #expect(events.first?.properties == [.init(key: "n", value: "15"), .init(key: "t", value: "x y")])
        #expect(try EventTail(paths: [folder.path]).report(folder) == 4)
    }

    @Test func `a line that is too long is passed over and counted among those that cannot be read`() throws {
        let folder = try GrowingFolder()
        let long = String(repeating: "x", count: EventFileReader.lineLimit)
        try folder.append(line("a") + line("b", props: #"{"t":"\#(long)"}"#) + line("c"), to: "x.ndjson")
        let (tail, once) = (try EventTail(paths: [folder.path]), try EventTail(paths: [folder.path]))
        #expect(try names(tail) == ["a", "c"])
        var read: [String] = []
        try once.read(EventFileReader(paths: [folder.path])) { event, _ in read.append(event.name) }
        #expect(read == ["a", "c"] && tail.badLines == 1 && once.badLines == 1)
    }

    @Test func `a test of the session asks its latest line before the event`() throws {
        let folder = try GrowingFolder()
        func session(_ id: String, _ time: Int, _ platform: String) -> String {
            #"{"v":1,"t_ms":\#(time),"name":"session_started","type":"meta","session":"\#(id)","props":{"platform":"\#(platform)"}}"# + "\n"
        }
        func event(_ id: String, _ time: Int) -> String { #"{"v":1,"t_ms":\#(time),"name":"a","session":"\#(id)"}"# + "\n" }
        try folder.append(
            session("s", 1, "ios") + session("t", 1, "web") + event("s", 2) + event("t", 3) + event("none", 4) + session("s", 5, "web")
                + event("s", 6), to: "x.ndjson")
        func times(_ pattern: String) throws -> [Int64] {
            var times: [Int64] = []
            let tail = try EventTail(paths: [folder.path], matching: FunnelStep.parse(pattern)[0].pattern)
            try tail.poll { event, _ in times.append(event.timeMilliseconds) }
            return times
        }
        #expect(try times("a[session.platform=ios]") == [2])
        #expect(try times("a[session.platform=web]") == [3, 6])
        #expect(try times("a[session.platform!=ios]") == [3, 4, 6])
    }

    @Test("the first look shows the latest events by time, whatever their file", arguments: [0, 1, 3, 2000, 100_000])
    func latest(count: Int) throws {
        let folder = try GrowingFolder()
        let times = (0..<5000).map { $0 * 7919 % 5000 }
        try folder.append(times.prefix(2500).map { line("a", $0) }.joined() + "no event\n", to: "x.ndjson")
        try folder.append(times.suffix(2500).map { line("a", $0) }.joined(), to: "y.ndjson")
        let tail = try EventTail(paths: [folder.path], matching: FunnelStep.parse("a")[0].pattern)
        var shown: [Int64] = []
        try tail.pollLatest(count) { event, _ in shown.append(event.timeMilliseconds) }
        #expect(shown == (0..<5000).suffix(count).map { Int64($0) } && tail.badLines == 1)
        try folder.append(line("a", 1), to: "y.ndjson")
        #expect(try names(tail) == ["a"])
    }

    @Test(arguments: [(false, ["a"]), (true, ["a", "b"])])
    func `a last line without its end is shown only where nothing is read afterwards`(isLast: Bool, shown: [String]) throws {
        let folder = try GrowingFolder()
        try folder.append(line("a", 1) + String(line("b", 2).dropLast()), to: "x.ndjson")
        var names: [String] = []
        try EventTail(paths: [folder.path]).pollLatest(10, isLast: isLast) { event, _ in names.append(event.name) }
        #expect(names == shown)
    }

    @Test func `lines of a pipe show as they come, while its writer waits`() throws {
        let pipe = Pipe()
        let tail = try EventTail(paths: [])
        try pipe.fileHandleForWriting.write(contentsOf: Data(line("a").utf8))
        var shown: [String] = []
        try tail.read(EventFileReader(paths: ["-"], standardInput: pipe.fileHandleForReading.fileDescriptor)) { event, _ in
            shown.append(event.name)
            let next = try #require(["a": line("b") + "{", "b": String(line("c").dropFirst()), "c": ""][event.name])
            if next.isEmpty { try pipe.fileHandleForWriting.close() }
            if !next.isEmpty { try pipe.fileHandleForWriting.write(contentsOf: Data(next.utf8)) }
        }
        #expect(shown == ["a", "b", "c"])
    }

    @Test func `a path that leads nowhere is an error`() throws {
        #expect(throws: EventFileReadError.self) { try names(EventTail(paths: ["/nowhere/at/all"])) }
    }
}

extension EventTail {
    /// How many events the first poll shows.
    fileprivate func report(_ folder: GrowingFolder) throws -> Int {
        var count = 0
        try poll { _, _ in count += 1 }
        return count
    }
}

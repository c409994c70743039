import Basics
import Deflate
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// No file of any kind under a folder holds a byte of a person who was forgotten.
@Suite struct ForgottenBytesTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    private static func name(_ number: Int64) -> SegmentName { SegmentName(stem: "events", writer: 1, number: number) }

    private func forget(_ id: String, in path: String? = nil, on files: any FileSystem = PosixFileSystem()) throws -> ForgetResult {
        try EventForgetting([id], in: [path ?? folder.path], fileSystem: files).run(threads: 1)
    }

    private static func index(_ folder: WriterTestFolder) throws {
        _ = EventFileIndexer(try EventFileReader(paths: [folder.path]), keepsProperties: true).run(threads: 1)
    }

    /// The files under the folder, hidden ones too, that hold a text or its hexadecimal form, as they are or in a gzip stream.
    private static func files(holding texts: [String], in folder: WriterTestFolder) throws -> [String] {
        try folder.everything.filter { path in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder.path + "/" + path, isDirectory: &isFolder), !isFolder.boolValue else {
                return false
            }
            let bytes = try Data(folder.bytes(path))
            let contents =
                [bytes]
                + bytes.indices.dropLast(2).filter { bytes[$0] == 0x1F && bytes[$0 + 1] == 0x8B }.map { start in
                    bytes[start...].withUnsafeBytes { packed in
                        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
                        defer { room.deallocate() }
                        return Data(room[..<ZlibInflater(.gzip).inflate(packed, to: room).produced])
                    }
                }
            return texts.contains { text in
                let hexadecimal = text.utf8.map { String($0, radix: 16) }.joined()
                return contents.contains { $0.range(of: Data(text.utf8)) != nil || $0.range(of: Data(hexadecimal.utf8)) != nil }
            }
        }
    }

    /// Everything that writers, recovery, indexing and repair leave, with lines of a person in each.
    private static func fill(_ folder: WriterTestFolder) throws {
        let lines = [
            line(1, of: "a-1", session: "mine"), identified(2, "a-1", as: "user17", session: "mine"),
            line(3, of: "user17", session: "mine"),
        ]
        let other = line(1, of: "user18", session: "s2")
        let started = line(
            1, of: "user18", session: "s9", name: "session_started", props: #"{"app":"2.0","previous_session":"mine","os":"x"}"#,
            type: "meta")
        try folder.put(sealedFile(lines + [other]), name(1).sealed)
        try folder.put(sealedFile([started, line(2, of: "user18", session: "s9")]), name(2).sealed)
        try folder.put(sealedFile(lines.map { $0.replacingOccurrences(of: "mine-", with: "again-") }), name(20).sealed)
        try folder.put(sealedFile(lines.map { $0.replacingOccurrences(of: "mine-", with: "more-") }), name(21).sealed)
        try index(folder)
        // A summary whose segment is gone, one whose segment was replaced, and what a killed indexing left.
        try folder.put(folder.bytes(name(20).summary), ".\(name(22).summary).tmp")
        try FileManager.default.removeItem(atPath: folder.path + "/" + name(20).sealed)
        try folder.put(sealedFile([line(4, of: "user18", session: "s4")]), name(21).sealed)
        // What repair and a killed writer leave.
        let packed = sealedFile(lines)
        try folder.put(packed, name(23).temporary)
        for ending in ["", "-2"] { try folder.put(Array(packed.dropLast(40)), name(1).sealed + ".damaged" + ending) }
        try folder.put(packed, ".\(name(1).sealed).repair")
        // What recovery could not read, in folders that hold nothing else of the person's.
        try folder.put(Array(packed.dropLast(40)), "\(name(30).sealed).0.torn", in: ".quarantine")
        try folder.put(Array(packed.dropLast(40)), "\(name(31).sealed).0.torn", in: ".pending/.quarantine")
        for inside in [".sent", ".pending"] {
            let both = [line(1, of: "user17", session: inside), line(2, of: "user18", session: inside)]
            try folder.put(sealedFile(both), name(7).sealed, in: inside)
        }
    }

    private static let needles = ["user17", "a-1", #""mine""#]

    @Test func `nothing of the person stays, whatever was left beside the segments`() throws {
        try Self.fill(folder)
        #expect(try Self.files(holding: Self.needles, in: folder).count > 12)
        let result = try forget("user17")
        #expect(result.isComplete)
        #expect(try Self.files(holding: Self.needles, in: folder) == [])
        #expect(try folder.allLines().values.joined().count { $0.contains("user18") } == 6)
        let replaced = try SegmentSummary.open(forSegmentAt: folder.path + "/" + Self.name(2).sealed, on: PosixFileSystem())
        #expect(replaced?.facts.events == 0)
        #expect(try EventFileCheck(EventFileReader(paths: [folder.path])).run().isSound)
    }

    @Test func `lines that only the quarantine holds go, and summaries of others stay`() throws {
        try folder.put(sealedFile([line(1, of: "user18", session: "s")]), Self.name(1).sealed)
        try Self.index(folder)
        let summary = try folder.bytes(Self.name(1).summary)
        let torn = Array(sealedFile([line(1, of: "user17", session: "t")]).dropLast(40))
        try folder.put(torn, "\(Self.name(2).sealed).0.torn", in: ".quarantine")
        #expect(try forget("user17").isComplete)
        #expect(try Self.files(holding: Self.needles, in: folder) == [])
        #expect(try folder.bytes(Self.name(1).summary) == summary)
    }

    @Test func `a summary of a file without a segment's name goes only if that file is gone`() throws {
        for name in ["shop.ndjson.gz", "gone.ndjson.gz"] { try folder.put(sealedFile([line(1, of: "user18", session: "s")]), name) }
        try Self.index(folder)
        try FileManager.default.removeItem(atPath: folder.path + "/gone.ndjson.gz")
        #expect(try forget("user17").isComplete)
        #expect(folder.everything.filter { $0.hasSuffix(".parquet") } == ["shop.ndjson.gz.parquet"], "it fits; the other's file is gone")
        try folder.put([1, 2, 3], "shop.ndjson.gz.parquet")
        #expect(try forget("user17").isComplete)
        #expect(try folder.bytes("shop.ndjson.gz.parquet") == [1, 2, 3], "it may be anybody's, and holds nothing of the person")
        try folder.put(Array("signed in as user17\n".utf8), "shop.ndjson.gz.parquet")
        #expect(try !forget("user17").isComplete)
    }

    @Test func `what a killed indexing left of a file without a segment's name goes`() throws {
        try folder.put(sealedFile([line(1, of: "user17", session: "s")]), "shop.ndjson.gz")
        try Self.index(folder)
        let temporary = folder.path + "/.shop.ndjson.gz.parquet.tmp"
        try FileManager.default.moveItem(atPath: folder.path + "/shop.ndjson.gz.parquet", toPath: temporary)
        try FileManager.default.removeItem(atPath: folder.path + "/shop.ndjson.gz")
        #expect(try forget("user17").quarantined == [temporary])
        #expect(folder.everything == [])
    }

    @Test func `a run over one file removes nothing beside it, and no run removes other programs' copies`() throws {
        try folder.put(sealedFile([line(1, of: "user17", session: "s")]), Self.name(1).sealed)
        try folder.put([1], Self.name(1).sealed + ".damaged")
        try folder.put(Array(line(2, of: "user17", session: "s").utf8), "mine.ndjson")
        let others = ["backup.zip.damaged", ".photo.repair", "notes.txt"]
        for name in others { try folder.put(Array("of user17\n".utf8), name) }
        let named = try forget("user17", in: folder.path + "/mine.ndjson")
        #expect(named.quarantined == [] && named.files.map(\.outcome) == [.refused(.notASegment)])
        let whole = try forget("user17")
        #expect(whole.quarantined == [folder.path + "/" + Self.name(1).sealed + ".damaged"])
        #expect(whole.files.count { $0.outcome == .refused(.mentioned) } == 3)
        #expect(others.allSatisfy { folder.everything.contains($0) })
    }

    @Test func `a folder that holds no segment any more is cleared as well`() throws {
        let torn = Array(sealedFile([line(1, of: "user17", session: "t")]).dropLast(40))
        try folder.put(torn, "\(Self.name(2).sealed).0.torn", in: ".quarantine")
        try folder.put(sealedFile([line(1, of: "user17", session: "t")]), Self.name(3).sealed, in: ".sent")
        #expect(try forget("user17").isComplete)
        #expect(try Self.files(holding: Self.needles, in: folder) == [])
    }

    @Test func `the mark of an unfinished run goes, although no event file is left in its folder`() throws {
        try folder.put(sealedFile([line(1, of: "user17", session: "s")]), Self.name(1).sealed)
        try folder.put(sealedFile([line(2, of: "user17", session: "s")]), Self.name(2).open)
        #expect(try !forget("user17").isComplete)
        for name in [Self.name(1).sealed, Self.name(1).summary, Self.name(2).open] {
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        #expect(folder.everything == [ForgetMark.name])
        #expect(try forget("user17").isComplete)
        #expect(folder.everything == [])
    }

    @Test func `another person's session_started line loses the name of the person's session`() throws {
        try Self.fill(folder)
        _ = try forget("user17")
        let all = try folder.allLines().values.joined()
        let started = try notes("session_started", in: Array(all))
        #expect(started.map { $0.keys.sorted() } == [["app", "os"]])
    }

    /// The nightly run kills before every call, a push before every third.
    @Test func `killed before any call, a second run leaves no byte of the person`() throws {
        var number = 0
        var isDone = false
        while !isDone {
            number += isNight ? 1 : 3
            let folder = try WriterTestFolder()
            try Self.fill(folder)
            let files = FaultyFileSystem { [number] call in
                call.number == number ? .kill : call.kind == .synchronize ? .short(0) : nil
            }
            _ = try? forget("user17", in: folder.path, on: files.fileSystem)
            isDone = files.calls.count < number
            #expect(files.openDescriptors == 0, "call \(number)")
            #expect(try forget("user17", in: folder.path).isComplete, "call \(number)")
            #expect(try Self.files(holding: Self.needles, in: folder) == [], "call \(number)")
            #expect(try folder.allLines().values.joined().count { $0.contains("user18") } == 6, "call \(number)")
        }
        #expect(number > 100)
    }

    // MARK: What lies behind another name

    private func path(_ number: Int64) -> String { folder.path + "/" + Self.name(number).sealed }

    @Test func `a link and a file with a second name are left and named, until the other name is gone`() throws {
        let elsewhere = try WriterTestFolder()
        func lines(_ session: String) -> [UInt8] {
            sealedFile([line(1, of: "user17", session: session), line(2, of: "user18", session: session)])
        }
        for number in [Int64(1), 3] { try folder.put(lines("s\(number)"), Self.name(number).sealed) }
        try elsewhere.put(lines("s2"), "away.ndjson.gz")
        let others = [folder.path + "/twin.ndjson.gz", elsewhere.path + "/backup", path(2)]
        try FileManager.default.linkItem(atPath: path(1), toPath: others[0])
        try FileManager.default.linkItem(atPath: path(3), toPath: others[1])
        try FileManager.default.createSymbolicLink(atPath: others[2], withDestinationPath: elsewhere.path + "/away.ndjson.gz")
        let before = try [1, 2, 3].map { try folder.bytes(Self.name($0).sealed) }
        let result = try forget("user17")
        #expect(result.files.map(\.outcome) == Array(repeating: .refused(.linked), count: 3) && !result.isComplete)
        #expect(try [1, 2, 3].map { try folder.bytes(Self.name($0).sealed) } == before)
        for other in others { try FileManager.default.removeItem(atPath: other) }
        #expect(try forget("user17").isComplete)
        #expect(try Self.files(holding: Self.needles, in: folder) == [])
    }

    @Test func `a second name that a killed repair left is removed, and its file is rewritten`() throws {
        try folder.put(sealedFile([line(1, of: "user17", session: "s"), line(2, of: "user18", session: "s")]), Self.name(1).sealed)
        try FileManager.default.linkItem(atPath: path(1), toPath: path(1) + ".damaged")
        let preview = try EventForgetting(["user17"], in: [folder.path]).preview(threads: 1)
        #expect(preview.isComplete && preview.quarantined == [path(1) + ".damaged"])
        #expect(try forget("user17") == preview)
        #expect(try Self.files(holding: Self.needles, in: folder) == [])
    }

    @Test func `an open file that a crash left beside its finished one is named`() throws {
        let bytes = sealedFile([line(1, of: "user17", session: "s"), line(2, of: "user18", session: "s")])
        try folder.put(bytes, Self.name(1).sealed)
        try folder.put(bytes, Self.name(1).open)
        let result = try forget("user17")
        #expect(result.files.map(\.outcome).contains(.refused(.open)) && !result.isComplete)
    }

    @Test func `a file that leaves its folder meanwhile is named, and all others are done`() throws {
        for number in [Int64(1), 2] {
            try folder.put(sealedFile([line(1, of: "user17", session: "s\(number)")]), Self.name(number).sealed)
        }
        let leaving = path(1)
        let files = FaultyFileSystem { call in
            if call.kind == .open, call.name == leaving { unlink(leaving) }
            return nil
        }
        let result = try forget("user17", on: files.fileSystem)
        #expect(
            result.files == [
                .init(path: leaving, lines: 0, outcome: .refused(.changed)), .init(path: path(2), lines: 1, outcome: .emptied),
            ])
        #expect(try forget("user17").isComplete)
    }

    // MARK: What cannot be read is named

    @Test func `files in a sub-folder without event files are looked at, and no file is made there`() throws {
        try folder.put(sealedFile([line(1, of: "user17", session: "s")]), Self.name(1).sealed)
        try folder.put(Array("of user17\n".utf8), "notes.txt", in: "sub")
        let result = try forget("user17")
        #expect(result.files.last == .init(path: folder.path + "/sub/notes.txt", lines: 1, outcome: .refused(.mentioned)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/sub") == ["notes.txt"])
    }

    #if os(Linux)
    @Test func `folders whose names only look the same are two folders`() throws {
        for (name, other) in [("jos\u{E9}", "user18"), ("jose\u{301}", "user19")] {
            let lines = [line(1, of: "user17", session: "s-\(other)"), line(1, of: other, session: "t-\(other)")]
            try folder.put(sealedFile(lines), Self.name(1).sealed, in: name)
        }
        #expect(try forget("user17").isComplete)
        let users = ["user17", "user18", "user19"]
        let counts = try users.map { try PersonEvents(of: $0, in: EventFileReader(paths: [folder.path]), threads: 1).events.count }
        #expect(counts == [0, 1, 1])
    }

    @Test(arguments: ["a-?.ndjson.gz", "notes?", "sub?"])
    func `a file or folder whose name is not UTF-8 is named`(name: String) throws {
        try folder.put(sealedFile([line(1, of: "user18", session: "s")]), Self.name(1).sealed)
        let bytes = (folder.path + "/" + name).utf8.map { CChar(bitPattern: $0 == UInt8(ascii: "?") ? 0xFF : $0) } + [0]
        if name == "sub?" {
            try #require(mkdir(bytes, 0o700) == 0)
        } else {
            let file = open(bytes, O_CREAT | O_WRONLY, 0o600)
            try #require(file >= 0)
            close(file)
        }
        defer { remove(bytes) }
        let result = try EventForgetting(["user17"], in: [folder.path]).preview(threads: 1)
        #expect(result.files.map(\.outcome) == [.refused(.unreadable)] && !result.isComplete)
        #expect(try forget("user17") == result)
    }
    #endif

    @Test func `a damaged file and a broken line are named, although no line of the person can be read in them`() throws {
        var damaged = sealedFile([line(1, of: "user17", session: "s"), line(2, of: "user18", session: "s")], perMember: 1)
        damaged[40] ^= 1
        try folder.put(damaged, Self.name(1).sealed)
        try folder.put(sealedFile([#"{"v":1,"user":"user17","name""# + "\n"]), Self.name(2).sealed)
        let result = try forget("user17")
        #expect(result.files.map(\.outcome) == [.refused(.damaged), .refused(.damaged)] && !result.isComplete)
    }

    @Test(arguments: ["12:00 signed in as user17", #"{"message":"friends\u2019:\nuser17\tuser18"}"#])
    func `a log that names the person is named, and one that does not is left alone`(text: String) throws {
        let log = SegmentName(stem: "app", writer: 1, number: 1, contents: .log)
        try folder.put(sealedFile([text + "\n"]), log.sealed)
        for id in ["user1", "2019", "é"] { #expect(try forget(id).isComplete, "\(id)") }
        let result = try forget("user17")
        #expect(result.files == [.init(path: folder.path + "/" + log.sealed, lines: 1, outcome: .refused(.mentioned))])
    }

    @Test(arguments: [
        #"{"state":{"name":"z\u00eb/1"}}"#, #"{"name":"z\u00EB\/1"}"#, #"user: "zë/1""#, #"{"text":"{\"user\":\"z\\u00eb/1\"}"}"#,
        #"{"a":"{\"b\":\"{\\\"user\\\":\\\"z\\\\u00eb\\\\/1\\\"}\"}"}"#,
    ])
    func `an id is found in a log however its letters are escaped`(text: String) throws {
        try folder.put(sealedFile([text + "\n"]), SegmentName(stem: "app", writer: 1, number: 1, contents: .log).sealed)
        #expect(try forget("zë/1").files.map(\.outcome) == [.refused(.mentioned)])
    }

    @Test func `the search through other files asks at each line whether it must end`() throws {
        try Self.fill(folder)
        try folder.put(Array(String(repeating: "12:00 nobody\n", count: 1_000).utf8), "notes.txt")
        let (asked, isSearching) = (Lock(0), Lock(false))
        let files = FaultyFileSystem { call in
            if call.name.hasSuffix("/notes.txt") { isSearching.withLock { $0 = true } }
            return nil
        }
        let forgetting = EventForgetting(["user17"], in: [folder.path], fileSystem: files.fileSystem)
        #expect(throws: EventFileError.suspended) {
            try forgetting.run(changes: true, threads: 1, progress: nil) {
                if isSearching.withLock({ $0 }) { asked.withLock { $0 += 1 } }
                if asked.withLock({ $0 }) == 500 { throw EventFileError.suspended }
            }
        }
        #expect(asked.withLock { $0 } == 500 && files.openDescriptors == 0)
        #expect(try forget("user17").isComplete)
    }

    @Test(arguments: [EIO, EACCES])
    func `a file that the last search cannot read is an error, so the run does not end as complete`(errno: Int32) throws {
        try Self.fill(folder)
        try folder.put(Array("12:00 signed in as user17\n".utf8), "notes.txt")
        let files = FaultyFileSystem { $0.kind == .open && $0.name.hasSuffix("/notes.txt") ? .fail(errno) : nil }
        #expect(throws: EventFileReadError.self) { try forget("user17", on: files.fileSystem) }
        #expect(files.openDescriptors == 0 && files.calls.contains { $0.name.hasSuffix("/notes.txt") })
        let result = try forget("user17")
        #expect(result.files == [.init(path: folder.path + "/notes.txt", lines: 1, outcome: .refused(.mentioned))])
    }

    @Test(arguments: [(FileSystemError.Call.create, UploadLock.name), (FileSystemError.Call.write, ForgetMark.name)])
    func `an error names the folder, too`(call: FileSystemError.Call, name: String) throws {
        try folder.put(sealedFile([line(1, of: "user17", session: "s")]), Self.name(1).sealed)
        let files = FaultyFileSystem { $0.kind == call ? .fail(ENOSPC) : nil }
        #expect(throws: FileSystemError(call, errno: ENOSPC, path: folder.path + "/" + name)) { try forget("user17", on: files.fileSystem) }
    }

    @Test func `an error of a folder with a relative path names the folder once`() {
        let error = FileSystemError(.synchronize, errno: EIO, path: "events")
        let folder = EventFolder.unopened("events", on: PosixFileSystem())
        #expect(throws: error) { try ForgetFolders.naming(folder) { () throws -> Void in throw error } }
    }

    @Test func `a running writer's ring is named, because it may hold lines that are in a file already`() async throws {
        let writer = try EventFileWriter(folder, options: smallRing, clock: clock, fileSystem: quickFiles().fileSystem)
        _ = try await writer.recovered()
        writer.record(testEvent(1, session: "17"))
        try await writer.rotate()
        let result = try forget("u17")
        #expect(result.files.map(\.outcome).contains(.refused(.open)) && !result.isComplete)
        #expect(try !folder.allLines().values.joined().contains { $0.contains("u17") })
        try await writer.close()
        #expect(try forget("u17").isComplete)
    }

    // MARK: A dry run

    @Test func `a dry run says what would go and changes nothing`() throws {
        try Self.fill(folder)
        let before = try folder.everything.filter { !$0.hasSuffix("ending") && !$0.hasSuffix(".sent") && !$0.hasSuffix(".quarantine") }.map
        {
            try folder.bytes($0)
        }
        let names = folder.everything
        let preview = try EventForgetting(["user17"], in: [folder.path]).preview(threads: 1)
        #expect(folder.everything == names)
        let after = try folder.everything.filter { !$0.hasSuffix("ending") && !$0.hasSuffix(".sent") && !$0.hasSuffix(".quarantine") }.map {
            try folder.bytes($0)
        }
        #expect(after == before)
        #expect(try forget("user17") == preview)
    }
}

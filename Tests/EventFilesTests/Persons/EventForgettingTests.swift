import Basics
import Foundation
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles

/// One person's lines go, and nobody else's.
@Suite struct EventForgettingTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    private static func name(_ number: Int64, writer: UInt64 = 1) -> SegmentName {
        SegmentName(stem: "events", writer: writer, number: number)
    }

    private static func replacement(_ number: Int64) -> String { ForgetRewriting.replacement(of: name(number)).sealed }

    private func forget(_ ids: String..., in path: String? = nil, on files: any FileSystem = PosixFileSystem()) throws -> ForgetResult {
        try EventForgetting(ids, in: [path ?? folder.path], fileSystem: files).run(threads: 2)
    }

    /// Makes three files: one of two people who share a session, one without the person, and one of the person alone.
    private static func fill(_ folder: WriterTestFolder) throws {
        try folder.put(
            sealedFile([
                line(1, of: "a-1", session: "s1"), identified(2, "a-1", as: "u17", session: "s1"), line(3, of: "u17", session: "s1"),
                line(4, of: "u18", session: "s1"), line(5, of: "u17", session: "s1"), line(6, of: "u18", session: "s1"),
                line(1, of: "u17", session: "own"),
            ]), name(1).sealed)
        try folder.put(sealedFile([line(1, of: "u18", session: "s2"), line(2, of: "u18", session: "s2")]), name(2).sealed)
        try folder.put(sealedFile([line(2, of: "u17", session: "own"), line(3, of: "a-1", session: "own")]), name(3).sealed)
    }

    private static let others = ["s1-4", "s1-6", "s2-1", "s2-2"]

    /// The ids of all events, sorted. An event that is there twice is listed twice.
    private static func ids(_ folder: WriterTestFolder) throws -> [String] {
        try folder.allLines().values.joined().compactMap { line in
            let object = try object(line)
            return object["seq"] == nil ? nil : object["id"] as? String
        }.sorted()
    }

    private static func isSound(_ folder: WriterTestFolder) throws -> Bool {
        try EventFileCheck(EventFileReader(paths: [folder.path])).run().isSound
    }

    // MARK: What happens

    @Test func `the person goes with the anonymous ids, others stay, and the old name is an empty sealed file`() throws {
        try Self.fill(folder)
        let untouched = try folder.bytes(Self.name(2).sealed)
        let report = try forget("u17")
        #expect(
            report.files == [
                .init(path: folder.path + "/" + Self.name(1).sealed, lines: 5, outcome: .replaced(by: Self.replacement(1))),
                .init(path: folder.path + "/" + Self.name(3).sealed, lines: 2, outcome: .emptied),
            ])
        #expect(report.ids.aliases == ["a-1"] && report.removedLines == 7 && report.isComplete)
        #expect(try Self.ids(folder) == Self.others)
        #expect(try folder.bytes(Self.name(2).sealed) == untouched)
        for number in [Int64(1), 3] { #expect(try folder.bytes(Self.name(number).sealed) == BGZF.endMember) }
        #expect(folder.everything.count == 6, "neither lock nor mark is left: \(folder.everything)")
        for number in [Int64(1), 3] {
            let tombstone = folder.path + "/" + Self.name(number).sealed
            let summary = try SegmentSummary.open(forSegmentAt: tombstone, on: PosixFileSystem())
            #expect(summary?.facts.events == 0, "a device that sends the old one finds the name taken")
        }
        for (name, lines) in try folder.allLines() {
            for line in lines { #expect(!line.contains("u17") && !line.contains("a-1") && !line.contains("own"), "\(name): \(line)") }
        }
    }

    @Test func `a dropped line explains the gaps in sessions of others, and check finds all sound`() throws {
        try Self.fill(folder)
        _ = try forget("u17")
        let notes = try notes("dropped", in: folder.decode(Self.replacement(1)).lines)
        #expect(notes.count == 1 && notes[0]["count"] as? Int == 5)
        #expect(notes[0]["reasons"] as? [String: Int] == ["forgotten": 5])
        #expect(notes[0]["sessions"] as? [String: Int] == ["s1": 4], "a session that was the person's alone is not named")
        #expect(try Self.isSound(folder))
    }

    @Test func `the same files become the same bytes wherever and whenever the person goes`() throws {
        let other = try WriterTestFolder()
        for folder in [folder, other] {
            try Self.fill(folder)
            _ = try forget("u17", in: folder.path)
        }
        #expect(folder.everything == other.everything && folder.everything.contains(Self.replacement(1)))
        for name in folder.everything { #expect(try folder.bytes(name) == other.bytes(name), "\(name)") }
        let note = try #require(try folder.decode(Self.replacement(1)).lines.last)
        #expect(try object(note)["t_ms"] as? Int == 1_767_225_600_001, "the time of the old file's last line")
    }

    @Test func `who could read the old file can read the new ones`() throws {
        try Self.fill(folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path + "/" + Self.name(1).sealed)
        _ = try forget("u17")
        #expect(try folder.permissions(Self.name(1).sealed) == 0o640 && folder.permissions(Self.replacement(1)) == 0o640)
        #expect(try folder.permissions(Self.name(3).sealed) == folder.permissions(Self.name(2).sealed))
    }

    @Test func `a second run finds nothing to do and leaves the emptied files as they are`() throws {
        try Self.fill(folder)
        _ = try forget("u17", in: folder.path + "//")
        let after = try folder.allLines()
        #expect(try forget("u17").files == [])
        #expect(try folder.allLines() == after)
    }

    @Test func `several people leave nothing behind, forgotten one after the other or at once`() throws {
        try Self.fill(folder)
        let other = try WriterTestFolder()
        try Self.fill(other)
        _ = try forget("u17")
        _ = try forget("u18")
        let both = try EventForgetting(["u17", "u18"], in: [other.path]).run()
        #expect(both.isComplete && both.removedLines == 11)
        #expect(try Self.ids(folder) == [] && Self.ids(other) == [])
        #expect(try Self.isSound(folder) && Self.isSound(other))
    }

    @Test func `ids with escapes, quotes and odd characters are found as any other`() throws {
        for id in [#"a\"b"#, #"Ünï\/cödé"#, "' OR 1=1 --", #"\u0075-esc"#] {
            try folder.put(sealedFile([line(1, of: id, session: "s"), line(2, of: "u", session: "s")]), Self.name(9).sealed)
            let plain = try #require(JSONSerialization.jsonObject(with: Data("[\"\(id)\"]".utf8)) as? [String])[0]
            #expect(try forget(plain).removedLines == 1, "\(plain)")
            for name in folder.names { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
        }
    }

    @Test func `ids that only look the same are two people's`() throws {
        let (one, other) = ("jos\u{E9}", "jose\u{301}")
        let lines = [
            line(1, of: one, session: "s1"), line(1, of: other, session: "s2"), identified(1, "a-1", as: other, session: "s3"),
            line(2, of: "a-1", session: "s3"),
        ]
        try folder.put(sealedFile(lines), Self.name(1).sealed)
        #expect(try PersonIDs([one, other], in: EventFileReader(paths: [folder.path])).ids.count == 2)
        #expect(try forget(one).ids.aliases == [] && Self.ids(folder) == ["s2-1", "s3-1", "s3-2"])
        #expect(try forget(other).ids.aliases == ["a-1"] && Self.ids(folder) == [])
    }

    @Test func `a file of the person alone leaves a line that explains the gap in a session of others`() throws {
        try folder.put(sealedFile([line(1, of: "u18", session: "s1"), line(4, of: "u18", session: "s1")]), Self.name(1).sealed)
        try folder.put(sealedFile([line(2, of: "u17", session: "s1"), line(3, of: "u17", session: "s1")]), Self.name(2).sealed)
        #expect(try forget("u17").files.map(\.outcome) == [.replaced(by: Self.replacement(2))])
        #expect(try Self.isSound(folder) && forget("u17").files == [])
    }

    @Test func `an anonymous id goes with the line that joins it, and its user stays`() throws {
        try Self.fill(folder)
        let report = try forget("a-1")
        #expect(report.ids.became == ["a-1": "u17"] && report.removedLines == 3)
        #expect(try Self.ids(folder) == ["own-1", "own-2", "s1-3", "s1-4", "s1-5", "s1-6", "s2-1", "s2-2"])
        #expect(try Self.isSound(folder))
    }

    @Test func `a person of whom there is no line changes nothing`() throws {
        try Self.fill(folder)
        let before = try folder.allLines()
        #expect(try forget("nobody").files == [] && folder.allLines() == before && folder.everything.count == 3)
    }

    // MARK: What is left and named

    @Test func `open files, damaged ones and those without a segment's name are left as they are and named`() throws {
        try Self.fill(folder)
        let lines = [line(7, of: "u17", session: "s1")]
        try folder.put(sealedFile(lines), Self.name(4).open)
        var damaged = sealedFile(lines + [line(8, of: "u18", session: "s1")], perMember: 1)
        damaged[damaged.count - 40] ^= 1
        try folder.put(damaged, Self.name(5).sealed)
        try folder.put(sealedFile(lines), "copy.ndjson.gz")
        try folder.put(Array(lines[0].utf8), "plain.ndjson")
        let before = try ["copy.ndjson.gz", "plain.ndjson", Self.name(4).open, Self.name(5).sealed].map { try folder.bytes($0) }
        let report = try forget("u17")
        #expect(!report.isComplete)
        let refused = report.files.compactMap { file -> String? in
            guard case .refused(let refusal) = file.outcome else { return nil }
            return "\(FilePath(file.path).name) \(refusal)"
        }
        #expect(
            Set(refused) == [
                "copy.ndjson.gz notASegment", "plain.ndjson notASegment", "\(Self.name(4).open) open", "\(Self.name(5).sealed) damaged",
            ])
        #expect(try ["copy.ndjson.gz", "plain.ndjson", Self.name(4).open, Self.name(5).sealed].map { try folder.bytes($0) } == before)
        #expect(report.removedLines == 7, "the others are done")
    }

    @Test func `a link to another folder is named, and its files are changed only where they are given`() throws {
        try Self.fill(folder)
        let other = try WriterTestFolder()
        try Self.fill(other)
        let link = folder.path + "/old"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other.path)
        let report = try forget("u17")
        #expect(report.files.filter { $0.outcome == .refused(.linked) }.map(\.path) == [link] && !report.isComplete)
        #expect(try Self.ids(folder) == Self.others && Self.ids(other) != Self.others)
        #expect(try EventForgetting(["u17"], in: [folder.path, link]).run(threads: 2).isComplete)
        #expect(try Self.ids(other) == Self.others)
    }

    @Test func `a run over some files keeps the mark of an unfinished run over their folder`() throws {
        try Self.fill(folder)
        let late = [line(7, of: "a-1", session: "s1")]
        try folder.put(sealedFile(late), Self.name(4).open)
        #expect(try !forget("u17").isComplete)
        #expect(try forget("u17", in: folder.path + "/*.ndjson.gz").isComplete)
        try FileManager.default.moveItem(
            atPath: folder.path + "/" + Self.name(4).open, toPath: folder.path + "/" + Self.name(4).sealed)
        #expect(try forget("u17").removedLines == 1, "the line that made u17 of a-1 is gone, and known all the same")
        #expect(try Self.ids(folder) == Self.others && !folder.everything.contains(ForgetMark.name))
    }

    @Test func `a file whose upload may have arrived is left and named, until it is answered`() throws {
        try Self.fill(folder)
        try folder.put(Array("+\(Self.name(1).sealed)\n".utf8), UploadLock.name)
        let report = try forget("u17")
        #expect(report.files[0].outcome == .refused(.mayHaveArrived) && report.files[1].outcome == .emptied)
        try folder.put([], UploadLock.name)
        #expect(try forget("u17").isComplete)
        #expect(try Self.ids(folder) == Self.others)
    }

    @Test func `what a killed run had begun is finished, whatever an older journal says after a power loss`() throws {
        try Self.fill(folder)
        let others = [line(4, of: "u18", session: "s1"), line(6, of: "u18", session: "s1")]
        try folder.put(sealedFile(others), Self.replacement(1))
        try folder.put(Array("+\(Self.name(1).sealed)\n".utf8), UploadLock.name)
        #expect(try forget("u17").isComplete)
        #expect(try Self.ids(folder) == Self.others && folder.bytes(Self.name(1).sealed) == BGZF.endMember)
    }

    @Test func `no file is emptied whose lines of others are not all in the file that a killed run made`() throws {
        try Self.fill(folder)
        let old = try folder.bytes(Self.name(1).sealed)
        let made = [line(4, of: "u18", session: "s1"), line(6, of: "u18", session: "s1")]
        for lacking in [sealedFile([made[0]]), Array(sealedFile(made, perMember: 1).dropLast(60)), sealedFile([])] {
            try folder.put(lacking, Self.replacement(1))
            for result in [try EventForgetting(["u17"], in: [folder.path]).preview(), try forget("u17")] {
                let refused = result.files.filter { $0.outcome == .refused(.incomplete) }
                #expect(refused.map(\.path) == ["\(folder.path)/\(Self.replacement(1))"] && !result.isComplete)
            }
            #expect(try folder.bytes(Self.name(1).sealed) == old)
        }
        // As its advice says: without that file the run begins anew.
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(Self.replacement(1))")
        #expect(try forget("u17").isComplete && Self.ids(folder) == Self.others)
    }

    @Test func `a damaged file is not emptied beside a damaged one that holds all that can be read of it`() throws {
        try Self.fill(folder)
        let made = [line(4, of: "u18", session: "s1"), line(6, of: "u18", session: "s1")]
        try folder.put(Array(sealedFile(made).dropLast(28)), Self.replacement(1))
        let old = try Array(folder.bytes(Self.name(1).sealed).dropLast(28))
        try folder.put(old, Self.name(1).sealed)
        let result = try forget("u17")
        let outcomes = result.files.filter { $0.path.hasSuffix(Self.replacement(1)) }.map(\.outcome)
        #expect(outcomes == [.refused(.incomplete)] && !result.isComplete, "named once, and no repair is advised")
        #expect(try folder.bytes(Self.name(1).sealed) == old)
    }

    @Test func `a file that was damaged after others' lines were saved is emptied`() throws {
        try Self.fill(folder)
        let made = [line(4, of: "u18", session: "s1"), line(6, of: "u18", session: "s1")]
        try folder.put(sealedFile(made), Self.replacement(1))
        try folder.put(Array(folder.bytes(Self.name(1).sealed).dropLast(60)), Self.name(1).sealed)
        #expect(try forget("u17").isComplete && Self.ids(folder) == Self.others)
    }

    @Test func `an ordinary gzip with a segment's name is treated as a segment`() throws {
        try Self.fill(folder)
        let lines = [line(7, of: "u17", session: "s1"), line(8, of: "u18", session: "s1")]
        try folder.put(Gzip.ordinary(lines.joined()), Self.name(4).sealed)
        #expect(try forget("u17").isComplete && Self.ids(folder) == ["s1-4", "s1-6", "s1-8", "s2-1", "s2-2"])
    }

    @Test func `an id with bytes that are no UTF-8 is found as it is shown`() throws {
        let lines = [line(1, of: "u?7", session: "s1"), line(2, of: "u18", session: "s1")]
        let bytes = Array(lines.joined().utf8).map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
        try folder.put(Gzip.ordinary(bytes), Self.name(1).sealed)
        #expect(try forget("u\u{FFFD}7").removedLines == 1 && Self.ids(folder) == ["s1-2"])
    }

    @Test func `a ring in which a line of the person waits is left and named, until its writer is closed`() async throws {
        try Self.fill(folder)
        let writer = try EventFileWriter(folder, options: smallRing, clock: clock, fileSystem: quickFiles().fileSystem)
        _ = try await writer.recovered()
        let ring = folder.path + "/" + (try #require(folder.rings.first))
        #expect(try forget("u18").isComplete, "nothing waits there")
        for number in 1...3 { writer.record(testEvent(number, session: "17")) }
        let report = try forget("u17")
        #expect(report.files.first == .init(path: ring, lines: 3, outcome: .refused(.open)) && !report.isComplete)
        let link = folder.path + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        defer { try? FileManager.default.removeItem(atPath: link) }
        #expect(try !forget("u17", in: link).isComplete, "through a link it is the same folder")
        try await writer.close()
        #expect(try forget("u17").isComplete && Self.ids(folder) == [])
    }

    @Test func `a ring of pending events and one that cannot be read are left and named as well`() async throws {
        let files = quickFiles()
        let writer = try EventFileWriter(folder, options: smallRing, clock: clock, fileSystem: files.fileSystem)
        writer.setConsent(.pending)
        try await writer.flush()
        writer.record(testEvent(1, session: "17"))
        try folder.put([UInt8](repeating: 1, count: 5_000), ".events-00000000000000bb.ring")
        let refused = try forget("u17").files.map { "\(FilePath($0.path).name) \($0.lines)" }
        let pending = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path + "/.pending").first)
        #expect(refused == [".events-00000000000000bb.ring 0", "\(pending) 1"])
        files.kill()
        try? await writer.close(deadline: .zero)
    }

    @Test func `a log's ring with a line that names the person is left and named`() async throws {
        var options = smallRing
        options.contents = .log
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: quickFiles().fileSystem)
        _ = try await writer.recovered()
        _ = writer.record(line: "12:00 signed in as u17")
        let ring = folder.path + "/" + (try #require(folder.rings.first))
        #expect(try forget("u1").isComplete)
        #expect(try forget("u17").files == [.init(path: ring, lines: 1, outcome: .refused(.open))])
        try await writer.close()
    }

    @Test func `people whom version 0.1 marked as done are not forgotten again`() throws {
        try Data("id 41\nid 42\ndone 41\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/" + ForgetMark.name))
        let held = try EventFolder.open(folder.path, on: PosixFileSystem())
        let mark = try #require(try ForgetMark(in: held))
        #expect(mark.ids == [ExactText("B")])
        mark.close()
    }

    @Test func `while an uploader is at work nothing is changed`() throws {
        try Self.fill(folder)
        let held = try EventFolder.open(folder.path, on: PosixFileSystem())
        guard case .taken(let lock) = try UploadLock.take(in: held, making: true) else { return #expect(Bool(false), "it is free") }
        let before = try folder.allLines()
        let report = try forget("u17")
        #expect(report.files == [.init(path: folder.path, lines: 0, outcome: .refused(.inUse))])
        #expect(try folder.allLines() == before)
        lock.release()
        held.close()
        #expect(try forget("u17").isComplete)
    }

    @Test(arguments: [[false, true], [true, false], [false, false]])
    func `a folder that two paths name is one folder`(areWhole: [Bool]) throws {
        try Self.fill(folder)
        let paths = zip(["/./", "/"], areWhole).enumerated().map { index, path in
            folder.path + path.0 + (path.1 ? "" : Self.name(index == 0 ? 1 : 3).sealed)
        }
        let report = try EventForgetting(["u17"], in: paths).run(threads: 2)
        #expect(report.isComplete && report.files.count == 2)
        #expect(try Self.ids(folder) == Self.others)
        #expect(folder.everything.count == 6, "neither lock nor mark is left: \(folder.everything)")
    }

    @Test func `sent and pending files, summaries and the quarantine are treated as well`() throws {
        try Self.fill(folder)
        for inside in [".sent", ".pending"] {
            let lines = [line(1, of: "u17", session: inside), line(2, of: "u18", session: inside)]
            try folder.put(sealedFile(lines), Self.name(7).sealed, in: inside)
        }
        try folder.put([1], Self.name(1).summary)
        try folder.put([1], Self.name(2).summary)
        try folder.put([1, 2], "\(Self.name(1).sealed).0.torn", in: ".quarantine")
        let report = try forget("u17")
        #expect(report.isComplete && report.files.count == 4)
        #expect(report.quarantined.count == 3, "what is no summary of its segment goes, too")
        for inside in [".sent", ".pending"] {
            #expect(try folder.decode(inside + "/" + Self.replacement(7)).lines.count == 2, "the other's line and the note")
            #expect(try folder.bytes(inside + "/" + Self.name(7).sealed) == BGZF.endMember)
        }
        #expect(!folder.everything.contains { $0.hasSuffix(".torn") })
        #expect(folder.everything.filter { $0.hasSuffix(".parquet") } == [1, 3].map { Self.name($0).summary }, "of tombstones alone")
    }

    @Test func `a folder whose lock file goes while it is taken is left for another run`() throws {
        try Self.fill(folder)
        // The file is said to be there, and then it is not.
        let files = FaultyFileSystem { $0.kind == .create && $0.name == UploadLock.name ? .fail(EEXIST) : nil }
        #expect(try forget("u17", on: files.fileSystem).files == [.init(path: folder.path, lines: 0, outcome: .refused(.inUse))])
        #expect(try forget("u17").isComplete)
    }

    // MARK: Kills and faults

    @Test func `killed before any call, nothing of others is lost, and a second run finishes`() throws {
        var number = 0
        var isDone = false
        while !isDone {
            number += 1
            let folder = try WriterTestFolder()
            try Self.fill(folder)
            let pending = [line(1, of: "u17", session: "p"), line(2, of: "u18", session: "p")]
            try folder.put(sealedFile(pending), Self.name(7).sealed, in: ".pending")
            let files = FaultyFileSystem { [number] call in call.number == number ? .kill : nil }
            _ = try? EventForgetting(["u17"], in: [folder.path], fileSystem: files.fileSystem).run(threads: 1)
            isDone = files.calls.count < number
            let wanted = (Self.others + ["p-2"]).sorted()
            #expect(Set(wanted).isSubset(of: try Self.ids(folder)), "call \(number): of others nothing is lost")
            #expect(try EventForgetting(["u17"], in: [folder.path]).run(threads: 1).isComplete)
            #expect(try Self.ids(folder) == wanted, "call \(number): once each, and nothing of the person")
            #expect(try Self.isSound(folder))
            for number in [Int64(1), 3] { #expect(folder.everything.contains(Self.name(number).summary), "call \(number)") }
            #expect(!folder.everything.contains(ForgetMark.name) && !folder.everything.contains { $0.hasSuffix(".tmp") })
        }
        #expect(number > 60)
    }

    @Test func `killed while one person goes, another run for another person finishes both`() throws {
        var number = 0
        var isDone = false
        while !isDone {
            number += 1
            let folder = try WriterTestFolder()
            try Self.fill(folder)
            let files = FaultyFileSystem { [number] call in call.number == number ? .kill : nil }
            _ = try? EventForgetting(["u17"], in: [folder.path], fileSystem: files.fileSystem).run(threads: 1)
            isDone = files.calls.count < number
            _ = try EventForgetting(["u18"], in: [folder.path]).run(threads: 1)
            let left = try Self.ids(folder)
            #expect(Set(left).count == left.count && !left.contains { Self.others.contains($0) }, "call \(number): nothing is there twice")
            // The run for the other person does not lose what the killed run knew of the first.
            _ = try EventForgetting(["u17"], in: [folder.path]).run(threads: 1)
            #expect(try Self.ids(folder) == [] && !folder.everything.contains(ForgetMark.name), "call \(number)")
        }
    }

    @Test(arguments: [EIO, ENOSPC, EACCES])
    func `a call that fails loses nothing of others, and a second run finishes`(errno: Int32) throws {
        var number = 0
        var isDone = false
        while !isDone {
            number += 3
            let folder = try WriterTestFolder()
            try Self.fill(folder)
            let files = FaultyFileSystem { [number] call in call.number == number ? .fail(errno) : nil }
            _ = try? EventForgetting(["u17"], in: [folder.path], fileSystem: files.fileSystem).run(threads: 1)
            isDone = files.calls.count < number
            #expect(Set(Self.others).isSubset(of: try Self.ids(folder)), "call \(number)")
            #expect(files.openDescriptors == 0, "call \(number)")
            #expect(try EventForgetting(["u17"], in: [folder.path]).run(threads: 1).isComplete)
            #expect(try Self.ids(folder) == Self.others)
        }
    }

    // MARK: The person's lines

    @Test func `everything about a person comes in order of time, each event once, as it stands in the files`() throws {
        try Self.fill(folder)
        try folder.put(sealedFile([line(5, of: "u17", session: "s1"), line(9, of: "u17", session: "s0")]), Self.name(8).sealed)
        let person = try PersonEvents(of: "u17", in: EventFileReader(paths: [folder.path]))
        #expect(person.ids.aliases == ["a-1"])
        #expect(
            person.events.map { "\($0.session)-\($0.sequence)" }
                == ["s1-1", "own-1", "s1-2", "own-2", "s1-3", "own-3", "s1-5", "s0-9"])
        #expect(person.events.map(\.line).contains(Array(line(3, of: "u17", session: "s1").utf8.dropLast())))
        #expect(person.events.map(\.timeMilliseconds) == person.events.map(\.timeMilliseconds).sorted())
        #expect(try PersonEvents(of: "nobody", in: EventFileReader(paths: [folder.path])).events.isEmpty)
    }

    @Test func `a person's events include those sent and those that wait for consent`() throws {
        try Self.fill(folder)
        for inside in [".sent", ".pending"] {
            try folder.put(sealedFile([line(1, of: "u17", session: inside)]), Self.name(7).sealed, in: inside)
        }
        let person = try PersonEvents(of: "u17", in: EventFileReader(paths: [folder.path]))
        #expect(Set(person.events.map(\.session)) == ["s1", "own", ".sent", ".pending"] && person.events.count == 9)
        let one = try PersonEvents(of: "u17", in: EventFileReader(paths: [folder.path + "/" + Self.name(1).sealed]))
        #expect(one.events.count == 5, "a file that is named is read alone")
        try folder.put(Array(line(9, of: "u17", session: "old").utf8), "old.txt")
        let both = try PersonEvents(of: "u17", in: EventFileReader(paths: [folder.path, folder.path + "/old.txt"]))
        #expect(both.events.count == 10, "a file named beside its folder is read, whatever its name")
    }

    @Test func `a hidden folder that cannot be looked for is an error, and is not left out`() throws {
        try Self.fill(folder)
        let files = FaultyFileSystem { $0.kind == .status && $0.name == ".sent" ? .fail(EIO) : nil }
        let reader = try EventFileReader(paths: [folder.path], fileSystem: files.fileSystem)
        #expect(throws: EventFileReadError.self) { try PersonEvents(of: "u17", in: reader, threads: 1) }
        #expect(files.openDescriptors == 0)
    }

    @Test func `a folder without event files is an error for forgetting, and not sound for a check`() throws {
        let nothing = EventFileReadError.noEventFiles(lookedAt: [folder.path])
        try folder.put([1], "readme.txt")
        #expect(throws: nothing) { try forget("u17") }
        let reader = try EventFileReader(paths: [folder.path])
        #expect(throws: nothing) { try reader.requireFiles() }
        #expect(try !EventFileCheck(reader).run().isSound)
        #expect(folder.everything == ["readme.txt"])
    }

    @Test func `the first identified line of an anonymous id wins`() throws {
        try folder.put(
            sealedFile([
                identified(5, "a-1", as: "late", session: "x"), identified(3, "a-1", as: "first", session: "y"),
                identified(3, "a-2", as: "zoe", session: "z"), identified(3, "a-2", as: "amy", session: "w"),
            ]), Self.name(1).sealed)
        let reader = try EventFileReader(paths: [folder.path])
        #expect(try PersonIDs(["first", "amy"], in: reader).aliases == ["a-1", "a-2"])
        #expect(try PersonIDs(["late", "zoe"], in: reader).aliases == [])
    }
}

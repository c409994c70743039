import Basics
import Foundation
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles

/// Where sound files go, what is refused, and what a kill or a full disk leaves.
@Suite struct RepairPlacesTests {
    let trial: RepairTrial
    let cut: [UInt8]

    init() throws {
        trial = try RepairTrial()
        cut = Array(Gzip.blocked(RepairTrial.members).dropLast(40))
    }

    private func listed(_ names: String...) throws -> [InputFile] {
        try EventFileReader(paths: names.map { try trial.folder.write("{}", $0) }).files
    }

    @Test(arguments: [
        ("a.ndjson.gz", "a.ndjson.gz"), ("a.ndjson.gz.open", "a.ndjson.gz"), ("a.ndjson", "a.ndjson.gz"), ("a.jsonl", "a.jsonl.gz"),
        ("a.jsonl.gz", "a.jsonl.gz"), ("a.log", "a.log.ndjson.gz"),
    ])
    func `in a folder the sound file has the damaged one's name, with the ending of a sealed file`(name: String, expected: String) throws {
        let jobs = try RepairJob.jobs(for: listed(name), into: .folder("out/"))
        #expect(jobs.map(\.output) == ["out/" + expected])
    }

    @Test func `jobs that cannot work are refused before anything is read`() throws {
        let one = try listed("a.ndjson")
        #expect(throws: RepairError.notNamedGzip("b.ndjson")) { try RepairJob.jobs(for: one, into: .path("b.ndjson")) }
        let two = try listed("x/a.ndjson.gz", "y/a.ndjson.gz")
        #expect(throws: RepairError.sameOutput(two[0].path, two[1].path, output: "out/a.ndjson.gz")) {
            try RepairJob.jobs(for: two, into: .folder("out"))
        }
        let input = try EventFileReader(paths: ["-"]).files
        #expect(throws: RepairError.standardInput) { try RepairJob.jobs(for: input, into: .folder("out")) }
    }

    @Test func `a pipe is refused before a byte of it is read`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(write(ends[1], cut, cut.count) == cut.count)
        let path = "/dev/fd/\(ends[0])"
        let files = try EventFileReader(paths: [path]).files
        for target in [RepairJob.Target.path(trial.output), .folder(trial.folder.path), .inPlace] {
            #expect(throws: RepairError.notAFile(path)) { try RepairJob.jobs(for: files, into: target) }
        }
        var bytes = [UInt8](repeating: 0, count: cut.count)
        #expect(read(ends[0], &bytes, bytes.count) == cut.count && bytes == cut)
    }

    @Test(arguments: [true, false])
    func `the two files of a killed forgetting are refused, and others beside them are repaired`(isInPlace: Bool) throws {
        let name = SegmentName(stem: "events", writer: 1, number: 1)
        let names = [name, ForgetRewriting.replacement(of: name), SegmentName(stem: "events", writer: 2, number: 1)]
        let inputs = try names.map { try trial.folder.write(cut, "in/\($0.sealed)") }
        let files = try EventFileReader(paths: inputs).files
        let result = try EventFileRepair(RepairJob.jobs(for: files, into: isInPlace ? .inPlace : .folder(trial.folder.path))).run()
        #expect(Set(result.files.map(\.refusal)) == [.halfForgotten(inputs[0]), .halfForgotten(inputs[1]), nil])
        #expect(result.duplicates == 0 && !result.isSound)
        for input in inputs.prefix(2) { #expect(try trial.bytes(input) == cut) }
        #expect(result.files.compactMap(\.output) == [isInPlace ? inputs[2] : "\(trial.folder.path)/\(names[2].sealed)"])
    }

    @Test(arguments: [true, false])
    func `nothing is repaired into a folder in which an uploader or a forgetting is at work`(isInPlace: Bool) throws {
        let input = try trial.folder.write(cut, "a.ndjson.gz")
        let folder = try EventFolder.holding(FilePath(input), on: PosixFileSystem())
        guard case .taken(let lock) = try UploadLock.take(in: folder, making: true) else { throw RepairError.inUse(input) }
        let job = RepairJob(input: input, output: isInPlace ? input : trial.output, isInPlace: isInPlace)
        #expect(try EventFileRepair([job]).run().files.map(\.refusal) == [.folderInUse(trial.folder.path)])
        lock.release()
        #expect(try EventFileRepair([job]).run().files.map(\.refusal) == [nil])
    }

    @Test(arguments: [true, false])
    func `a file that shrinks between the two readings is refused, and nothing is made or replaced`(isInPlace: Bool) throws {
        try trial.folder.write(cut, FilePath(trial.input).name)
        let job = RepairJob(input: trial.input, output: isInPlace ? trial.input : trial.output, isInPlace: isInPlace)
        let first = Gzip.blocked([RepairTrial.members[0]], end: false).count
        let report = try EventFileRepair([job]).run(threads: 1) { now in
            if now.bytes == cut.count { truncate(trial.input, off_t(first)) }
        }
        #expect(report.files.map(\.refusal) == [.changed(trial.input)] && !report.isSound && report.savedLines == 0)
        #expect(trial.names == [FilePath(trial.input).name])
        #expect(try trial.bytes(trial.input) == Array(cut.prefix(first)))
    }

    @Test func `a file that grows between the two readings is saved as it is then`() throws {
        let whole = Gzip.blocked(RepairTrial.members)
        let first = Gzip.blocked([RepairTrial.members[0]], end: false).count
        let open = try trial.folder.write(Array(whole[..<first]), "a.ndjson.gz.open")
        let report = try EventFileRepair([RepairJob(input: open, output: trial.output)]).run(threads: 1) { now in
            if now.lines == 10 { _ = FileManager.default.createFile(atPath: open, contents: Data(whole)) }
        }
        #expect(report.isSound && report.savedLines == 30)
        #expect(try trial.lines(trial.output)?.count == 30)
    }

    @Test(arguments: [false, true])
    func `a file that its writer seals while a repair looks at its cut end does not end the repair`(inPlace: Bool) throws {
        let open = try trial.folder.write(cut, "a.ndjson.gz.open")
        let sealed = trial.folder.path + "/a.ndjson.gz"
        let opened = Lock(0)
        let files = FaultyFileSystem { call in
            guard call.kind == .open, call.name == open else { return nil }
            let count = opened.withLock { count in
                count += 1
                return count
            }
            // The second time is for the member at the end.
            if count == 2 {
                try? FileManager.default.removeItem(atPath: open)
                _ = FileManager.default.createFile(atPath: sealed, contents: Data(Gzip.blocked(RepairTrial.members)))
            }
            return nil
        }
        let job = RepairJob(input: open, output: inPlace ? sealed : trial.output, isInPlace: inPlace)
        let result = try trial.run(job, files: files.fileSystem)
        #expect(opened.withLock { $0 } >= 2, "otherwise this shows nothing")
        #expect(result.files.map(\.refusal) == [inPlace ? RepairError.inUse(open) : nil] && result.isSound != inPlace)
        if !inPlace { #expect(try trial.lines(trial.output)?.count == 30) }
    }

    @Test(arguments: ["\u{301}x", "\u{600}", "e\u{301}", "\r", "a\nb", " ", "*", "-"])
    func `a file is repaired in its place and into a folder whatever its name`(name: String) throws {
        for ending in [".ndjson.gz", ".ndjson.gz.open"] {
            let input = try trial.folder.write(cut, "in/" + name + ending)
            let listed = try EventFileReader(paths: [trial.folder.path + "/in"]).files
            #expect(listed.map { Array($0.path.utf8) } == [Array(input.utf8)])
            let sound = name + ".ndjson.gz"
            let copy = try trial.run(RepairJob.jobs(for: listed, into: .folder(trial.folder.path))[0])
            #expect(copy.isSound && copy.files[0].output == trial.folder.path + "/" + sound)
            let report = try trial.run(RepairJob.jobs(for: listed, into: .inPlace)[0])
            #expect(report.isSound && report.files[0].original == input + ".damaged")
            #expect(try trial.lines(trial.folder.path + "/in/" + sound) != nil)
            for name in trial.names { try FileManager.default.removeItem(atPath: trial.folder.path + "/" + name) }
        }
    }

    @Test func `outputs whose names only look the same are two files`() throws {
        let two = ["x/caf\u{E9}.ndjson.gz", "y/cafe\u{301}.ndjson.gz"]
        let files = try two.map { try trial.folder.write(cut, $0) }
        let jobs = try RepairJob.jobs(for: EventFileReader(paths: files).files, into: .folder("out"))
        #expect(jobs.map { $0.output.utf8.count } == ["out/caf\u{E9}.ndjson.gz", "out/cafe\u{301}.ndjson.gz"].map { $0.utf8.count })
    }

    #if !canImport(Darwin)  // Apple's file systems take the two names for one.
    @Test func `a sound file is copied to a name that only looks the same`() throws {
        let input = try trial.folder.write(Gzip.blocked(RepairTrial.members), "caf\u{E9}.ndjson.gz")
        let output = trial.folder.path + "/cafe\u{301}.ndjson.gz"
        let report = try trial.run(RepairJob(input: input, output: output))
        #expect(report.files[0].outcome == .repaired)
        #expect(try trial.lines(output)?.count == 30)
    }
    #endif

    @Test func `a file that is there is never replaced`() throws {
        try trial.folder.write("mine", "sound.ndjson.gz")
        #expect(throws: RepairError.outputExists(trial.output)) { try trial.repair(cut) }
        #expect(try trial.bytes(trial.output) == Array("mine".utf8))
        #expect(trial.names == [FilePath(trial.input).name, "sound.ndjson.gz"], "nothing hidden is left")
        let same = RepairJob(input: trial.input, output: trial.input)
        #expect(throws: RepairError.outputIsInput(trial.input)) { try trial.run(same) }
        #expect(try trial.bytes(trial.input) == cut)
    }

    @Test func `in place a sound file is not touched`() throws {
        let bytes = Gzip.blocked(RepairTrial.members)
        try trial.folder.write(bytes, FilePath(trial.input).name)
        let before = try FileManager.default.attributesOfItem(atPath: trial.input)[.systemFileNumber] as? Int
        let report = try trial.run(RepairJob(input: trial.input, output: trial.input, isInPlace: true))
        #expect(report.isSound && report.files[0].outcome == .untouched)
        #expect(try FileManager.default.attributesOfItem(atPath: trial.input)[.systemFileNumber] as? Int == before)
    }

    @Test func `in place the damaged file keeps a second name, a new one each time`() throws {
        for round in 1...2 {
            try trial.folder.write(cut, FilePath(trial.input).name)
            let report = try trial.run(RepairJob(input: trial.input, output: trial.input, isInPlace: true))
            let kept = trial.input + (round == 1 ? ".damaged" : ".damaged-2")
            #expect(report.isSound && report.files[0].original == kept)
            #expect(try trial.bytes(kept) == cut)
            #expect(try trial.lines(trial.input) != nil)
        }
        #expect(try EventFileReader(paths: [trial.folder.path]).files.map(\.path) == [trial.input], "readers do not see it")
    }

    @Test func `in place a file with two events of one id keeps a second name: the later may be a different event`() throws {
        let bytes = Gzip.blocked([CheckLine.event("s", 1) + CheckLine.event("t", 1, id: "s-1")])
        try trial.folder.write(bytes, FilePath(trial.input).name)
        let report = try trial.run(RepairJob(input: trial.input, output: trial.input, isInPlace: true))
        #expect(report.duplicates == 1 && report.savedLines == 1 && report.files[0].original == trial.input + ".damaged")
        #expect(try trial.bytes(trial.input + ".damaged") == bytes)
    }

    @Test func `in place the sound file has the damaged one's permissions`() throws {
        try trial.folder.write(cut, FilePath(trial.input).name)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: trial.input)
        #expect(try trial.run(RepairJob(input: trial.input, output: trial.input, isInPlace: true)).isSound)
        #expect(try FileManager.default.attributesOfItem(atPath: trial.input)[.posixPermissions] as? Int == 0o640)
    }

    @Test func `in place a file that only lacks its end loses nothing and gets no second name`() throws {
        try trial.folder.write(Gzip.blocked(RepairTrial.members, end: false), FilePath(trial.input).name)
        let report = try trial.run(RepairJob(input: trial.input, output: trial.input, isInPlace: true))
        #expect(report.isSound && report.savedLines == 30 && report.files[0].original == nil)
        #expect(trial.names == [FilePath(trial.input).name])
    }

    @Test func `in place an orphan gets its sealed name`() throws {
        try trial.folder.write(cut, FilePath(trial.input).name + ".open")
        let jobs = try RepairJob.jobs(for: EventFileReader(paths: [trial.input + ".open"]).files, into: .inPlace)
        let report = try trial.run(jobs[0])
        #expect(report.isSound && report.files[0].output == trial.input)
        #expect(trial.names == [FilePath(trial.input).name, FilePath(trial.input).name + ".open.damaged"])
    }

    @Test func `in place a file that is being written is refused, but it can be repaired into a copy`() async throws {
        let folder = try WriterTestFolder()
        let writer = try EventFileWriter(folder)
        writer.record(testEvent(1))
        try await writer.flush()
        let open = folder.path + "/" + (try #require(folder.open.first))
        let jobs = try RepairJob.jobs(for: EventFileReader(paths: [open]).files, into: .inPlace)
        let damaged = try trial.folder.write(cut, "damaged.ndjson.gz")
        let report = try trial.run(jobs[0], RepairJob(input: damaged, output: damaged, isInPlace: true))
        #expect(report.files.map(\.refusal) == [.inUse(open), nil] && !report.isSound)
        #expect(report.files.map(\.outcome) == [.refused, .repaired], "the other is repaired")
        #expect(try trial.run(RepairJob(input: open, output: trial.output)).isSound)
        writer.record(testEvent(2))
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1, 2], "the writer was not disturbed")
    }

    @Test func `in place a sound plain file is untouched, and an unsound one is refused while others are repaired`() throws {
        let event = CheckLine.event("t", 1)
        try trial.folder.write(cut, "a.ndjson.gz")
        let bad = try trial.folder.write(event + "no event\n", "b.ndjson")
        try trial.folder.write(CheckLine.event("u", 1), "c.ndjson")
        let jobs = try RepairJob.jobs(for: EventFileReader(paths: [trial.folder.path]).files, into: .inPlace)
        let report = try EventFileRepair(jobs).run(threads: 1)
        #expect(report.files.map(\.outcome) == [.repaired, .refused, .untouched] && !report.isSound)
        #expect(report.files[1].refusal == .notGzipInPlace(bad) && report.files[1].savedLines == 0)
        #expect(try trial.bytes(bad) == Array((event + "no event\n").utf8))
    }

    @Test func `a file that leaves its folder is passed over, and one that was named is an error`() throws {
        let (stays, leaves) = (try trial.folder.write(cut, "a.ndjson.gz"), try trial.folder.write(cut, "b.ndjson.gz"))
        let found = try RepairJob.jobs(for: EventFileReader(paths: [trial.folder.path]).files, into: .inPlace)
        let named = try RepairJob.jobs(for: EventFileReader(paths: [leaves]).files, into: .inPlace)
        try FileManager.default.removeItem(atPath: leaves)
        let report = try EventFileRepair(found).run(threads: 1)
        #expect(report.gone == [leaves] && report.files.map(\.read.path) == [stays] && report.isSound)
        #expect(throws: EventFileReadError.noSuchPath(leaves)) { try EventFileRepair(named).run(threads: 1) }
    }

    @Test func `an error after repaired files says that earlier repairs stay`() throws {
        // The second file has an event of its own, because nothing is written for a file that only repeats the first.
        let other = Gzip.blocked([CheckLine.event("other", 1)], end: false)
        let two = try [trial.folder.write(cut, "a.ndjson.gz"), trial.folder.write(other, "b.ndjson.gz")]
        let files = FaultyFileSystem { $0.kind == .create && $0.name.contains("b.ndjson") ? .fail(ENOSPC) : nil }
        let jobs = two.map { RepairJob(input: $0, output: $0, isInPlace: true) }
        let error = try #require(throws: RepairError.self) { try EventFileRepair(jobs, fileSystem: files.fileSystem).run(threads: 1) }
        #expect(try trial.lines(two[0]) != nil && trial.bytes(two[1]) == other)
        #expect("\(error)".hasSuffix("; earlier repairs stay"))
    }

    @Test func `a link is not repaired in its place`() throws {
        try trial.folder.write(cut, "real.ndjson.gz")
        try FileManager.default.createSymbolicLink(atPath: trial.input, withDestinationPath: "real.ndjson.gz")
        let report = try trial.run(RepairJob(input: trial.input, output: trial.input, isInPlace: true))
        #expect(report.files.map(\.refusal) == [.inUse(trial.input)])
        #expect(try trial.bytes(trial.folder.path + "/real.ndjson.gz") == cut)
    }

    @Test(arguments: [true, false])
    func `a repair that is killed before any of its calls leaves the damaged file, and the next one succeeds`(inPlace: Bool) throws {
        let job = RepairJob(input: trial.input, output: inPlace ? trial.input : trial.output, isInPlace: inPlace)
        let whole = FaultyFileSystem()
        try trial.folder.write(cut, FilePath(trial.input).name)
        #expect(try trial.run(job, files: whole.fileSystem).isSound)
        let calls = whole.calls.count
        #expect(calls >= 12)
        for kill in 1...calls {
            for name in trial.names { try FileManager.default.removeItem(atPath: trial.folder.path + "/" + name) }
            try trial.folder.write(cut, FilePath(trial.input).name)
            let mortal = FaultyFileSystem { $0.number == kill ? .kill : $0.kind == .synchronize ? .short(0) : nil }
            _ = try? trial.run(job, files: mortal.fileSystem)
            #expect(mortal.openDescriptors == 0)
            // The bytes of the damaged file are still there, under one name or another.
            let kept = try trial.names.contains { try trial.bytes(trial.folder.path + "/" + $0) == cut }
            #expect(kept, "call \(kill): \(trial.names)")
            let isDone =
                try trial.bytes(job.output == trial.input ? trial.input : trial.input) != cut || trial.names.contains("sound.ndjson.gz")
            if !isDone { #expect(try trial.run(job).isSound, "call \(kill)") }
            #expect(try #require(try trial.lines(job.output), "call \(kill)").count >= 20)
            let hidden = trial.names.filter { $0.hasPrefix(".") }
            #expect(isDone || hidden.isEmpty, "call \(kill): \(hidden)")
        }
    }

    @Test(arguments: [FileSystemError.Call.write, .synchronize, .create, .link])
    func `a full disk is reported with the file's name, and nothing is left or replaced`(call: FileSystemError.Call) throws {
        let files = FaultyFileSystem { $0.kind == call ? .fail(ENOSPC) : nil }
        #expect(throws: RepairError.storage(path: trial.output, call: call, errno: ENOSPC)) {
            try trial.repair(cut, files: files.fileSystem)
        }
        #expect(trial.names == [FilePath(trial.input).name])
        #expect(try trial.bytes(trial.input) == cut)
        #expect(files.openDescriptors == 0)
    }

    @Test func `where there are no hard links the sound file is renamed into its place`() throws {
        let files = FaultyFileSystem { $0.kind == .link ? .fail(EPERM) : nil }
        #expect(try trial.repair(cut, files: files.fileSystem).isSound)
        #expect(trial.names == [FilePath(trial.input).name, "sound.ndjson.gz"])
    }

    @Test func `interrupted calls and short writes do not disturb a repair`() throws {
        let files = FaultyFileSystem { $0.number % 2 == 0 ? .fail(EINTR) : $0.kind == .write ? .short(7) : nil }
        #expect(try trial.repair(cut, files: files.fileSystem).isSound)
    }
}

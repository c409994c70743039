import Foundation
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles

/// A system that refuses to read: reader, check and repair say which file and where, and change nothing.
@Suite struct ReadFaultTests {
    private let trial: RepairTrial
    /// Many members of lines that hardly compress, so that there are many reads.
    private let sound: [UInt8]

    init() throws {
        trial = try RepairTrial()
        var random = SeededRandom(seed: 7)
        sound = Gzip.blocked(
            (0..<40).map { member in
                (1...150).map { number in
                    CheckLine.event(
                        "s\(member)", number, id: "\(member)-\(number)-\(String(UInt64.random(in: 0 ... .max, using: &random), radix: 36))")
                }.joined()
            })
        try trial.folder.write(sound, FilePath(trial.input).name)
    }

    /// A file system whose reads are faulty from call `number` on; all of them if it is `nil`.
    private func files(_ fault: FaultyFileSystem.Fault, read number: Int?) -> FaultyFileSystem {
        FaultyFileSystem { $0.kind == .read && $0.number >= number ?? 0 ? fault : nil }
    }

    private func lines(_ files: any FileSystem) throws -> Int {
        try EventFileReader(paths: [trial.input], fileSystem: files).read(threads: 2, map: { $0.lineCount }, consume: { _ in }).lines
    }

    @Test("a read that fails is an error with the file and the byte", arguments: [EIO, ESTALE, EISDIR])
    func fails(errno: Int32) throws {
        let calm = FaultyFileSystem()
        #expect(try lines(calm.fileSystem) == 6_000)
        let reads = calm.calls.filter { $0.kind == .read }.map(\.number)
        #expect(reads.count > 1)
        for number in reads {
            let faulty = files(.fail(errno), read: number)
            do {
                _ = try lines(faulty.fileSystem)
                Issue.record("read \(number) failed and nothing was said")
            } catch let error as EventFileReadError {
                guard case .system(trial.input, "read", errno, let offset) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(offset >= 0 && offset <= Int64(sound.count))
                #expect(number == reads[0] ? offset == 0 : offset > 0)
            }
            #expect(faulty.openDescriptors == 0)
        }
    }

    @Test func `an open that is refused is an error with the file`() throws {
        let files = FaultyFileSystem { $0.kind == .open ? .fail(EACCES) : nil }
        #expect(throws: EventFileReadError.system(path: trial.input, call: "open", errno: EACCES, offset: 0)) {
            try lines(files.fileSystem)
        }
    }

    @Test func `a sub-folder that goes while the folder is listed is passed over`() throws {
        let sub = trial.folder.path + "/sub"
        #expect(mkdir(sub, 0o700) == 0)
        let files = FaultyFileSystem { call in
            if call.kind == .openFolder, call.name == sub + "/." { rmdir(sub) }
            return nil
        }
        #expect(try EventFileReader(paths: [trial.folder.path], fileSystem: files.fileSystem).files.map(\.path) == [trial.input])
        #expect(files.openDescriptors == 0)
    }

    @Test("short reads change nothing", arguments: [1_000, 4_096, 65_537])
    func short(bytes: Int) throws {
        let files = files(.short(bytes), read: nil)
        #expect(try lines(files.fileSystem) == 6_000)
        #expect(try EventFileCheck(EventFileReader(paths: [trial.input], fileSystem: files.fileSystem)).run(threads: 2).isSound)
    }

    @Test func `a read that a signal interrupts is made again`() throws {
        let files = FaultyFileSystem { ($0.kind == .read || $0.kind == .open) && $0.number % 2 == 0 ? .fail(EINTR) : nil }
        #expect(try lines(files.fileSystem) == 6_000)
        #expect(files.calls.count { $0.kind == .read } > 2)
    }

    @Test func `a check and a repair give the reader's error, and the repair leaves the folder as it was`() throws {
        let calm = FaultyFileSystem()
        try trial.folder.write(Array(sound.dropLast(500)), FilePath(trial.input).name)
        _ = try trial.run(RepairJob(input: trial.input, output: trial.output), files: calm.fileSystem)
        try FileManager.default.removeItem(atPath: trial.output)
        let before = trial.names
        for call in calm.calls where call.kind == .read {
            let faulty = FaultyFileSystem { $0.number == call.number ? .fail(EIO) : nil }
            #expect(throws: EventFileReadError.self, "call \(call.number)") {
                try trial.run(RepairJob(input: trial.input, output: trial.output), files: faulty.fileSystem)
            }
            try? FileManager.default.removeItem(atPath: trial.output)
            #expect(trial.names == before)
            #expect(faulty.openDescriptors == 0)
        }
        let faulty = files(.fail(EIO), read: 2)
        #expect(throws: EventFileReadError.self) {
            try EventFileCheck(EventFileReader(paths: [trial.input], fileSystem: faulty.fileSystem)).run(threads: 2)
        }
    }

    @Test func `a pipe that fails names standard input`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let files = FaultyFileSystem { $0.kind == .read ? .fail(EIO) : nil }
        let reader = try EventFileReader(paths: ["-"], standardInput: ends[0], fileSystem: files.fileSystem)
        #expect(throws: EventFileReadError.system(path: "-", call: "read", errno: EIO, offset: 0)) { try reader.forEachLine { _ in } }
    }

    @Test(
        "the zeros that a power loss leaves behind are damage, not a cut, and nothing is salvaged from them", arguments: [16, 100, 5_000])
    func zeros(count: Int) throws {
        let member = Gzip.blocked([RepairTrial.text(1...200)], end: false)
        let bytes = Gzip.blocked([RepairTrial.members[0]], end: false) + member.dropLast(300) + [UInt8](repeating: 0, count: count)
        let report = try trial.repair(bytes)
        #expect(report.files[0].read.count(of: .cut) == 0)
        #expect(report.files[0].read.damagedMembers > 0)
        #expect(report.salvagedLines == 0 && report.savedLines == 10)
    }

    @Test func `a file is read through a link to it`() throws {
        let link = trial.folder.path + "/link.ndjson.gz"
        #expect(symlink(trial.input, link) == 0)
        #expect(try EventFileReader(paths: [link]).forEachLine { _ in }.lines == 6_000)
    }
}

import Foundation
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles
@testable import EventUpload

/// The machine on a real folder, call by call.
@Suite struct UploadMachineTests {
    let folder: UploadTestFolder
    let clock = UploadTestClock()

    init() throws { folder = try UploadTestFolder() }

    private func put(_ numbers: Int64...) throws { for number in numbers { try folder.put("segment \(number)", segment(number).sealed) } }

    // MARK: What leaves

    @Test func `only sealed segments of events leave, smallest number first`() throws {
        try put(3, 1)
        try folder.put("two", segment(2, writer: 9, stem: "other").sealed)
        try folder.put("log", SegmentName(stem: "events", writer: 1, number: 4, contents: .log).sealed)
        try folder.put("open", segment(5).open)
        try folder.put("made", segment(6).temporary)
        try folder.put("columns", segment(3).summary)
        try folder.put("secret", segment(7).sealed, in: ".pending")
        try folder.put("text", "notes.txt")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + segment(8).sealed, withDestinationPath: "notes.txt")
        try FileManager.default.createDirectory(atPath: folder.path + "/" + segment(9).sealed, withIntermediateDirectories: false)
        var machine = UploadMachine(folder, clock: clock)
        #expect(try machine.sendAll() == [segment(1).sealed, segment(2, writer: 9, stem: "other").sealed, segment(3).sealed])
        #expect(
            folder.files
                == [
                    segment(6).temporary, ".pending/" + segment(7).sealed,
                    SegmentName(stem: "events", writer: 1, number: 4, contents: .log).sealed,
                    segment(5).open, segment(8).sealed, "notes.txt",
                ].sorted())
    }

    @Test func `a segment is handed over with its path, its length and its SHA-256`() throws {
        try folder.put("abc", segment(1).sealed)
        var machine = UploadMachine(folder, clock: clock)
        guard case .send(let sent) = try machine.next() else { return #expect(Bool(false), "there is one") }
        #expect(sent.name == segment(1).sealed && sent.bytes == 3)
        #expect(FileManager.default.contents(atPath: sent.path) == Data("abc".utf8))
        // FIPS 180-4, the example of one block.
        #expect(
            sent.sha256.map { String($0, radix: 16) }.joined(separator: " ")
                == "ba 78 16 bf 8f 1 cf ea 41 41 40 de 5d ae 22 23 b0 3 61 a3 96 17 7a 9c b4 10 ff 61 f2 0 15 ad")
    }

    @Test func `segments that come while others are sent are found before it is idle`() throws {
        try put(1)
        var machine = UploadMachine(folder, clock: clock)
        #expect(try machine.nextName() == segment(1).sealed)
        try put(2)
        _ = machine.answered(.stored)
        #expect(try machine.nextName() == segment(2).sealed)
    }

    @Test func `a segment that is removed before its turn is passed over`() throws {
        try put(1, 2)
        var machine = UploadMachine(folder, clock: clock)
        #expect(try machine.nextName() == segment(1).sealed)
        try FileManager.default.removeItem(atPath: folder.path + "/" + segment(2).sealed)
        _ = machine.answered(.stored)
        #expect(try machine.next() == .wait(nanoseconds: nil))
    }

    @Test func `a segment that its killed writer had packed stays until the old file beside it is gone`() throws {
        try put(1, 2)
        try folder.put("segment 1, packed otherwise", segment(1).open)
        var machine = UploadMachine(folder, clock: clock)
        #expect(try machine.sendAll() == [segment(2).sealed])
        try FileManager.default.removeItem(atPath: folder.path + "/" + segment(1).open)
        #expect(try machine.sendAll() == [segment(1).sealed])
    }

    @Test func `segments of a killed writer whose ring is not recovered stay, and leave after it`() throws {
        try put(1)
        try folder.put("two", segment(2, writer: 2).sealed)
        let ring = ".events-0000000000000002.ring"
        try folder.put("lines", ring)
        var machine = UploadMachine(folder, clock: clock)
        #expect(try machine.sendAll() == [segment(1).sealed])
        try FileManager.default.removeItem(atPath: folder.path + "/" + ring)
        #expect(try machine.sendAll() == [segment(2, writer: 2).sealed])
    }

    @Test func `segments that are held back until a recovery or a forgetting is finished count as waiting`() throws {
        try put(1, 2, 3)
        try folder.put("segment 2, packed otherwise", segment(2).open)
        try folder.put("new", ForgetRewriting.replacement(of: segment(3)).sealed)
        try folder.put("four", segment(4, writer: 2).sealed)
        try folder.put("lines", segment(4, writer: 2).ring)
        var machine = UploadMachine(folder, clock: clock)
        machine.beginRound()
        #expect(try machine.sendAll() == [segment(1).sealed])
        #expect(machine.endRound().waiting == 4)
        #expect(machine.statistics.waitingBytes == 9 + 9 + 3 + 4 && machine.statistics.oldestWaiting != nil)
    }

    @Test func `segments of a writer at work, which holds its ring, leave`() throws {
        try put(1)
        let ring = ".events-0000000000000001.ring"
        try folder.put("lines", ring)
        let files = PosixFileSystem()
        let opened = try files.openFolder(atPath: folder.path)
        let held = try files.open(ring, in: opened)
        #expect(try files.lock(held))
        var machine = UploadMachine(folder, clock: clock)
        #expect(try machine.sendAll() == [segment(1).sealed])
        files.close(held)
        files.close(opened)
    }

    @Test func `the move of a sent segment is on the storage before the journal forgets it`() throws {
        try put(1)
        let files = FaultyFileSystem()
        var machine = UploadMachine(folder, clock: clock, fileSystem: files.fileSystem, keepSent: .seconds(60))
        #expect(try machine.nextName() == segment(1).sealed)
        let before = files.calls.count
        _ = machine.answered(.stored)
        let calls = files.calls.dropFirst(before).map(\.kind)
        let (moved, forgotten) = (try #require(calls.firstIndex(of: .rename)), try #require(calls.firstIndex(of: .write)))
        #expect(calls[moved..<forgotten].count { $0 == .synchronize } == 2, "of both folders")
    }

    @Test func `a temporary file that a killed forgetting left in .sent is removed`() throws {
        try put(1)
        try folder.put("half", segment(2).temporary, in: ".sent")
        try folder.put("sent", segment(3).sealed, in: ".sent")
        var machine = UploadMachine(folder, clock: clock, keepSent: .seconds(60))
        #expect(try machine.sendAll() == [segment(1).sealed])
        #expect(folder.files.filter { $0.hasPrefix(".sent/") } == [segment(1), segment(3)].map { ".sent/" + $0.sealed })
    }

    @Test(arguments: [false, true])
    func `where a forgetting was killed, neither the old nor the new file leaves before it is finished`(hasRing: Bool) throws {
        try put(1)
        try folder.put("another", segment(2, writer: 2).sealed)
        let new = ForgetRewriting.replacement(of: segment(1))
        try folder.put("new", new.sealed)
        // The old segment also waits for its ring to be recovered.
        if hasRing { try folder.put("ring", segment(1).ring) }
        var machine = UploadMachine(folder, clock: clock)
        #expect(try machine.sendAll() == [segment(2, writer: 2).sealed])
        if hasRing { try FileManager.default.removeItem(atPath: folder.path + "/" + segment(1).ring) }
        try folder.put(String(repeating: "e", count: 28), segment(1).sealed)
        let sent = try machine.sendAll()
        #expect(Set(sent) == [segment(1).sealed, new.sealed])
    }

    // MARK: What becomes of a segment

    @Test func `a segment that the destination has stored is removed with its summary`() throws {
        try put(1)
        try folder.put("columns", segment(1).summary)
        var machine = UploadMachine(folder, clock: clock)
        #expect(try machine.sendAll() == [segment(1).sealed])
        #expect(folder.files == [] && folder.journal == "")
        #expect(machine.statistics.sent == 1 && machine.statistics.sentBytes == 9 && machine.statistics.waiting == 0)
    }

    @Test func `on request a summary leaves after its segment, and both go`() throws {
        try put(1, 2)
        try folder.put("columns", segment(1).summary)
        var machine = UploadMachine(folder, clock: clock, sendsSummaries: true)
        #expect(try machine.nextName() == segment(1).sealed)
        #expect(machine.answered(.stored) == UploadOutcome(segment: segment(1).sealed, bytes: 9, result: .sent))
        // The journal still names the segment: after a kill here it is sent again.
        #expect(folder.sealed.count == 2 && folder.journal.contains("+" + segment(1).sealed))
        guard case .send(let summary) = try machine.next() else { return #expect(Bool(false), "its summary is next") }
        #expect(summary.name == segment(1).sealed + ".parquet" && summary.bytes == 7 && summary.path.hasSuffix("/" + summary.name))
        #expect(machine.answered(.stored) == UploadOutcome(segment: summary.name, bytes: 7, result: .sent))
        #expect(folder.files == [segment(2).sealed])
        #expect(try machine.sendAll() == [segment(2).sealed])
        #expect(folder.files == [] && folder.journal == "" && machine.statistics.sent == 2 && machine.statistics.sentBytes == 18)
    }

    @Test func `a summary that cannot be sent now is tried again alone, in a round too`() throws {
        try put(1)
        try folder.put("columns", segment(1).summary)
        var machine = UploadMachine(folder, clock: clock, sendsSummaries: true)
        machine.beginRound()
        #expect(try machine.nextName() == segment(1).sealed)
        _ = machine.answered(.stored)
        #expect(try machine.nextName() == segment(1).summary)
        let outcome = machine.answered(.later(.status(503, name: "x"), after: .seconds(5)))
        #expect(outcome.segment == segment(1).summary && outcome.bytes == 7)
        #expect(try machine.next() == .wait(nanoseconds: nil))
        #expect(machine.endRound().waiting == 1)
        clock.advance(.seconds(3600))
        #expect(try machine.sendAll() == [segment(1).summary])
        #expect(folder.files == [] && machine.statistics.sent == 1)
    }

    @Test(arguments: [UploadAnswer.refused(.status(415, name: "x")), .refused(.conflict(name: "x", bytes: 7, there: 8))])
    func `a summary that is refused is removed and stops nothing`(_ answer: UploadAnswer) throws {
        try put(1)
        try folder.put("columns", segment(1).summary)
        var machine = UploadMachine(folder, clock: clock, sendsSummaries: true)
        _ = try machine.nextName()
        _ = machine.answered(.stored)
        _ = try machine.nextName()
        guard case .refused = machine.answered(answer).result else { return #expect(Bool(false), "it is reported") }
        #expect(folder.files == [] && machine.statistics.refused == 0 && machine.statistics.waiting == 0)
    }

    @Test func `a summary that is gone before its turn is passed over`() throws {
        try put(1, 2)
        try folder.put("columns", segment(1).summary)
        var machine = UploadMachine(folder, clock: clock, sendsSummaries: true)
        _ = try machine.nextName()
        _ = machine.answered(.stored)
        try FileManager.default.removeItem(atPath: folder.path + "/" + segment(1).summary)
        #expect(try machine.sendAll() == [segment(2).sealed])
        #expect(folder.files == [])
    }

    @Test func `a summary that was called back is sent when uploading goes on`() throws {
        try put(1)
        try folder.put("columns", segment(1).summary)
        var machine = UploadMachine(folder, clock: clock, sendsSummaries: true)
        _ = try machine.nextName()
        _ = machine.answered(.stored)
        _ = try machine.nextName()
        _ = machine.ended(.failure(CancellationError()), isCalledBack: true)
        #expect(try machine.sendAll() == [segment(1).summary])
        #expect(folder.files == [])
    }

    @Test func `a sent segment that is to be kept stays in .sent for its time, and is not sent again`() throws {
        try put(1)
        var machine = UploadMachine(folder, clock: clock, keepSent: .seconds(100))
        #expect(try machine.sendAll() == [segment(1).sealed])
        #expect(folder.files == [".sent/" + segment(1).sealed])
        clock.advance(.seconds(99))
        #expect(try machine.sendAll() == [])
        #expect(folder.files == [".sent/" + segment(1).sealed])
        clock.advance(.seconds(1))
        #expect(try machine.sendAll() == [])
        #expect(folder.files == [])
    }

    @Test func `a segment that a killed process left in .sent is removed, not sent`() throws {
        try folder.put("one", segment(1).sealed, in: ".sent")
        try folder.put("mine", "notes.txt", in: ".sent")
        var machine = UploadMachine(folder, clock: clock)
        #expect(try machine.sendAll() == [])
        #expect(folder.files == [".sent/notes.txt"])
    }

    @Test func `a segment that fails stays, waits, and is sent in the end`() throws {
        try put(1)
        var machine = UploadMachine(folder, clock: clock)
        for _ in 1...50 {
            guard case .send = try machine.next() else { return #expect(Bool(false), "it is its turn") }
            let outcome = machine.answered(.later(.transport("reset"), after: nil))
            guard case .waiting(.transport("reset"), let pause) = outcome.result else { return #expect(Bool(false), "\(outcome)") }
            #expect(folder.files == [segment(1).sealed] && folder.journal == "+\(segment(1).sealed)\n")
            if pause > .nanoseconds(1) {
                clock.advance(pause - .nanoseconds(1))
                #expect(try machine.next() == .wait(nanoseconds: 1))
                clock.advance(.nanoseconds(1))
            } else {
                clock.advance(pause)
            }
        }
        #expect(machine.statistics.waiting == 1 && machine.statistics.oldestWaiting != nil)
        #expect(try machine.sendAll() == [segment(1).sealed])
        #expect(folder.files == [])
    }

    @Test func `a refused segment stays, is reported once, and is tried again at the next start`() throws {
        try put(1, 2)
        var machine = UploadMachine(folder, clock: clock)
        _ = try machine.next()
        #expect(
            machine.answered(.refused(.status(413, name: "x")))
                == UploadOutcome(segment: segment(1).sealed, bytes: 9, result: .refused(.status(413, name: "x"))))
        #expect(folder.journal == "", "the server said that it has not got it")
        #expect(try machine.sendAll() == [segment(2).sealed])
        clock.advance(.seconds(1_000_000))
        #expect(try machine.sendAll() == [])
        #expect(machine.statistics.refused == 1 && machine.statistics.waiting == 0 && folder.files == [segment(1).sealed])
        machine.restart()
        #expect(try machine.sendAll() == [segment(1).sealed])
    }

    @Test func `an unconfirmed segment stays, is marked in the journal, and is asked about at the next start`() throws {
        try put(1, 2)
        let error = UploadError.unconfirmed(name: "x", status: 403)
        var machine = UploadMachine(folder, clock: clock)
        _ = try machine.next()
        #expect(machine.answered(.unconfirmed(error)).result == .unconfirmed(error))
        #expect(try machine.sendAll() == [segment(2).sealed])
        #expect(machine.statistics.unconfirmed == 1 && machine.statistics.refused == 0 && machine.statistics.waiting == 0)
        #expect(folder.files == [segment(1).sealed])
        #expect(folder.journal.contains("?\(segment(1).sealed)\n"))
        machine.close()
        var next = UploadMachine(folder, clock: clock)
        #expect(try next.sendAll() == [segment(1).sealed])
        #expect(folder.files == [] && folder.journal == "")
    }

    @Test func `a journal of many answers is written again, and keeps segments without an answer`() throws {
        let held = try EventFolder.open(folder.path, on: PosixFileSystem())
        defer { held.close() }
        guard case .taken(let lock) = try UploadLock.take(in: held, making: true) else { return #expect(Bool(false), "it is free") }
        try lock.begin(segment(1).sealed)
        for number in 2...5_000 as ClosedRange<Int64> {
            try lock.begin(segment(number).sealed)
            try lock.end(segment(number).sealed)
        }
        #expect(folder.journal.utf8.count < 100_000)
        guard case .held = try UploadLock.take(in: held, making: true) else { return #expect(Bool(false), "the new file is locked, too") }
        lock.release()
        guard case .taken(let next) = try UploadLock.take(in: held, making: true) else { return #expect(Bool(false), "it is free") }
        #expect(next.unanswered == [segment(1).sealed])
        next.release()
    }

    @Test func `sealed segments leave a full disk, because the journal keeps the room that it had`() throws {
        let disk = SimulatedDisk(random: SeededRandom(seed: 1), wallClock: clock.wall)
        let process = SimulatedProcess(on: disk)
        try process.makeFolder("events", in: .working)
        var machine = UploadMachine(
            folder: "events", fileSystem: process, keepSent: .zero, clock: clock.monotonic, wallClock: clock.wall,
            random: SeededRandom(seed: 1), mayUpload: { true })
        disk.replace(by: [("events/" + segment(1).sealed, [1])])
        #expect(try machine.sendAll() == [segment(1).sealed])
        let journal = try #require(disk.contents("events/" + UploadLock.name))
        disk.replace(by: disk.files + (2...4).map { (path: "events/" + segment($0).sealed, bytes: [1]) })
        disk.capacity = disk.used
        #expect(try machine.sendAll() == [segment(2).sealed, segment(3).sealed, segment(4).sealed])
        #expect(disk.contents("events/" + UploadLock.name) == journal, "it is blank again, and no longer")
    }

    @Test func `a journal beyond its limit is an error, sends nothing and stays as it is`() throws {
        try put(1)
        let journal = String(repeating: "+events-0000000000000009-0000000001.ndjson.gz\n", count: 400_000)
        try folder.put(journal, UploadLock.name)
        var machine = UploadMachine(folder, clock: clock)
        #expect(throws: UploadError.self) { try machine.next() }
        #expect(folder.journal == journal && folder.files == [segment(1).sealed])
    }

    @Test func `a refusal after an attempt without an answer leaves open whether it arrived`() throws {
        try put(1)
        var machine = UploadMachine(folder, clock: clock)
        _ = try machine.next()
        _ = machine.answered(.later(.transport("reset"), after: nil))
        clock.advance(.seconds(10))
        _ = try machine.next()
        _ = machine.answered(.refused(.status(404, name: "x")))
        #expect(folder.journal == "+\(segment(1).sealed)\n")
    }

    @Test func `a round counts what it has done and what is left`() throws {
        try put(1, 2, 3)
        var machine = UploadMachine(folder, clock: clock)
        machine.beginRound()
        _ = try machine.next()
        _ = machine.answered(.stored)
        _ = try machine.next()
        _ = machine.answered(.later(.transport("reset"), after: nil))
        _ = try machine.next()
        _ = machine.answered(.refused(.status(413, name: "x")))
        #expect(try machine.next() == .wait(nanoseconds: nil))
        let summary = machine.endRound()
        #expect(summary.sent == 1 && summary.waiting == 1 && summary.refused == 1 && summary.error == .transport("reset"))
    }

    // MARK: Who may

    @Test func `two machines on one folder never send at the same time`() throws {
        try put(1, 2)
        var first = UploadMachine(folder, clock: clock)
        var second = UploadMachine(folder, clock: clock)
        #expect(try first.nextName() == segment(1).sealed)
        #expect(try second.next() == .busy(folder: folder.path))
        _ = first.answered(.stored)
        #expect(try second.next() == .busy(folder: folder.path), "between two segments, too")
        #expect(try first.sendAll() == [segment(2).sealed])
        #expect(try second.next() == .wait(nanoseconds: nil), "the idle first one has released the lock")
        second.release()
    }

    @Test func `a machine that may not upload sends nothing and leaves the lock free`() throws {
        try put(1)
        var machine = UploadMachine(folder, clock: clock, mayUpload: { false })
        #expect(try machine.next() == .wait(nanoseconds: nil))
        var other = UploadMachine(folder, clock: clock)
        #expect(try other.sendAll() == [segment(1).sealed])
    }

    @Test func `segments that may not leave count as waiting, unless the folder may not be opened either`() throws {
        try put(1, 2)
        var machine = UploadMachine(folder, clock: clock, mayUpload: { false })
        machine.beginRound()
        #expect(try machine.next() == .wait(nanoseconds: nil))
        #expect(machine.endRound().waiting == 2 && !FileManager.default.fileExists(atPath: folder.path + "/" + UploadLock.name))
        let files = FaultyFileSystem()
        var suspended = UploadMachine(folder, clock: clock, fileSystem: files.fileSystem, mayLook: { false }, mayUpload: { false })
        #expect(try suspended.next() == .wait(nanoseconds: nil))
        #expect(files.calls.isEmpty)
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(try machine.next() == .wait(nanoseconds: nil), "a missing folder is an error only once it is needed")
    }

    @Test func `nothing leaves from a folder that is being erased`() throws {
        try put(1, 2)
        var machine = UploadMachine(folder, clock: clock)
        #expect(try machine.nextName() == segment(1).sealed)
        try folder.put("", ".erasing")
        _ = machine.ended(.failure(CancellationError()), isCalledBack: true)
        #expect(try machine.next() == .wait(nanoseconds: nil))
        #expect(folder.sealed == [segment(1).sealed, segment(2).sealed])
    }

    // MARK: Bad folders

    @Test func `a folder that is missing, a file, a link, or open to all is refused with its path`() throws {
        func error(_ path: String) -> UploadError? {
            var machine = UploadMachine(
                folder: path, fileSystem: PosixFileSystem(), keepSent: .zero, clock: clock.monotonic, wallClock: clock.wall,
                random: SeededRandom(seed: 1), mayUpload: { true })
            do throws(UploadError) { _ = try machine.next() } catch { return error }
            return nil
        }
        try folder.put("x", "file")
        try FileManager.default.createDirectory(atPath: folder.path + "/open", withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path + "/open")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: folder.path)
        #expect(error(folder.path + "/none") == .folder(.storage(FileSystemError(.openFolder, errno: ENOENT, path: folder.path + "/none"))))
        #expect(error(folder.path + "/file") == .folder(.notAFolder(path: folder.path + "/file")))
        #expect(error(folder.path + "/link") == .folder(.notAFolder(path: folder.path + "/link")))
        #expect(error(folder.path + "/open") == .folder(.folderWritableByOthers(path: folder.path + "/open", permissions: 0o777)))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/none"), "an uploader makes no folder")
    }

    @Test(arguments: ["link", "folder"])
    func `something else under the lock's name prevents uploads from the folder, and stays`(kind: String) throws {
        try put(1)
        let place = folder.path + "/" + UploadLock.name
        if kind == "link" {
            try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: "/dev/null")
        } else {
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        }
        var machine = UploadMachine(folder, clock: clock)
        #expect(try machine.next() == .busy(folder: folder.path))
        #expect(FileManager.default.fileExists(atPath: place) && folder.sealed == [segment(1).sealed])
    }

    // MARK: Kills and faults

    /// A server that never replaces anything.
    private struct Server {
        var files: [String: Data] = [:]
        /// How often each segment was put.
        var requests: [String: Int] = [:]

        mutating func put(_ segment: SealedSegment) -> Bool {
            guard let data = FileManager.default.contents(atPath: segment.path) else { return false }
            requests[segment.name, default: 0] += 1
            if let there = files[segment.name] { return there == data }
            files[segment.name] = data
            return true
        }
    }

    /// Runs a machine until it is idle or its file system fails.
    private func drive(_ machine: inout UploadMachine, to server: inout Server) {
        for _ in 0..<1000 {
            do {
                switch try machine.next() {
                case .send(let segment):
                    #expect(machine.answered(server.put(segment) ? .stored : .later(.transport("x"), after: nil)).segment != nil)
                case .failed: clock.advance(.seconds(3600))
                case .wait(let nanoseconds):
                    guard let nanoseconds else { return }
                    clock.advance(.nanoseconds(nanoseconds))
                case .busy: return
                }
            } catch {
                return
            }
        }
    }

    @Test func `killed before any call, the next run sends the rest, and nothing is lost or doubled`() throws {
        var calls = 0
        var isDone = false
        while !isDone {
            calls += 1
            let folder = try UploadTestFolder()
            for number in Int64(1)...3 { try folder.put("segment \(number)", segment(number).sealed) }
            try folder.put("columns", segment(2).summary)
            var server = Server()
            let files = FaultyFileSystem { [calls] call in call.number == calls ? .kill : nil }
            var killed = UploadMachine(folder, clock: clock, fileSystem: files.fileSystem)
            drive(&killed, to: &server)
            isDone = files.calls.count < calls
            killed.close()
            // Each segment is at the server or still in the folder. After the next run all are at the server alone.
            for number in Int64(1)...3 {
                #expect(server.files[segment(number).sealed] != nil || folder.sealed.contains(segment(number).sealed))
            }
            var next = UploadMachine(folder, clock: clock)
            // A process that another test is starting inherits the lock, and holds it until it runs its own program.
            for _ in 0..<100_000 {
                drive(&next, to: &server)
                if folder.files == [] { break }
                sched_yield()
            }
            #expect(folder.files == [] && folder.journal == "", "after \(calls) calls")
            #expect(server.files.count == 3 && server.requests.values.allSatisfy { $0 <= 2 })
        }
        #expect(calls > 30)
    }

    @Test(arguments: [EIO, ENOSPC, EACCES, EINTR])
    func `a call that fails loses nothing, and the machine goes on`(errno: Int32) throws {
        var number = 0
        var isDone = false
        while !isDone {
            number += 1
            let folder = try UploadTestFolder()
            for number in Int64(1)...2 { try folder.put("segment \(number)", segment(number).sealed) }
            var server = Server()
            let files = FaultyFileSystem { [number] call in call.number == number ? .fail(errno) : nil }
            var machine = UploadMachine(folder, clock: clock, fileSystem: files.fileSystem)
            for _ in 0..<3 { drive(&machine, to: &server) }
            isDone = files.calls.count < number
            machine.close()
            #expect(folder.files == [] && server.files.count == 2, "call \(number)")
            #expect(files.openDescriptors == 0)
        }
        #expect(number > 20)
    }

    @Test func `a journal that was cut in a line is read up to that line`() throws {
        try put(1)
        try folder.put("+gone\n+\(segment(1).sealed)\n+event", UploadLock.name)
        var machine = UploadMachine(folder, clock: clock)
        #expect(try machine.nextName() == segment(1).sealed)
        #expect(folder.journal.hasPrefix("+gone\n+\(segment(1).sealed)\n-gone\n"), "what is nowhere any more is settled")
        _ = machine.answered(.stored)
        #expect(folder.journal == "")
    }
}

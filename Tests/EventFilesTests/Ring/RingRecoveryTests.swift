import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// Events that were recorded and never flushed survive the end of the process, each once.
@Suite(.notForever) struct RingRecoveryTests {
    let folder: WriterTestFolder
    let clock = WriterTestClock()

    init() throws { folder = try WriterTestFolder() }

    /// Lets the next process recover the folder, and returns its lines.
    @discardableResult
    private func recover(_ folder: WriterTestFolder, on files: any FileSystem = quickFiles().fileSystem) async throws -> [String] {
        let next = try EventFileWriter(folder, options: smallRing, clock: clock, seed: 99, fileSystem: files)
        _ = try await next.recovered()
        try await next.close()
        return try folder.lines()
    }

    /// A writer that has made its ring.
    private func makeWriter(_ files: FaultyFileSystem, options: EventFileWriterOptions = smallRing) async throws -> EventFileWriter {
        let writer = try EventFileWriter(folder, options: options, clock: clock, fileSystem: files.fileSystem)
        _ = try await writer.recovered()
        return writer
    }

    @Test func `events that were recorded without a flush are there after a kill, in a segment of their own`() async throws {
        let files = quickFiles()
        let writer = try await makeWriter(files)
        for number in 1...50 { writer.record(testEvent(number)) }
        files.kill()
        let reports = Collected<RecoveryResult>()
        let next = try EventFileWriter(
            folder, options: smallRing, clock: clock, seed: 2, fileSystem: quickFiles().fileSystem, onRecovery: { reports.add($0) })
        _ = try await next.recovered()
        try await next.close()
        #expect(try sequences(folder.lines()) == Array(1...50))
        #expect(reports.all.first?.ringLines == 50 && reports.all.first?.lines == 50 && reports.all.first?.adopted == 1)
        #expect(reports.all.first?.description == "adopted 1 orphan, 0 members, 50 lines, 50 of them from rings")
        #expect(folder.rings.isEmpty && folder.names == folder.sealed)
        try? await writer.close(deadline: .zero)
    }

    @Test func `events after the last member are added at the end of the same segment`() async throws {
        let files = quickFiles()
        let writer = try await makeWriter(files)
        for number in 1...5 { writer.record(testEvent(number)) }
        try await writer.flush()
        for number in 6...9 { writer.record(testEvent(number)) }
        files.kill()
        #expect(try await sequences(recover(folder)) == Array(1...9))
        #expect(folder.sealed.count == 1 && folder.rings.isEmpty)
        try? await writer.close(deadline: .zero)
    }

    /// Records nine events, with rotations and flushes in between. Returns the last number for which `record` returned before the kill.
    private static func live(in folder: WriterTestFolder, on files: FaultyFileSystem, clock: WriterTestClock) async -> Int {
        var options = smallRing
        options.firstRetry = .milliseconds(1)
        guard let writer = try? EventFileWriter(folder, options: options, clock: clock, seed: 3, fileSystem: files.fileSystem) else {
            return 0
        }
        _ = try? await writer.recovered()
        var returned = 0
        for number in 1...9 {
            writer.record(testEvent(number, session: "life"))
            // The memory outlives the simulated kill: an event that is recorded after it may be there or not.
            if files.isKilled { break }
            returned = number
            if number % 3 == 0 { try? await writer.rotate() } else if number % 3 == 1 { _ = try? await writer.flush() }
        }
        try? await writer.close(deadline: .zero)
        return returned
    }

    @Test func `killed before any of its calls, no returned event is missing and none is there twice`() async throws {
        let trial = try WriterTestFolder()
        let counting = quickFiles()
        #expect(await Self.live(in: trial, on: counting, clock: clock) == 9)
        let calls = counting.calls.count
        #expect(calls > 60)
        for kill in 1...calls {
            let folder = try WriterTestFolder()
            let files = FaultyFileSystem { $0.number == kill ? .kill : $0.kind == .synchronize ? .short(0) : nil }
            let returned = await Self.live(in: folder, on: files, clock: clock)
            // The next process may be killed as well, while it recovers.
            let second = FaultyFileSystem { $0.number == kill % 45 + 5 ? .kill : $0.kind == .synchronize ? .short(0) : nil }
            _ = try? await recover(folder, on: second.fileSystem)
            let lines = try await recover(folder)
            let numbers = try sequences(lines, session: "life")
            #expect(numbers == Array(1..<numbers.count + 1), "call \(kill): \(numbers)")
            #expect(numbers.count >= returned, "call \(kill): \(numbers), returned \(returned)")
            let ids = try lines.compactMap { try object($0)["id"] as? String }
            #expect(Set(ids).count == ids.count, "call \(kill)")
            #expect(folder.rings.isEmpty && folder.names == folder.sealed, "call \(kill): \(folder.names) \(folder.rings)")
        }
    }

    @Test func `a recovery killed before any of its calls takes each line once`() async throws {
        func prepare() async throws -> WriterTestFolder {
            let folder = try WriterTestFolder()
            let files = quickFiles()
            let writer = try EventFileWriter(folder, options: smallRing, clock: clock, fileSystem: files.fileSystem)
            _ = try await writer.recovered()
            for number in 1...3 { writer.record(testEvent(number)) }
            try await writer.flush()
            for number in 4...6 { writer.record(testEvent(number)) }
            files.kill()
            try? await writer.close(deadline: .zero)
            return folder
        }
        let counting = quickFiles()
        try await recover(prepare(), on: counting.fileSystem)
        for kill in 1...counting.calls.count {
            let folder = try await prepare()
            for _ in 0..<2 {
                let mortal = FaultyFileSystem { $0.number == kill ? .kill : $0.kind == .synchronize ? .short(0) : nil }
                _ = try? await recover(folder, on: mortal.fileSystem)
            }
            #expect(try await sequences(recover(folder)) == Array(1...6), "call \(kill)")
            #expect(folder.rings.isEmpty && folder.names == folder.sealed, "call \(kill)")
        }
    }

    @Test func `lines of a segment that was repaired in place meanwhile are not taken from the ring again`() async throws {
        let files = quickFiles()
        let writer = try await makeWriter(files)
        for number in 1...5 { writer.record(testEvent(number)) }
        let ring = folder.rings[0]
        let before = try folder.bytes(ring)
        try await writer.flush()
        let (open, written) = (folder.open[0], try folder.bytes(folder.open[0]))
        #expect(!written.isEmpty)
        files.kill()
        try? await writer.close(deadline: .zero)
        // After a power loss the ring may be older than the segment.
        let handle = try #require(FileHandle(forWritingAtPath: folder.path + "/" + ring))
        try handle.write(contentsOf: Data(before))
        try handle.close()
        let sealed = try #require(SegmentName.parse(open)?.name.sealed)
        let job = RepairJob(input: folder.path + "/" + open, output: folder.path + "/" + sealed, isInPlace: true)
        #expect(try EventFileRepair([job]).run(threads: 1).isSound && folder.sealed == [sealed])
        #expect(try await sequences(recover(folder)) == Array(1...5))
        #expect(folder.rings.isEmpty && folder.names == [sealed])
    }

    @Test func `a folder under the name of a sealed segment holds up no recovery`() async throws {
        let files = quickFiles()
        let writer = try await makeWriter(files)
        for number in 1...3 { writer.record(testEvent(number)) }
        files.kill()
        try? await writer.close(deadline: .zero)
        let ring = try #require(SegmentName.parse(folder.rings[0])?.name)
        let odd = SegmentName(stem: ring.stem, writer: try #require(UInt64(ring.writer, radix: 16)), number: 7)
        let path = folder.path + "/" + odd.sealed
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let next = try EventFileWriter(folder, options: smallRing, clock: clock, seed: 99, fileSystem: quickFiles().fileSystem)
        #expect(try await next.recovered().firstError == nil)
        try await next.close()
        #expect(folder.rings.isEmpty)
        try FileManager.default.removeItem(atPath: path)
        #expect(try sequences(folder.lines()) == Array(1...3))
    }

    @Test func `drops that no line had reported are reported after a kill, once`() async throws {
        var options = smallRing
        options.ringEvents = 10
        options.reservedMetaPlaces = 2
        let files = FaultyFileSystem { $0.kind == .write || $0.kind == .synchronize ? .fail(ENOSPC) : nil }
        let writer = try await makeWriter(files, options: options)
        for number in 1...25 { writer.record(testEvent(number)) }
        files.kill()
        let lines = try await recover(folder)
        #expect(try sequences(lines) == Array(1...10))
        // The first of them may have been reported by a line in the ring.
        let dropped = try notes("dropped", in: lines)
        #expect(dropped.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == 15)
        #expect(dropped.allSatisfy { $0["sessions"] as? [String: Int] == ["s1": $0["count"] as? Int ?? 0] }, "their session is known")
        try? await writer.close(deadline: .zero)
    }

    @Test func `old events that made room for newer ones do not come back`() async throws {
        var options = smallRing
        (options.ringEvents, options.reservedMetaPlaces, options.overflow) = (10, 0, .dropOldest)
        let files = FaultyFileSystem { $0.kind == .write ? .fail(ENOSPC) : $0.kind == .synchronize ? .short(0) : nil }
        let writer = try await makeWriter(files, options: options)
        writer.record(testEvent(1, kind: .meta))
        for number in 2...40 { writer.record(testEvent(number)) }
        files.kill()
        let lines = try await recover(folder)
        // While the thread tries to write, the newest are dropped: nobody knows which.
        let numbers = try sequences(lines)
        #expect(numbers.contains(1) && Set(numbers).count == numbers.count && numbers.count <= 10, "\(numbers)")
        #expect(try notes("dropped", in: lines).reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == 40 - numbers.count)
        try? await writer.close(deadline: .zero)
    }

    @Test func `while consent is pending the ring is in .pending alone, and what it holds waits for the decision`() async throws {
        let files = quickFiles()
        let writer = try await makeWriter(files)
        writer.setConsent(.pending)
        try await writer.flush()
        #expect(folder.rings.isEmpty)
        let inside = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.pending")
        #expect(inside.count == 1 && inside.allSatisfy { $0.hasSuffix(".ring") })
        for number in 1...4 { writer.record(testEvent(number)) }
        files.kill()
        try? await writer.close(deadline: .zero)
        #expect(try await recover(folder).isEmpty, "nobody has decided")
        let next = try EventFileWriter(folder, options: smallRing, clock: clock, seed: 5, fileSystem: quickFiles().fileSystem)
        next.setConsent(.granted)
        try await next.close()
        #expect(try sequences(folder.lines()) == Array(1...4))
        #expect(folder.names == folder.sealed && folder.rings.isEmpty)
    }

    @Test func `after a denial there is no ring, and no waiting event comes back after a kill`() async throws {
        let files = quickFiles()
        let writer = try await makeWriter(files)
        writer.setConsent(.pending)
        try await writer.flush()
        for number in 1...4 { writer.record(testEvent(number)) }
        writer.setConsent(.denied)
        files.kill()
        try? await writer.close(deadline: .zero)
        let next = try EventFileWriter(folder, options: smallRing, clock: clock, seed: 5, fileSystem: quickFiles().fileSystem)
        next.setConsent(.granted)
        try await next.close()
        #expect(try folder.lines().isEmpty && folder.rings.isEmpty)
        let other = try await makeWriter(quickFiles())
        other.setConsent(.denied)
        try await other.flush()
        #expect(folder.rings.isEmpty)
        try await other.close()
    }

    @Test func `a promotion that is killed before any call leaves each granted event once`() async throws {
        func live(in folder: WriterTestFolder, on files: FaultyFileSystem) async {
            guard let writer = try? EventFileWriter(folder, options: smallRing, clock: clock, seed: 3, fileSystem: files.fileSystem) else {
                return
            }
            _ = try? await writer.recovered()
            writer.setConsent(.pending)
            for number in 1...2 { writer.record(testEvent(number)) }
            _ = try? await writer.flush()
            if files.isKilled { return }
            for number in 3...4 { writer.record(testEvent(number)) }
            writer.setConsent(.granted)
            _ = try? await writer.flush()
            try? await writer.close(deadline: .zero)
        }
        let counting = quickFiles()
        await live(in: try WriterTestFolder(), on: counting)
        for kill in 1...counting.calls.count {
            let folder = try WriterTestFolder()
            await live(in: folder, on: FaultyFileSystem { $0.number == kill ? .kill : $0.kind == .synchronize ? .short(0) : nil })
            let next = try EventFileWriter(folder, options: smallRing, clock: clock, seed: 5, fileSystem: quickFiles().fileSystem)
            next.setConsent(.granted)
            _ = try await next.recovered()
            try await next.close()
            let numbers = try sequences(folder.lines()).sorted()
            #expect(numbers == Array(1..<numbers.count + 1), "call \(kill): \(numbers)")
            #expect(folder.names == folder.sealed && folder.rings.isEmpty, "call \(kill): \(folder.everything)")
        }
    }

    /// Decisions that come faster than the writer's thread, each with an event behind it. The first alone is carried out at once.
    struct Decisions: Sendable, CustomTestStringConvertible {
        let said: [TrackingConsent]
        /// The events that stood in a ring file when the thread began to carry out the others, and of them those that are granted.
        let (safe, granted): (Set<Int>, Set<Int>)

        var testDescription: String { said.map(\.rawValue).joined(separator: ", ") }
    }

    @Test(arguments: [
        Decisions(said: [.granted, .denied, .pending, .granted], safe: [1, 3, 4], granted: [1, 3, 4]),
        Decisions(said: [.pending, .granted, .pending], safe: [1, 3], granted: [1]),
        Decisions(said: [.pending, .granted, .pending, .granted], safe: [1, 3], granted: [1, 3]),
        Decisions(said: [.pending, .granted, .denied], safe: [1], granted: [1]),
        Decisions(said: [.pending, .granted, .denied, .pending], safe: [1, 4], granted: [1]),
    ])
    func `events that stood in a ring are there once after decisions that came at once and a kill before any call`(
        _ decisions: Decisions
    ) async throws {
        let said = decisions.said
        /// - Returns: the calls before the thread begins with the decisions, and all.
        func live(in folder: WriterTestFolder, on files: FaultyFileSystem) throws -> (before: Int, all: Int) {
            let (writer, thread) = try EventFileWriter.withoutThread(
                folder: folder.path, options: smallRing, clock: clock.wall, monotonicClock: clock.monotonic, fileSystem: files.fileSystem,
                random: SeededRandom(seed: 3))
            thread.begin()
            func work() { while !files.isKilled, thread.turnIfDue() {} }
            work()
            for (index, consent) in said.enumerated() {
                writer.setConsent(consent)
                if index == 0 { work() }
                writer.record(testEvent(index + 1))
            }
            let before = files.calls.count
            work()
            return withExtendedLifetime((writer, thread)) { (before, files.calls.count) }
        }
        let (before, all) = try live(in: try WriterTestFolder(), on: quickFiles())
        #expect(all > before + 10)
        // The nightly run kills before every call, a push before every second.
        for kill in stride(from: before + 1, through: all, by: isNight ? 1 : 2) {
            let folder = try WriterTestFolder()
            let files = FaultyFileSystem { $0.number == kill ? .kill : $0.kind == .synchronize ? .short(0) : nil }
            _ = try live(in: folder, on: files)
            let unasked = try await sequences(recover(folder))
            #expect(Set(unasked).subtracting(decisions.granted).isDisjoint(with: decisions.safe), "call \(kill): \(unasked)")
            let next = try EventFileWriter(folder, options: smallRing, clock: clock, seed: 5, fileSystem: quickFiles().fileSystem)
            next.setConsent(.granted)
            _ = try await next.recovered()
            try await next.close()
            let numbers = try sequences(folder.lines())
            #expect(decisions.safe.isSubset(of: numbers) && Set(numbers).count == numbers.count, "call \(kill): \(numbers)")
            #expect(folder.names == folder.sealed && folder.rings.isEmpty, "call \(kill): \(folder.everything)")
        }
    }

    /// Grants consent in a new process whose first attempt fails at some calls.
    private func grant(failingAtFirst fails: @escaping @Sendable (FaultyFileSystem.Call) -> Bool) async throws {
        let quick: @Sendable (FaultyFileSystem.Call) -> FaultyFileSystem.Fault? = { $0.kind == .synchronize ? .short(0) : nil }
        let files = FaultyFileSystem { fails($0) ? .fail(EIO) : quick($0) }
        let next = try EventFileWriter(folder, options: smallRing, clock: clock, seed: 5, fileSystem: files.fileSystem)
        next.setConsent(.granted)
        await #expect(throws: EventFileError.self) { try await next.flush() }
        files.setRule(quick)
        try await next.flush()
        try await next.close()
    }

    @Test func `a ring in .pending that cannot be removed after its recovery doubles no line at the promotion`() async throws {
        let files = quickFiles()
        let writer = try EventFileWriter(folder, options: smallRing, clock: clock, fileSystem: files.fileSystem)
        writer.setConsent(.pending)
        try await writer.flush()
        for number in 1...3 { writer.record(testEvent(number)) }
        files.kill()
        try? await writer.close(deadline: .zero)
        try await grant(failingAtFirst: { $0.kind == .remove && $0.isOfRing })
        #expect(try sequences(folder.lines()) == [1, 2, 3])
        #expect(folder.names(in: ".pending") == nil)
    }

    private func copyOfRing() throws -> (name: String, bytes: [UInt8]) {
        let name = try #require(folder.rings.first)
        return (name, try folder.bytes(name))
    }

    /// Writes older contents into the ring's file, under the same inode, as a disk may have it after a power loss.
    private func putBack(_ ring: (name: String, bytes: [UInt8])) throws {
        let handle = try #require(FileHandle(forWritingAtPath: folder.path + "/" + ring.name))
        try handle.write(contentsOf: ring.bytes)
        try handle.close()
    }

    @Test(arguments: [0, 1])
    func `a ring that is older than the open segment after a power loss doubles no line`(rotations: Int) async throws {
        // The next process runs after another boot.
        let files = FaultyFileSystem(on: try PowerLossFiles(root: folder.path))
        let writer = try await makeWriter(files)
        for number in 0..<rotations {
            writer.record(testEvent(1 + number))
            try await writer.rotate()
        }
        for number in 1...3 { writer.record(testEvent(rotations + number)) }
        let ring = try copyOfRing()
        try await writer.flush()
        files.kill()
        try? await writer.close(deadline: .zero)
        try putBack(ring)
        #expect(try await sequences(recover(folder)) == Array(1...3 + rotations))
        #expect(folder.rings.isEmpty && folder.names == folder.sealed)
    }

    /// A system whose boot is unknown (`bootID` 0) recovers in the same way.
    @Test(arguments: [nil, [], ["#2 tap"], ["#1 load", "#2 tap"]] as [[String]?])
    func `after another boot, a log keeps lines with the text of earlier ones, and has no line twice`(written: [String]?) async throws {
        let files = FaultyFileSystem(on: try PowerLossFiles(root: folder.path))
        var options = smallRing
        options.contents = .log
        let writer = try await makeWriter(files, options: options)
        for line in ["#1 load", "#2 tap", "#1 load"] {
            #expect(writer.record(line: line))
            try await writer.flush()
        }
        for line in ["#1 load", "#2 tap", "#2 tap"] { #expect(writer.record(line: line)) }
        let ring = try copyOfRing()
        if let written {
            try await writer.flush()
            for line in written { #expect(writer.record(line: line)) }
            try await writer.flush()
        }
        files.kill()
        try? await writer.close(deadline: .zero)
        try putBack(ring)
        let next = try EventFileWriter(folder, options: options, clock: clock, seed: 99, fileSystem: quickFiles().fileSystem)
        _ = try await next.recovered()
        try await next.close()
        #expect(try folder.lines() == ["#1 load", "#2 tap", "#1 load", "#1 load", "#2 tap", "#2 tap"] + (written ?? []))
    }

    @Test func `a torn ring and a copied one are kept in the quarantine, and no line of them is taken`() async throws {
        let files = quickFiles()
        let writer = try await makeWriter(files)
        for number in 1...3 { writer.record(testEvent(number)) }
        files.kill()
        try? await writer.close(deadline: .zero)
        let name = try #require(folder.rings.first)
        let bytes = try folder.bytes(name)
        let handle = try #require(FileHandle(forWritingAtPath: folder.path + "/" + name))
        try handle.seek(toOffset: UInt64(RingHead.bytes + 50))
        try handle.write(contentsOf: [bytes[RingHead.bytes + 50] ^ 1])
        try handle.close()
        #expect(try await recover(folder).isEmpty)
        #expect(folder.names(in: ".quarantine") == ["\(name.dropFirst()).0.torn"] && folder.rings.isEmpty)
        // A copy is no ring of its own: its lines are those of its original.
        try folder.put(bytes, ".events-00000000000000bb.ring")
        try folder.put([UInt8](repeating: 0, count: 5_000), ".events-00000000000000cc.ring")
        try folder.put([], ".events-00000000000000dd.ring")
        #expect(try await recover(folder).isEmpty)
        #expect(folder.names(in: ".quarantine")?.count == 2 && folder.rings.isEmpty, "of zeros nothing is kept")
    }

    @Test func `a ring that an uploader has locked when its recovery begins is recovered all the same`() async throws {
        let files = quickFiles()
        let writer = try await makeWriter(files)
        for number in 1...3 { writer.record(testEvent(number)) }
        files.kill()
        try? await writer.close(deadline: .zero)
        let ring = try #require(folder.rings.first)
        let looking = PosixFileSystem()
        let looks = Collected<FileDescriptor>()
        let ends = Collected<Void>()
        let busy = FaultyFileSystem { [path = folder.path] call in
            if call.kind == .open, call.name == ring, looks.all.isEmpty, let held = try? looking.openFolder(atPath: path) {
                if let file = try? looking.open(ring, in: held), (try? looking.lock(file)) == true { looks.add(file) }
                looking.close(held)
            } else if call.kind == .close, ends.all.isEmpty, let file = looks.all.first {
                looking.close(file)
                ends.add(())
            }
            return call.kind == .synchronize ? .short(0) : nil
        }
        #expect(try await sequences(recover(folder, on: busy.fileSystem)) == Array(1...3))
        #expect(folder.rings.isEmpty && ends.all.count == 1)
    }

    @Test func `expiry removes no segment of a writer whose ring waits`() async throws {
        let files = quickFiles()
        let writer = try await makeWriter(files)
        for number in 1...3 {
            writer.record(testEvent(number))
            try await writer.rotate()
        }
        writer.record(testEvent(4))
        let living = try EventFolder.open(folder.path, on: PosixFileSystem())
        defer { living.close() }
        #expect(try living.writersWithOrphanedRing(living.names()).isEmpty, "its writer is at work")
        files.kill()
        try? await writer.close(deadline: .zero)
        let orphans = try living.writersWithOrphanedRing(living.names())
        #expect(orphans == [try #require(SegmentName.parse(folder.sealed[0])?.name.writerName)])
        var options = smallRing
        options.retainFiles = 0
        #expect(try FileExpiry(folder: living, options: options).doomed().isEmpty)
        try await recover(folder)
        #expect(try FileExpiry(folder: living, options: options).doomed().count == 4)
    }

    @Test(arguments: [EACCES, EIO])
    func `a ring that cannot be opened keeps its writer's segments, and others may go`(errno: Int32) throws {
        let (own, other) = (SegmentName(stem: "events", writer: 1, number: 1), SegmentName(stem: "events", writer: 2, number: 2))
        for name in [own, other] { try folder.put(BGZF.endMember, name.sealed) }
        try folder.put([0], own.ring)
        let files = FaultyFileSystem { $0.kind == .open && $0.name == own.ring ? .fail(errno) : nil }
        var options = smallRing
        options.retainFiles = 0
        let opened = try EventFolder.open(folder.path, on: files.fileSystem)
        #expect(try FileExpiry(folder: opened, options: options).doomed().map(\.name) == [other])
        #expect(try opened.segmentsToSend().map(\.isHeldBack) == [true, false])
    }

    @Test func `expiry and promotion leave a segment that is there under both names alone`() throws {
        let folder = try WriterTestFolder()
        let name = SegmentName(stem: "events", writer: 9, number: 1)
        let (new, old) = try (member(1...3) + BGZF.endMember, member(1...2) + member(3...3))
        try folder.put(new, name.sealed)
        try folder.put(old, name.open)
        try folder.put(new, name.sealed, in: PendingFolder.name)
        try folder.put(old, name.open, in: PendingFolder.name)
        var options = EventFileWriterOptions()
        options.retainFiles = 0
        // The old file cannot be locked, so no recovery removes it.
        let files = FaultyFileSystem { $0.kind == .lock ? .fail(EIO) : nil }
        let main = try EventFolder.open(folder.path, on: files.fileSystem)
        defer { main.close() }
        #expect(try FileExpiry(folder: main, options: options).doomed().isEmpty)
        let pending = try #require(try main.existingFolder(PendingFolder.name))
        defer { pending.close() }
        try main.remove(name.sealed)
        #expect(throws: EventFileError.self) {
            try Promotion(pending: pending, main: main, options: options, clock: .system).run()
        }
        #expect(try pending.names().sorted() == [name.sealed, name.open].sorted())
    }

    @Test func `where only rings hold lines, the error says how many wait, and that the next writer makes a file of them`() async throws {
        let files = quickFiles()
        let writer = try await makeWriter(files)
        for number in 1...3 { writer.record(testEvent(number)) }
        files.kill()
        let error = EventFileReadError.noEventFiles(lookedAt: [folder.path], waitingLines: 3)
        #expect(throws: error) { try EventFileReader(paths: [folder.path]).requireFiles() }
        #expect(error.description.contains(": no event file is here; 3 lines wait in the ring of a writer"))
        try await recover(folder)
        #expect(throws: Never.self) { try EventFileReader(paths: [folder.path]).requireFiles() }
        try? await writer.close(deadline: .zero)
    }

    @Test func `a check mentions a ring with lines in it, and leaves it alone`() async throws {
        let writer = try await makeWriter(quickFiles(), options: .lossless)
        for number in 1...3 { writer.record(testEvent(number)) }
        let ring = folder.path + "/" + (try #require(folder.rings.first))
        #expect(try EventFileCheck(EventFileReader(paths: [folder.path])).run().rings == [.init(path: ring, lines: 3)])
        try await writer.flush()
        #expect(try EventFileCheck(EventFileReader(paths: [folder.path])).run().rings.isEmpty)
        try await writer.close()
    }
}

import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// A writer whose process is suspended by the system holds nothing of the folder meanwhile, and loses nothing.
@Suite(.notForever) struct SuspensionTests {
    let folder: WriterTestFolder

    init() throws { folder = try WriterTestFolder() }

    /// Descriptors of this process that lead into the folder, and locks on its files, whoever has them.
    private func held() throws -> [String] {
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }
        let locks = try systemLocks()
        let locked = try folder.everythingWithRings.filter { name in
            let inode = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.systemFileNumber] as? Int
            return locks.contains(":\(inode ?? 0) ")
        }
        return descriptors.filter { $0.hasPrefix(folder.path) } + locked
    }

    @Test func `a suspended writer holds no lock and no descriptor, and what comes meanwhile is written when it is resumed`() async throws {
        let writer = try EventFileWriter(folder, options: smallRing)
        writer.record(testEvent(1))
        try await writer.flush()
        #expect(try !held().isEmpty, "otherwise this shows nothing")
        for round in 1...5 {
            try await writer.suspend()
            #expect(try held() == [])
            #expect(folder.sealed.count == round && folder.open.isEmpty && folder.rings.isEmpty)
            writer.record(testEvent(round + 1))
            #expect(try held() == [])
            writer.resume()
            try await writer.flush()
            #expect(try !held().isEmpty)
        }
        try await writer.close()
        #expect(try sequences(folder.lines()) == Array(1...6))
        #expect(writer.statistics.written == 6 && writer.statistics.recorded == 6)
    }

    @Test func `a relative path means the same folder after the program has changed its own`() async {
        await #expect(processExitsWith: .success) {
            let (one, other) = (try WriterTestFolder(), try WriterTestFolder())
            #expect(chdir(one.path) == 0)
            let writer = try EventFileWriter(folder: "events", options: smallRing)
            writer.record(testEvent(1))
            try await writer.suspend()
            #expect(chdir(other.path) == 0)
            writer.resume()
            writer.record(testEvent(2))
            try await writer.rotate()
            #expect(FileManager.default.subpaths(atPath: one.path)?.count { $0.hasSuffix(".gz") } == 2)
            try await writer.erase()
            #expect(FileManager.default.subpaths(atPath: one.path)?.contains { $0.hasSuffix(".gz") } == false)
            try await writer.close()
            #expect(other.names == [])
        }
    }

    @Test func `suspending a suspended writer writes what waits`() async throws {
        let writer = try EventFileWriter(folder: folder.path, options: smallRing, startsSuspended: true)
        for round in 1...2 {
            writer.record(testEvent(round))
            try await writer.suspend()
            #expect(try held() == [] && sequences(folder.lines()) == Array(1...round))
        }
        try await writer.close()
    }

    @Test func `suspending a suspended writer opens nothing where nothing waits, even after a resume while it was awake`() throws {
        let files = quickFiles()
        let clock = WriterTestClock()
        let (writer, thread) = try EventFileWriter.withoutThread(
            folder: folder.path, options: smallRing, clock: clock.wall, monotonicClock: clock.monotonic, fileSystem: files.fileSystem,
            random: SeededRandom(seed: 1))
        thread.begin()
        writer.resume()
        func suspend() {
            writer.monitor.changeSuspension { $0.set(true) }
            writer.monitor.request(.suspend) { #expect($0 == nil) }
            while thread.turnIfDue() {}
        }
        suspend()
        #expect(!thread.isOpen)
        let calls = files.calls.count
        suspend()
        #expect(files.calls.count == calls)
    }

    @Test func `calls that need the disk throw meanwhile, and decisions are carried out afterwards`() async throws {
        let writer = try EventFileWriter(folder, options: smallRing)
        writer.setConsent(.pending)
        writer.record(testEvent(1))
        try await writer.suspend()
        try await writer.suspend()
        await #expect(throws: EventFileError.suspended) { try await writer.flush() }
        await #expect(throws: EventFileError.suspended) { try await writer.rotate() }
        await #expect(throws: EventFileError.suspended) { _ = try await writer.recovered() }
        await #expect(throws: EventFileError.suspended) { try await writer.erase() }
        writer.setConsent(.granted)
        writer.record(testEvent(2))
        #expect(try held() == [])
        writer.resume()
        try await writer.close()
        #expect(try sequences(folder.lines()) == [2], "what was there before is erased, though it could not be at once")
        #expect(folder.names(in: ".pending") == nil)
    }

    @Test(arguments: [OverflowPolicy.dropNewest, .dropOldest, .block(upTo: .seconds(3_600))])
    func `events that wait meanwhile are bounded and counted, and no caller waits`(policy: OverflowPolicy) async throws {
        var options = smallRing
        (options.ringEvents, options.overflow) = (4, policy)
        let writer = try EventFileWriter(folder, options: options)
        try await writer.suspend()
        for number in 1...10 { writer.record(testEvent(number)) }
        #expect(writer.statistics.waiting == 4 && writer.statistics.droppedByReason == [.overflow: 6])
        writer.resume()
        try await writer.close()
        let lines = try folder.lines()
        #expect(try sequences(lines) == (policy == .dropOldest ? Array(7...10) : Array(1...4)))
        #expect(try notes(MetaEventName.dropped, in: lines).map { $0["count"] as? Int } == [6])
    }

    @Test(arguments: [true, false])
    func `events that could not be written stay in the folder, and the next writer recovers them once`(byAnother: Bool) async throws {
        let files = FaultyFileSystem { $0.kind == .write ? .fail(ENOSPC) : nil }
        let writer = try EventFileWriter(folder, options: smallRing, fileSystem: files.fileSystem)
        for number in 1...3 { writer.record(testEvent(number)) }
        await #expect(throws: EventFileError.self) { try await writer.suspend() }
        #expect(try held() == [] && files.openDescriptors == 0)
        #expect(folder.rings.count == 1)
        writer.record(testEvent(4))
        files.setRule { _ in nil }
        if byAnother {
            let other = try EventFileWriter(folder, options: smallRing, seed: 2)
            #expect(try await other.recovered().orphans.map(\.ringLines) == [3])
            try await other.close()
        }
        writer.resume()
        #expect(try await writer.recovered().orphans.map(\.ringLines) == (byAnother ? [] : [3]))
        try await writer.close()
        #expect(try sequences(folder.lines()).sorted() == [1, 2, 3, 4])
        #expect(folder.rings.isEmpty && folder.open.isEmpty)
        #expect(writer.statistics.written == 4)
    }

    @Test func `without a ring file, events that could not be written wait on in memory`() async throws {
        let files = FaultyFileSystem { $0.kind == .write || $0.kind == .map ? .fail(ENOSPC) : nil }
        let writer = try EventFileWriter(folder, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        await #expect(throws: EventFileError.self) { try await writer.suspend() }
        #expect(try held() == [] && writer.statistics.waiting == 1)
        files.setRule { _ in nil }
        writer.resume()
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1])
    }

    @Test func `if the folder was erased meanwhile, what waited is dropped and counted, and what comes later is written`() async throws {
        let suspended = try EventFileWriter(folder, options: smallRing)
        let beginsSuspended = try EventFileWriter(
            folder: folder.path, options: smallRing, startsSuspended: true, random: SeededRandom(seed: 3))
        suspended.record(testEvent(1))
        try await suspended.suspend()
        for writer in [suspended, beginsSuspended] { writer.record(testEvent(2)) }
        let other = try EventFileWriter(folder, options: smallRing, seed: 2)
        try await other.erase()
        try await other.close()
        for writer in [suspended, beginsSuspended] {
            writer.resume()
            try await writer.flush()
            #expect(writer.statistics.erased == 1 && writer.statistics.waiting == 0)
            writer.record(testEvent(3))
            try await writer.suspend()
            writer.resume()
            writer.record(testEvent(4))
            try await writer.close()
        }
        #expect(try sequences(folder.lines()).sorted() == [3, 3, 4, 4])
    }

    @Test func `each of several erasures whose numbers find no room on the disk is noticed`() async throws {
        let writer = try EventFileWriter(folder, options: smallRing)
        let files = FaultyFileSystem { $0.kind == .write ? .fail(ENOSPC) : nil }
        for round in 1...3 {
            try await writer.suspend()
            writer.record(testEvent(round))
            let other = try EventFileWriter(folder, options: smallRing, seed: 2, fileSystem: files.fileSystem)
            try await other.erase()
            try await other.close()
            writer.resume()
            try await writer.flush()
            #expect(writer.statistics.erased == round)
        }
        try await writer.close()
        #expect(folder.sealed.isEmpty)
    }

    @Test(arguments: [false, true])
    func `an erasure that has no room for a file is not over until a suspended writer can notice it`(isSecond: Bool) async throws {
        let writer = try EventFileWriter(folder, options: smallRing)
        if isSecond { try await writer.erase() }
        try await writer.suspend()
        writer.record(testEvent(1))
        let files = FaultyFileSystem { $0.kind == .create ? .fail(ENOSPC) : nil }
        let other = try EventFileWriter(folder, options: smallRing, seed: 2, fileSystem: files.fileSystem)
        do throws(EventFileError) {
            try await other.erase()
            #expect(isSecond, "the number of the first erasure is gone, which is a change")
        } catch {
            #expect(!isSecond && error.errno == ENOSPC)
        }
        files.setRule { _ in nil }
        try await other.flush()
        try await other.close()
        writer.resume()
        try await writer.close()
        #expect(try writer.statistics.erased == 1 && folder.lines().allSatisfy { $0.contains(#""type":"meta""#) })
    }

    @Test func `an erasure that began before an event does not concern it, and one that begins later does`() async throws {
        let opened = try EventFolder.open(folder.path, on: PosixFileSystem())
        defer { opened.close() }
        // An erasure that was killed after its mark.
        try folder.put(Array("1".utf8), Erasure.markerName)
        let writer = try EventFileWriter(folder: folder.path, options: smallRing, startsSuspended: true)
        writer.record(testEvent(1))
        try Erasure(folder: opened, number: 2).run()
        writer.resume()
        try await writer.flush()
        #expect(writer.statistics.erased == 0)
        try folder.put(Array("3".utf8), Erasure.markerName)
        try await writer.suspend()
        writer.record(testEvent(2))
        for number in [4, 5] as [UInt64] { try Erasure(folder: opened, number: number).run() }
        writer.resume()
        try await writer.close()
        #expect(writer.statistics.erased == 1)
    }

    @Test func `work in awake is written when it ends, and the last of several suspends`() async throws {
        let writer = try EventFileWriter(folder: folder.path, options: smallRing, startsSuspended: true)
        #expect(try held() == [])
        try await writer.awake {
            writer.record(testEvent(1))
            await writer.awake { writer.record(testEvent(2)) }
            try await writer.flush()
            #expect(try !held().isEmpty, "the outer work goes on")
        }
        #expect(try held() == [] && sequences(folder.lines()) == [1, 2])
        await #expect(throws: CancellationError.self) { try await writer.awake { throw CancellationError() } }
        #expect(try held() == [])
        await writer.awake {
            writer.resume()
            writer.record(testEvent(3))
        }
        try await writer.flush()
        #expect(try !held().isEmpty, "it was resumed meanwhile")
        await writer.awake { writer.record(testEvent(4)) }
        try await writer.flush()
        #expect(try !held().isEmpty, "a writer that is awake stays so")
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1, 2, 3, 4])
    }

    @Test func `closing a suspended writer writes what waits, and opens nothing where nothing does`() async throws {
        let files = FaultyFileSystem()
        let idle = try EventFileWriter(folder, options: smallRing, fileSystem: files.fileSystem)
        try await idle.suspend()
        let calls = files.calls.count
        try await idle.close()
        try await idle.suspend()
        #expect(files.calls.count == calls && files.openDescriptors == 0)
        let writer = try EventFileWriter(folder, options: smallRing, seed: 2)
        try await writer.suspend()
        writer.record(testEvent(1))
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1])
        #expect(try held() == [])
    }

    @Test func `forgetting a person ends at a suspension, releases its locks, and finishes in a later run`() async throws {
        let writer = try EventFileWriter(folder, options: smallRing)
        writer.record(testEvent(1))
        writer.record(testEvent(1, session: "s2"))
        try await writer.rotate()
        try await writer.suspend()
        #expect(throws: EventFileError.suspended) { try EventForgetting(["us1"], beside: writer).run() }
        #expect(try held() == [])
        writer.resume()
        #expect(try EventForgetting(["us1"], beside: writer).run().isComplete)
        try await writer.close()
        #expect(try sequences(folder.lines(), session: "s2") == [1] && sequences(folder.lines()).isEmpty)
    }

    @Test func `an observer that lets go only after the writer was resumed is notified again`() async throws {
        let writer = try EventFileWriter(folder, options: smallRing)
        let log = Collected<String>()
        let observation = writer.observeSegments(lettingGo: {
            writer.resume()
            log.add("let go")
        }) { if $0 == .resumed { log.add("resumed") } }
        try await writer.suspend()
        #expect(log.all == ["resumed", "let go", "resumed"])
        writer.removeObservation(observation)
        try await writer.close()
    }

    @Test func `the writer and its observers let go at the same time`() async throws {
        let clock = WriterTestClock()
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, options: smallRing, clock: clock, fileSystem: files.fileSystem)
        writer.record(testEvent(1))
        try await writer.flush()
        let (begun, mayEnd) = (Announced(0), Announced(false))
        let observations = (1...2).map { _ in
            writer.observeSegments(lettingGo: {
                begun.change { $0 += 1 }
                await mayEnd.until { $0 }
            }) { _ in }
        }
        let suspension = Task { try await writer.suspend() }
        await begun.until { $0 == 2 }
        await clock.until { files.openDescriptors == 0 }
        #expect(folder.sealed.count == 1 && folder.open.isEmpty && folder.rings.isEmpty)
        mayEnd.change { $0 = true }
        try await suspension.value
        for observation in observations { writer.removeObservation(observation) }
        try await writer.close()
    }

    @Test func `a suspension reads few of the segments beyond the limits, and a later seal removes the others`() async throws {
        let first = try EventFileWriter(folder, options: smallRing)
        for number in 1...6 {
            first.record(testEvent(number))
            try await first.rotate()
        }
        try await first.close()
        var options = smallRing
        options.retainFiles = 1
        let writer = try EventFileWriter(folder, options: options, seed: 2)
        writer.record(testEvent(7))
        try await writer.suspend()
        #expect(folder.sealed.count == 5 && writer.statistics.removedEvents == 2)
        writer.resume()
        writer.record(testEvent(8))
        try await writer.rotate()
        #expect(folder.sealed.count == 1)
        try await writer.close()
    }

    @Test func `events that are recorded while storage and the ring fail wait on in memory`() async throws {
        var options = smallRing
        // The clock stands still, so the thread writes the ring only with what it is asked for.
        options.ring = .written(every: .seconds(1))
        let files = FaultyFileSystem()
        let writer = try EventFileWriter(folder, options: options, fileSystem: files.fileSystem)
        _ = try await writer.recovered()
        writer.record(testEvent(1))
        let state = Lock((hasSegment: false, writes: 0))
        files.setRule { call in
            let writes = state.withLock { state in
                if call.kind == .link { state.hasSegment = true }
                if call.kind == .write, state.hasSegment { state.writes += 1 }
                return call.kind == .write ? state.writes : 0
            }
            // The first write notes the member in the ring, the second is the member.
            if writes == 2 { writer.record(testEvent(2)) }
            return writes >= 2 ? .fail(ENOSPC) : nil
        }
        await #expect(throws: EventFileError.self) { try await writer.suspend() }
        #expect(state.withLock(\.writes) > 2, "otherwise this shows nothing")
        files.setRule { _ in nil }
        writer.resume()
        try await writer.close()
        #expect(try sequences(folder.lines()) == [1, 2])
        #expect(writer.statistics.written == 2 && folder.rings.isEmpty)
    }

    @Test func `events for which the ring file has no room wait on in memory while storage fails`() async throws {
        let rings = Lock(0)
        let files = FaultyFileSystem { call in
            if call.kind == .write { return .fail(ENOSPC) }
            if call.kind != .map { return nil }
            // There is room for the smallest ring only.
            let number = rings.withLock { count in
                count += 1
                return count
            }
            return number <= 2 ? .fail(ENOSPC) : nil
        }
        let writer = try EventFileWriter(folder: folder.path, startsSuspended: true, fileSystem: files.fileSystem)
        for number in 1...400 { writer.record(testEvent(number, text: String(repeating: "x", count: 1_000))) }
        await #expect(throws: EventFileError.self) { try await writer.suspend() }
        #expect(writer.statistics.waiting == 400 && folder.rings.isEmpty)
        files.setRule { _ in nil }
        writer.resume()
        try await writer.close()
        #expect(try sequences(folder.lines()) == Array(1...400))
    }

    @Test func `a suspension waits for the end of work that it interrupts`() async throws {
        let writer = try EventFileWriter(folder, options: smallRing)
        let work = InterruptibleWork()
        let isReached = Announced(false)
        let forgetting = Task {
            await onThread {
                Result {
                    try work.run(beside: writer) {
                        isReached.change { $0 = true }
                        while true { try work.goOn() }
                    }
                }
            }
        }
        await isReached.until { $0 }
        try await writer.suspend()
        #expect(throws: EventFileError.suspended) { try work.goOn() }
        await #expect(throws: EventFileError.suspended) { try await forgetting.value.get() }
        try await writer.close()
    }

    @Test func `an erasure ends work that holds the lock that it needs`() async throws {
        let writer = try EventFileWriter(folder, options: smallRing)
        writer.record(testEvent(1))
        try await writer.rotate()
        let (work, opened) = (InterruptibleWork(), try EventFolder.open(folder.path, on: PosixFileSystem()))
        let isReached = Announced(false)
        let forgetting = Task {
            await onThread {
                Result {
                    try work.run(beside: writer) {
                        guard case .taken(let lock) = try UploadLock.take(in: opened, making: true) else { return }
                        defer { lock.release() }
                        isReached.change { $0 = true }
                        while true { try work.goOn() }
                    }
                }
            }
        }
        await isReached.until { $0 }
        try await writer.erase()
        await #expect(throws: EventFileError.storage(.isLocked(Erasure.markerName))) { try await forgetting.value.get() }
        #expect(folder.sealed.isEmpty)
        try await writer.close()
    }

    @Test func `work that begins during an erasure ends when it first asks`() async throws {
        let writer = try EventFileWriter(folder, options: smallRing)
        let reasons = Collected<EventFileError>()
        // The notice goes to those who observe by then, and so not to this work.
        let observation = writer.observeSegments { event in
            if event != .erasing { return }
            let work = InterruptibleWork()
            do throws(EventFileError) {
                try work.run(beside: writer) { () throws(EventFileError) in try work.goOn() }
            } catch {
                reasons.add(error)
            }
        }
        try await writer.erase()
        writer.removeObservation(observation)
        #expect(reasons.all == [.storage(.isLocked(Erasure.markerName))])
        try await writer.close()
    }
}

extension WriterTestFolder {
    fileprivate var everythingWithRings: [String] { FileManager.default.subpaths(atPath: path) ?? [] }
}

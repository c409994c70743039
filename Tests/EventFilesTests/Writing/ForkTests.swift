import Foundation
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// A real process that really forks, and whose parent half is really killed.
@Suite struct ForkTests {
    @Test func `a forked child writes files of its own, and the parent's can be adopted while the child lives`() async throws {
        let folder = try WriterTestFolder()
        let process = try ChildProcess(running: "ForkedProcess", environment: ["LOOPTRAIL_FORK_FOLDER": folder.path])
        for line in ["parent has written", "child has written"] {
            let isSaid = await process.waitFor(line: line)
            try #require(isSaid, "\(line)")
        }
        process.kill()
        #expect(folder.open.count == 2)

        // The child holds its own file and no copy of the parent's.
        let writer = try EventFileWriter(folder, seed: 9)
        let report = try await writer.recovered()
        #expect(report.orphans.map(\.outcome) == [.adopted])
        #expect(folder.open.count == 1 && folder.sealed.count == 1)
        try await writer.close()
        try process.goOn()
        await process.waitForSilence()

        #expect(folder.open.isEmpty)
        let names = folder.sealed.compactMap { SegmentName.parse($0)?.name }
        #expect(Set(names.map(\.writer)).count == 2, "two writers, two names")
        let lines = try folder.lines()
        let ids = try lines.map { try #require(object($0)["id"] as? String) }
        #expect(Set(ids).count == ids.count, "what waited at the fork is written by the parent alone")
        #expect(try sequences(lines, session: "parent") == Array(1...8))
        #expect(try sequences(lines, session: "child") == Array(1...3))
        #expect(try EventFileCheck(EventFileReader(paths: [folder.path])).run().isSound)
    }

    @Test func `a forked child goes on with the consent that was`() async {
        await #expect(processExitsWith: .success) {
            let folder = try WriterTestFolder()
            let writer = try EventFileWriter(folder)
            writer.setConsent(.pending)
            writer.record(testEvent(1, session: "parent"))
            try writer.flushAndWait()
            let child = forkWithAlarms()
            if child == 0 {
                writer.record(testEvent(1, session: "child"))
                _exit((try? writer.closeAndWait()) == nil ? 1 : 7)
            }
            #expect(exitCode(ofChild: child) == 7)
            #expect(folder.names == [".pending"])
            #expect(try sequences(folder.spooledLines(), session: "child") == [1])
            try writer.closeAndWait()
        }
    }

    @Test func `a forked child that changes its directory writes beside its parent all the same`() async {
        await #expect(processExitsWith: .success) {
            let folder = try WriterTestFolder()
            #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
            let writer = try EventFileWriter(folder: "events/")
            writer.record(testEvent(1, session: "parent"))
            try writer.flushAndWait()
            let child = forkWithAlarms()
            if child == 0 {
                // As daemons do.
                guard chdir("/") == 0 else { _exit(2) }
                writer.record(testEvent(1, session: "child"))
                _exit((try? writer.closeAndWait()) == nil ? 1 : 7)
            }
            #expect(exitCode(ofChild: child) == 7)
            try writer.closeAndWait()
            let report = try EventFileCheck(EventFileReader(paths: [folder.path + "/events"])).run()
            #expect(report.isSound && report.events == 2 && report.files.count == 2)
        }
    }

    @Test func `a writer that was closed before the fork is closed in the child`() async {
        await #expect(processExitsWith: .success) {
            let folder = try WriterTestFolder()
            let errors = Collected<EventFileError>()
            let writer = try EventFileWriter(folder, onError: { errors.add($0) })
            writer.record(testEvent(1))
            try writer.closeAndWait()
            let before = folder.names
            let child = forkWithAlarms()
            if child == 0 {
                for number in 2...3 { writer.record(testEvent(number)) }
                var isClosed = false
                do throws(EventFileError) { try writer.flushAndWait() } catch { isClosed = error == .closed }
                guard isClosed, writer.statistics.droppedByReason == [.closed: 2], (try? writer.closeAndWait()) != nil, errors.all.isEmpty
                else { _exit(1) }
                _exit(7)
            }
            #expect(exitCode(ofChild: child) == 7)
            #expect(folder.names == before)
        }
    }

    @Test func `a child whose folder is gone drops and counts, and says so once`() async throws {
        let errors = Collected<EventFileError>()
        let forked = ForkedWriter(inherited: HeldDescriptors(on: PosixFileSystem()), onError: { errors.add($0) }) {
            () throws(EventFileError) in try EventFileWriter(folder: "/dev/null/no/folder")
        }
        #expect(forked.statistics.recorded == 0)
        for number in 1...5 { forked.record(testEvent(number)) }
        #expect(throws: EventFileError.self) { try forked.writer() }
        #expect(errors.all.count == 1)
        #expect(forked.statistics.recorded == 5 && forked.statistics.droppedByReason == [.storage: 5])
    }

    @Test func `a child's writer is made at its first use, and once`() throws {
        let folder = try WriterTestFolder()
        let made = Collected<Int>()
        let forked = ForkedWriter(inherited: HeldDescriptors(on: PosixFileSystem()), onError: nil) { () throws(EventFileError) in
            made.add(1)
            return try EventFileWriter(folder)
        }
        #expect(made.all.isEmpty)
        for number in 1...5 { forked.record(testEvent(number)) }
        #expect(forked.statistics.recorded == 5)
        try forked.writer().closeAndWait()
        #expect(made.all.count == 1)
        #expect(try sequences(folder.lines()) == Array(1...5))
    }
}

/// What the other process runs. Without its surroundings there is nothing to test.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOOPTRAIL_FORK_FOLDER"] != nil))
struct ForkedProcess {
    @Test func `writes, forks and writes on, on both sides`() throws {
        let folder = try #require(ProcessInfo.processInfo.environment["LOOPTRAIL_FORK_FOLDER"])
        let writer = try EventFileWriter(folder: folder)
        for number in 1...3 { writer.record(testEvent(number, session: "parent")) }
        try writer.flushAndWait()
        // These wait in memory at the fork.
        for number in 4...6 { writer.record(testEvent(number, session: "parent")) }
        if forkWithAlarms(seconds: 300) == 0 {
            for number in 1...3 { writer.record(testEvent(number, session: "child")) }
            let isWritten = (try? writer.flushAndWait()) != nil
            ChildProcess.say(isWritten ? "child has written" : "child could not write")
            var byte: UInt8 = 0
            _ = read(0, &byte, 1)
            _exit((try? writer.closeAndWait()) == nil ? 1 : 0)
        }
        for number in 7...8 { writer.record(testEvent(number, session: "parent")) }
        try writer.flushAndWait()
        ChildProcess.say("parent has written")
        // Until it is killed.
        while true { pause() }
    }
}

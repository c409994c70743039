import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// Several writers in one folder, at the same moment, and other people's files beside theirs.
@Suite(.notForever) struct SharedFolderTests {
    let folder: WriterTestFolder

    init() throws { folder = try WriterTestFolder() }

    @Test func `if several writers find one orphan at the same moment, one adopts it, and nothing is there twice`() async throws {
        let orphan = SegmentName(stem: "events", writer: 0xAB, number: 1)
        // The orphan is torn, so that it has to be built anew beside the old file.
        let torn = try member(1...20, session: "orphan") + member(21...40, session: "orphan").prefix(40)
        for round in 1...25 {
            let folder = try WriterTestFolder()
            try folder.put(torn, orphan.open)
            let reports = Collected<RecoveryResult>()
            await withTaskGroup(of: Void.self) { group in
                for seed in 1...4 as ClosedRange<UInt64> {
                    group.addTask {
                        let files = quickFiles()
                        guard
                            let writer = try? EventFileWriter(
                                folder, seed: seed, fileSystem: files.fileSystem, onRecovery: { reports.add($0) })
                        else { return }
                        writer.record(testEvent(1, session: "w\(seed)"))
                        try? await writer.close()
                    }
                }
            }
            // A writer that finds another at the orphan leaves it for later, perhaps for the next writer.
            let next = try EventFileWriter(folder, seed: 5, fileSystem: quickFiles().fileSystem, onRecovery: { reports.add($0) })
            try await next.close()
            #expect(reports.all.reduce(0) { $0 + $1.adopted } == 1, "round \(round)")
            let lines = try folder.lines()
            #expect(try sequences(lines, session: "orphan") == Array(1...20), "round \(round)")
            for seed in 1...4 { #expect(try sequences(lines, session: "w\(seed)") == [1], "round \(round)") }
            #expect(folder.names.allSatisfy { SegmentName.parse($0)?.state == .sealed || $0 == ".quarantine" }, "\(folder.names)")
        }
    }

    @Test func `at its next rotation a writer takes over what a dead process left, and reports it once`() async throws {
        let reports = Collected<RecoveryResult>()
        let writer = try EventFileWriter(folder, fileSystem: quickFiles().fileSystem, onRecovery: { reports.add($0) })
        #expect(try await writer.recovered().isEmpty)
        let (orphan, blocked) = (SegmentName(stem: "events", writer: 0xAB, number: 1), SegmentName(stem: "events", writer: 0xAB, number: 2))
        try folder.put(try member(1...20, session: "orphan"), orphan.open)
        try await writer.rotate()
        #expect(try await writer.recovered().adopted == 1)
        #expect(folder.sealed == [orphan.sealed] && folder.open.isEmpty)
        // An orphan that stays as it is, so that each rotation finds it again.
        try folder.put([1], blocked.sealed)
        try folder.put(try member(21...30, session: "orphan"), blocked.open)
        for _ in 1...3 {
            try await writer.rotate()
            #expect(try await writer.recovered().orphans.map(\.outcome) == [.conflict])
        }
        #expect(reports.all.count == 2)
        try await writer.close()
    }

    @Test func `an orphan that stays is reported once, whatever other orphans come and go`() async throws {
        let stays = SegmentName(stem: "events", writer: 0xAB, number: 1)
        try folder.put([1], stays.sealed)
        try folder.put(try member(1...10, session: "orphan"), stays.open)
        let reports = Collected<RecoveryResult>()
        let writer = try EventFileWriter(folder, fileSystem: quickFiles().fileSystem, onRecovery: { reports.add($0) })
        #expect(try await writer.recovered().orphans.map(\.outcome) == [.conflict])
        for number in 2...3 as ClosedRange<Int64> {
            try folder.put(try member(11...20, session: "late"), SegmentName(stem: "events", writer: 0xAB, number: number).open)
            for _ in 1...2 {
                try await writer.rotate()
                #expect(try await writer.recovered().orphans.map(\.outcome) == [.conflict, .adopted], "what was found is not forgotten")
            }
        }
        try await writer.close()
        #expect(reports.all.map { $0.orphans.map(\.outcome) } == [[.conflict], [.adopted], [.adopted]])
    }

    @Test func `writers that rotate at the same moment never take each other's names`() async throws {
        await withTaskGroup(of: Void.self) { [folder] group in
            for seed in 1...4 as ClosedRange<UInt64> {
                group.addTask {
                    guard let writer = try? EventFileWriter(folder, options: .lossless, seed: seed, fileSystem: quickFiles().fileSystem)
                    else {
                        return
                    }
                    for number in 1...25 {
                        writer.record(testEvent(number, session: "w\(seed)"))
                        try? await writer.rotate()
                    }
                    try? await writer.close()
                }
            }
        }
        let lines = try folder.lines()
        for seed in 1...4 { #expect(try sequences(lines, session: "w\(seed)").sorted() == Array(1...25)) }
        #expect(folder.names == folder.sealed && folder.sealed.count == 100)
    }

    @Test func `a process that is stopped keeps its file, and one that is killed while stopped leaves it`() async throws {
        let process = try ChildProcess(
            running: "VictimTests", environment: ["LOOPTRAIL_VICTIM_FOLDER": folder.path, "LOOPTRAIL_VICTIM_ROUND": "1"])
        let isWriting = await process.waitFor(line: "written 6")
        try #require(isWriting)
        let id = process.process.processIdentifier
        Foundation.kill(id, SIGSTOP)
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WSTOPPED | WNOWAIT) != 0 && errno == EINTR {}
        let held = folder.open
        let other = try EventFileWriter(folder, seed: 2)
        #expect(try await other.recovered().orphans.allSatisfy { $0.outcome != .adopted })
        #expect(Set(held).isSubset(of: folder.names), "what it writes is left alone, for as long as it takes")
        try await other.close()
        process.kill()
        let next = try EventFileWriter(folder, seed: 3)
        try await next.close()
        #expect(folder.open.isEmpty)
        let numbers = try sequences(folder.lines(), session: "round-1")
        #expect(numbers.count >= 6 && numbers == Array(1...numbers.count))
        await process.waitForSilence()
    }

    @Test func `a thousand files of others stay, and only their numbers count`() async throws {
        let foreign = (0..<250).flatMap { number in
            [
                "notes-\(number).txt", ".hidden-\(number)", "events-\(number).ndjson.gz",
                SegmentName(stem: "other", writer: UInt64(number), number: Int64(number)).sealed,
            ]
        }
        for name in foreign { try folder.put([1], name) }
        var options = EventFileWriterOptions()
        options.retainFiles = 2
        let writer = try EventFileWriter(folder, options: options, fileSystem: quickFiles().fileSystem)
        for number in 1...5 {
            writer.record(testEvent(number))
            try await writer.rotate()
        }
        try await writer.close()
        let own = folder.sealed.filter { $0.hasPrefix("events-") }
        #expect(own.compactMap { SegmentName.parse($0)?.name.number } == [253, 254], "above the highest number that is there")
        #expect(Set(foreign).isSubset(of: folder.names))
    }

    #if os(Linux)
    @Test func `a name that is not UTF-8 is no segment`() async throws {
        var raw = Array(folder.path.utf8CString.dropLast())
        raw += Array("/events-0a1b2c3d-0000000009.ndjson.gz.open".utf8CString)
        raw[folder.path.utf8.count + 1] = -1
        let made = open(raw, O_CREAT | O_WRONLY, 0o600)
        defer { unlink(raw) }
        try #require(made >= 0)
        close(made)
        let writer = try EventFileWriter(folder, fileSystem: quickFiles().fileSystem)
        #expect(try await writer.recovered().isEmpty)
        writer.record(testEvent(1))
        try await writer.close()
        #expect(access(raw, F_OK) == 0)
        #expect(writer.statistics.segments == 1)
    }
    #endif
}

import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// A separate file system of 2 MiB, if the machine lets us mount one.
final class SmallDisk {
    let path: String

    static let canMount: Bool = (try? SmallDisk()) != nil

    init() throws {
        path = NSTemporaryDirectory() + "looptrail-disk-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        guard try Self.run("mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", path) else {
            try FileManager.default.removeItem(atPath: path)
            throw CocoaError(.fileWriteNoPermission)
        }
    }

    deinit {
        if (try? Self.run("umount", path)) == true { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Runs a command. It waits by `waitpid`, because `Process.waitUntilExit` may miss the end of so short a command and wait for ever.
    private static func run(_ command: String...) throws -> Bool {
        #if os(Linux)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        var words = command.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        guard posix_spawnp(&child, command[0], &actions, nil, &words, environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status == 0
        #else
        return false
        #endif
    }
}

/// On a disk that is full for a while no caller waits, drops are counted exactly, and writing goes on.
@Suite struct FullDiskTests {
    /// Fills a disk, goes on recording, makes room, and looks at what became of it.
    private func fill(_ folder: String, files: any FileSystem, makeFull: () throws -> Void, makeRoom: () throws -> Void) async throws {
        var options = EventFileWriterOptions()
        options.ringEvents = 1_000
        options.rotateBytes = 100_000
        let errors = Collected<EventFileError>()
        let clock = WriterTestClock()
        let writer = try EventFileWriter(
            folder: folder, options: options, clock: clock.wall, monotonicClock: clock.monotonic, fileSystem: files,
            random: SeededRandom(seed: 1), onError: { errors.add($0) })
        var random = SeededRandom(seed: 7)
        var number = 0
        func record(_ count: Int) {
            for _ in 0..<count {
                number += 1
                let text = (0..<8).map { _ in String(random.next(), radix: 36) }.joined()
                writer.record(testEvent(number, text: text))
            }
        }
        func sealed() throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: folder).filter { SegmentName.parse($0)?.state == .sealed })
        }
        record(900)
        try await writer.flush()
        try makeFull()
        var isFull = false
        while !isFull && number < 200_000 {
            record(500)
            do throws(EventFileError) { try await writer.flush(.processKill) } catch { isFull = true }
        }
        #expect(isFull)
        let before = try sealed()
        for _ in 0..<10 {
            record(500)
            await #expect(throws: EventFileError.self) { try await writer.flush() }
        }
        #expect(errors.all.count == 1, "said once")
        guard case .storage(let error) = try #require(errors.all.first) else { return #expect(Bool(false), "\(errors.all)") }
        #expect(error.errno == ENOSPC)
        let full = writer.statistics
        #expect(full.recorded == full.written + full.waiting + full.dropped && full.dropped > 0)
        #expect(try sealed() == before, "nothing is deleted to make room")
        try makeRoom()
        try await writer.flush()
        record(700)
        try await writer.close()

        let statistics = writer.statistics
        #expect(statistics.recorded == number && statistics.waiting == 0)
        #expect(statistics.written + statistics.dropped == number && statistics.droppedByReason == [.storage: full.dropped])
        let report = try EventFileCheck(EventFileReader(paths: [folder])).run()
        #expect(report.isSound, "\(report.faults)")
        #expect(report.events == statistics.written)
        #expect(report.droppedEvents == Int64(full.dropped) && report.missingSequences == Int64(full.dropped))
    }

    @Test(.enabled(if: SmallDisk.canMount, "this machine lets nobody mount: the test on the faulty file system has run instead"))
    func `a real disk of two megabytes`() async throws {
        let disk = try SmallDisk()
        let ballast = disk.path + "/ballast"
        try await fill(
            disk.path + "/events", files: PosixFileSystem(),
            makeFull: {
                let free = try FileManager.default.attributesOfFileSystem(forPath: disk.path)[.systemFreeSize] as? Int
                try Data(count: #require(free) / 2).write(to: URL(fileURLWithPath: ballast))
            },
            makeRoom: { try FileManager.default.removeItem(atPath: ballast) })
    }

    @Test func `a file system that says that it is full, in the middle of a write`() async throws {
        let folder = try WriterTestFolder()
        let files = FaultyFileSystem()
        try await fill(
            folder.path, files: files.fileSystem,
            makeFull: {
                let start = files.calls.count
                files.setRule { call in
                    if call.kind != .write || call.number < start + 100 { return nil }
                    // 20 bytes are less than the end member has. If that fitted, storage would work for a moment.
                    return call.number % 2 == 0 ? .short(20) : .fail(ENOSPC)
                }
            },
            makeRoom: { files.setRule { _ in nil } })
    }
}

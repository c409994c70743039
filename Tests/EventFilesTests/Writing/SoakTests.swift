import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// What a writer costs over its life and a reader over a bomb, measured in a process of its own, where nobody else opens files or takes
/// memory.
///
/// CI writes 100,000 events and unpacks 200 MiB; `LOOPTRAIL_SOAK_EVENTS=10000000` and `LOOPTRAIL_BOMB_MIB=10240` ask for more.
@Suite struct SoakTests {
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func `memory is flat and within 16 MiB, and neither threads nor descriptors are left`() async throws {
        let folder = try WriterTestFolder()
        let process = try ChildProcess(running: "SoakedProcess", environment: ["LOOPTRAIL_SOAK_FOLDER": folder.path])
        let isSound = await process.waitFor(line: "sound")
        #expect(isSound, "the other process says: \(process.text)")
        await process.waitForSilence()
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func `a bomb costs no memory`() async throws {
        let folder = try ReadingFolder()
        defer { withExtendedLifetime(folder) {} }
        let members = (ProcessInfo.processInfo.environment["LOOPTRAIL_BOMB_MIB"].flatMap { Int($0) } ?? 200) / 50
        // A thousand spaces take about one byte. They are one line without an end.
        let bomb = Gzip.ordinary([UInt8](repeating: 0x20, count: 50 << 20))
        let path = try folder.write(Array(repeatElement(bomb, count: members).joined()))
        let process = try ChildProcess(
            running: "BombedProcess", environment: ["LOOPTRAIL_BOMB": path, "LOOPTRAIL_BOMB_BYTES": "\(members * (50 << 20))"])
        let isSound = await process.waitFor(line: "sound")
        #expect(isSound, "the other process says: \(process.text)")
        await process.waitForSilence()
    }
}

/// What the other process runs. Without the environment that the parent sets there is nothing to test.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOOPTRAIL_BOMB"] != nil))
struct BombedProcess {
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func `reads, and measures its own process`() throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try #require(environment["LOOPTRAIL_BOMB"])
        let bytes = try #require(environment["LOOPTRAIL_BOMB_BYTES"].flatMap { Int64($0) })
        let start = try SoakedProcess.status("VmHWM")
        let read = try ReadLines.of(path)
        let growth = try SoakedProcess.status("VmHWM") - start
        let isPassedOver = read.lines.isEmpty && read.damage.map(\.kind) == [.longLine] && read.damage[0].bytes == bytes
        #expect(isPassedOver, "\(read.lines.count) lines, \(read.damage)")
        #expect(growth < 60 * 1_024, "\(growth) KiB more")
        if isPassedOver && growth < 60 * 1_024 { ChildProcess.say("\nsound") }
    }
}

/// What the other process runs. Without the environment that the parent sets there is nothing to test.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOOPTRAIL_SOAK_FOLDER"] != nil))
struct SoakedProcess {
    /// A line of `/proc/self/status`, in KiB or a count.
    static func status(_ key: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(key + ":") })
        return try #require(line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) })
    }

    private static func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func `writes, and measures its own process`() throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = try #require(environment["LOOPTRAIL_SOAK_FOLDER"])
        let count = environment["LOOPTRAIL_SOAK_EVENTS"].flatMap { Int($0) } ?? 100_000

        // A first writer, so that what the process allocates at the first use does not count.
        let first = try EventFileWriter(folder: folder + "/first")
        first.record(testEvent(1))
        try first.closeAndWait()
        let (threads, descriptors) = (try Self.status("Threads"), try Self.descriptors())
        for round in 0..<50 {
            let writer = try EventFileWriter(folder: folder + "/first")
            writer.record(testEvent(round))
            try writer.closeAndWait()
        }
        // For a moment after its end the system may still count a thread.
        func isNothingLeft() throws -> Bool {
            try (0..<1_000).contains { _ in try Self.status("Threads") <= threads && Self.descriptors() <= descriptors }
        }
        let isNothingLeftOfMany = try isNothingLeft()
        #expect(isNothingLeftOfMany)

        var options = EventFileWriterOptions()
        options.overflow = .block(upTo: .seconds(3_600))
        options.repackLevel = nil
        let start = try Self.status("VmRSS")
        let writer = try EventFileWriter(folder: folder + "/events", options: options)
        var early = 0
        for number in 1...count {
            writer.record(testEvent(number))
            if number == count / 5 { early = try Self.status("VmRSS") }
        }
        let late = try Self.status("VmRSS")
        try writer.closeAndWait()
        // On a busy machine the ring may fill up only after the early measurement. Its 8,192 lines take 2 MiB, and twice that while one
        // half is written and the other filled.
        let growth = (2 + 2 * 2) * 1_024
        let peak = try Self.status("VmHWM") - start
        #expect(writer.statistics.written == count)
        #expect(peak <= 16 * 1_024, "\(peak) KiB at most")
        #expect(late - early <= growth, "\(late - early) KiB more at the end than after a fifth")
        let isNothingLeftOfOne = try isNothingLeft()
        #expect(isNothingLeftOfOne)
        // The parent sees only what is said here.
        let isWhole = writer.statistics.written == count && isNothingLeftOfMany && isNothingLeftOfOne
        if isWhole && peak <= 16 * 1_024 && late - early <= growth {
            ChildProcess.say("\n\(count) events, \(peak) KiB at most, \(late - early) KiB growth\nsound")
        }
    }
}

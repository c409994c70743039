import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// What a writer costs over its life, measured in a process of its own, where nobody else opens files or takes memory.
///
/// CI writes 200,000 events; `LOOPTRAIL_SOAK_EVENTS=10000000` asks for more.
@Suite struct SoakTests {
    @Test func `memory is flat and within 16 MiB, and neither threads nor descriptors are left`() async throws {
        let folder = try WriterTestFolder()
        let process = try ChildProcess(running: "SoakedProcess", environment: ["LOOPTRAIL_SOAK_FOLDER": folder.path])
        let isSound = await process.waitFor(line: "sound")
        #expect(isSound, "the other process says: \(process.text)")
        await process.waitForSilence()
    }
}

/// What the other process runs. Without the environment that the parent sets there is nothing to test.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOOPTRAIL_SOAK_FOLDER"] != nil))
struct SoakedProcess {
    /// A line of `/proc/self/status`, in KiB or a count.
    private static func status(_ key: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(key + ":") })
        return try #require(line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) })
    }

    private static func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func `writes, and measures its own process`() throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = try #require(environment["LOOPTRAIL_SOAK_FOLDER"])
        let count = environment["LOOPTRAIL_SOAK_EVENTS"].flatMap { Int($0) } ?? 200_000

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
        #expect(try Self.status("Threads") == threads && Self.descriptors() == descriptors)

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
        #expect(try Self.status("Threads") == threads && Self.descriptors() == descriptors)
        if peak <= 16 * 1_024 && late - early <= growth {
            ChildProcess.say("\n\(count) events, \(peak) KiB at most, \(late - early) KiB growth\nsound")
        }
    }
}

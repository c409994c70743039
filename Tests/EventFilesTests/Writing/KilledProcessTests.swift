import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// A real process, really killed: what it had acknowledged is in the files afterwards.
///
/// The process is this test program itself, which runs ``VictimTests`` alone. CI runs 5 rounds;
/// `LOOPTRAIL_KILL_ROUNDS=500` asks for more.
@Suite struct KilledProcessTests {
    @Test func `a process killed at a random moment loses nothing that was acknowledged`() async throws {
        let rounds = ProcessInfo.processInfo.environment["LOOPTRAIL_KILL_ROUNDS"].flatMap { Int($0) } ?? 5
        let folder = try WriterTestFolder()
        var random = SeededRandom(seed: 20_260_101)
        var expected: [Int: Int] = [:]
        for round in 1...rounds {
            expected[round] = try Victim("VictimTests", folder: folder.path, round: round).kill(
                afterAcknowledged: Int.random(in: 1...120, using: &random))
        }
        // Hundreds of rounds leave more files than a writer keeps unless told otherwise.
        let writer = try EventFileWriter(folder: folder.path, options: .lossless)
        _ = try await writer.recovered()
        try await writer.close()
        let lines = try folder.lines()
        for name in folder.sealed { #expect(try folder.decode(name).hasEndMember) }
        #expect(folder.open.isEmpty)
        let ids = try lines.map { try #require(object($0)["id"] as? String) }
        #expect(Set(ids).count == ids.count, "no event twice")
        let bySession = Dictionary(grouping: try lines.map { try object($0) }, by: { $0["session"] as? String ?? "" })
        for (round, acknowledged) in expected {
            let numbers = (bySession["round-\(round)"] ?? []).compactMap { $0["seq"] as? Int }
            #expect(numbers.count >= acknowledged, "round \(round)")
            #expect(numbers == Array(1..<numbers.count + 1), "round \(round): a prefix, nothing missing in between")
        }
    }
}

/// The test program as a child process that writes until it is killed.
struct Victim {
    let process = Process()
    let output = Pipe()
    let input = Pipe()

    /// - Parameter suite: what it runs.
    init(_ suite: String, folder: String, round: Int) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--testing-library", "swift-testing", "--filter", "EventFilesTests.\(suite)/"]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["LOOPTRAIL_VICTIM_FOLDER": folder, "LOOPTRAIL_VICTIM_ROUND": String(round)], uniquingKeysWith: { $1 })
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Reads acknowledgements up to the number `wanted`, kills the process, and returns the last one that came.
    ///
    /// - Parameter acknowledged: called with each number before the kill. Later an answer would raise SIGPIPE.
    func kill(afterAcknowledged wanted: Int, acknowledged: (Int) throws -> Void = { _ in }) throws -> Int {
        var last = 0
        var text = ""
        var isKilled = false
        while true {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { break }
            text += String(decoding: bytes, as: UTF8.self)
            while let feed = text.firstIndex(of: "\n") {
                if text.hasPrefix("written "), let number = Int(text[..<feed].dropFirst(8)) {
                    last = number
                    if !isKilled { try acknowledged(number) }
                }
                text = String(text[text.index(after: feed)...])
            }
            if last >= wanted && !isKilled {
                isKilled = true
                Foundation.kill(process.processIdentifier, SIGKILL)
            }
        }
        process.waitUntilExit()
        #expect(isKilled, "the victim ended by itself")
        return last
    }
}

/// What the child process runs. Without the environment that the parent sets there is nothing to test.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOOPTRAIL_VICTIM_FOLDER"] != nil))
struct VictimTests {
    @Test func `writes and says how far it is until it is killed`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = try #require(environment["LOOPTRAIL_VICTIM_FOLDER"])
        let session = "round-\(try #require(environment["LOOPTRAIL_VICTIM_ROUND"]))"
        var options = EventFileWriterOptions.lossless
        // Small files, so that kills fall into seals and repacks as well.
        options.rotateBytes = 1_500
        let writer = try EventFileWriter(folder: folder, options: options)
        for number in 1...100_000 {
            writer.record(testEvent(number, session: session))
            if number % 3 == 0 {
                try await writer.flush()
                FileHandle.standardOutput.write(Data("written \(number)\n".utf8))
            }
        }
    }
}

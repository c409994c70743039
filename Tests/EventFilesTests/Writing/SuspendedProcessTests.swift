import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// A real process that suspends and resumes its writer until it is killed. `/proc/locks` never names it while it is suspended, and what it
/// recorded before a suspension ended is in the files.
@Suite struct SuspendedProcessTests {
    @Test func `the system knows no lock of a suspended process, and its end loses only what waited`() async throws {
        let folder = try WriterTestFolder()
        var expected: [Int: Int] = [:]
        for round in 1...4 {
            let victim = try Victim("SuspendingVictims", folder: folder.path, round: round)
            let pid = victim.process.processIdentifier
            func locks() throws -> Int {
                try systemLocks().split(separator: "\n").count { $0.split(separator: " ").contains("\(pid)") }
            }
            var awake = 0
            expected[round] = try victim.kill(afterAcknowledged: 8 + round) { number in
                // The victim waits for an answer to each number.
                if number % 2 == 0 { #expect(try locks() == 0, "round \(round), \(number)") } else { awake += try locks() }
                victim.input.fileHandleForWriting.write(Data("\n".utf8))
            }
            #expect(awake > 0, "otherwise this shows nothing")
        }
        let writer = try EventFileWriter(folder: folder.path, options: .lossless)
        _ = try await writer.recovered()
        try await writer.close()
        let lines = try folder.lines()
        for (round, acknowledged) in expected {
            let numbers = try sequences(lines, session: "round-\(round)")
            #expect(numbers.count >= acknowledged && Set(numbers).isSuperset(of: 1...acknowledged), "round \(round): \(numbers)")
            #expect(Set(numbers).count == numbers.count, "round \(round)")
        }
        #expect(folder.open.isEmpty && folder.rings.isEmpty)
    }
}

/// What the child process runs.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOOPTRAIL_VICTIM_FOLDER"] != nil))
struct SuspendingVictims {
    @Test func `records, suspends and resumes, and waits for an answer in between`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = try #require(environment["LOOPTRAIL_VICTIM_FOLDER"])
        let session = "round-\(try #require(environment["LOOPTRAIL_VICTIM_ROUND"]))"
        let writer = try EventFileWriter(folder: folder, options: smallRing)
        for number in 1...100 {
            writer.record(testEvent(number, session: session))
            // A suspension writes even numbers, which are recorded awake. Odd ones from 3 on are recorded in between, and flushed.
            if number % 2 == 0 {
                try await writer.suspend()
            } else {
                writer.resume()
                try await writer.flush()
            }
            FileHandle.standardOutput.write(Data("written \(number)\n".utf8))
            _ = readLine()
        }
    }
}

import Dispatch
import Foundation
import Testing

@testable import EventFiles

/// A real process that is asked to end by SIGTERM, and finishes its file as the documentation says.
@Suite struct TerminatedProcessTests {
    @Test func `events that a terminated process recorded until its end are there, once`() async throws {
        let folder = try WriterTestFolder()
        let progress = try WriterTestFolder()
        for round in 1...5 {
            let child = try ChildProcess(
                running: "TerminatedChild",
                environment: [
                    "LOOPTRAIL_TERMINATED_FOLDER": folder.path, "LOOPTRAIL_TERMINATED_PROGRESS": progress.path,
                    "LOOPTRAIL_TERMINATED_ROUND": String(round),
                ])
            #expect(await child.waitFor(line: "recording"))
            kill(child.process.processIdentifier, SIGTERM)
            await child.waitForSilence()
            #expect(child.text.contains("sealed"))
        }
        let writer = try EventFileWriter(folder: folder.path, options: .lossless)
        _ = try await writer.recovered()
        try await writer.close()
        let events = Dictionary(grouping: try folder.lines().map { try object($0) }, by: { $0["session"] as? String ?? "" })
        for session in progress.names {
            let returned = try #require(Int(String(decoding: progress.bytes(session), as: UTF8.self)))
            let numbers = (events[session] ?? []).compactMap { $0["seq"] as? Int }.sorted()
            #expect(numbers == Array(1..<numbers.count + 1) && numbers.count >= returned, "\(session): \(numbers.count) of \(returned)")
        }
        #expect(progress.names.count == 10)
    }
}

/// What the child process runs. Without the environment that the parent sets there is nothing to test.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOOPTRAIL_TERMINATED_FOLDER"] != nil))
struct TerminatedChild {
    @Test func `records on two threads until it ends`() throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = try #require(environment["LOOPTRAIL_TERMINATED_FOLDER"])
        let progress = try #require(environment["LOOPTRAIL_TERMINATED_PROGRESS"])
        let round = try #require(environment["LOOPTRAIL_TERMINATED_ROUND"])
        let writer = try EventFileWriter(folder: folder, options: .lossless)
        signal(SIGTERM, SIG_IGN)
        // What matters is what is recorded after the signal: each thread waits for it, and records on while the file is sealed.
        let ending = DispatchSemaphore(value: 0)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
        source.setEventHandler {
            for _ in 1...2 { ending.signal() }
            do { try writer.rotateAndWait() } catch { exit(1) }
            ChildProcess.say("sealed")
            exit(0)
        }
        source.resume()
        for thread in 1...2 {
            let session = "round-\(round)-\(thread)"
            Thread.detachNewThread {
                let file = open(progress + "/" + session, O_CREAT | O_WRONLY, 0o600)
                for number in 1...10_000_000 {
                    writer.record(testEvent(number, session: session))
                    let text = String(number)
                    pwrite(file, text, text.utf8.count, 0)
                    if number != 2_000 { continue }
                    if thread == 1 { ChildProcess.say("recording") }
                    ending.wait()
                }
            }
        }
        withExtendedLifetime(source) { DispatchSemaphore(value: 0).wait() }
    }
}

import Dispatch
import EventFiles
import Foundation
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

private enum OrderError: Error { case notKept }

private struct Request {
    var user = "u1"
    var session: String?
    var total = 9.5
}

/// Returns when an order is kept for certain; throws if it is not.
func keep(_ order: TrackingEvent, by tracker: Tracker) async throws {
    let before = try await tracker.flush()
    tracker.track(order)
    guard try await tracker.flush().isComplete(since: before) else { throw OrderError.notKept }
}

private func log(_ text: String) { print(text) }

/// Seals the file under way when the system asks this process to end. Keep what it returns.
func sealOnTermination(_ writer: EventFileWriter, then end: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
    // Otherwise the signal ends the process at once.
    signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
    source.setEventHandler {
        do {
            try writer.rotateAndWait()
        } catch {
            log("the next run finishes the file: \(error)")
        }
        end()
    }
    source.resume()
    return source
}

@Suite struct FromDeviceToAnalystArticle {
    private static func makeFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "looptrail-article-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func `an order is kept or the caller hears that it is not`() async throws {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let writer = try EventFileWriter(
            folder: folder, onError: { error in log("events wait for storage: \(error)") },
            onDrop: { lost in
                for (reason, count) in lost { log("\(count) events lost: \(reason.rawValue)") }
            })
        let tracker = Tracker(to: writer, user: "u1")
        try await keep(.event("order_placed"), by: tracker)
        let giant = TrackingEvent(
            "order_placed", TrackingProperties((0..<100).map { ("k\($0)", .string(String(repeating: "x", count: 1_000))) }))
        await #expect(throws: OrderError.self) { try await keep(giant, by: tracker) }
        try await keep(.event("order_placed"), by: tracker)
        try await writer.close()
    }

    @Test func `a filter passes on everything else`() async throws {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let writer = try EventFileWriter(folder: folder)
        let tracker = Tracker(to: writer.filtered { $0.event.name != "scrolled" })
        for name in ["opened", "scrolled", "closed"] { tracker.track(TrackingEvent(name)) }
        let receipt = try await tracker.flush()
        #expect(receipt.isComplete() && receipt.sinks.count == 1)
        try await writer.close()
        let report = try EventFileCheck(EventFileReader(paths: [folder]), complete: true).run()
        #expect(report.isSound && report.events == 2 && report.droppedEvents == 1)
    }

    @Test func `requests do not get each other's users`() throws {
        let writer = MemorySink()
        let tracker = Tracker(to: writer, context: ["host": "web-1"])
        func respond(to request: Request) {
            let visit = tracker.scoped(user: request.user, session: request.session)
            visit.track(.event("order_placed", ["total": request.total]))
        }
        respond(to: Request(user: "u1", session: "s1"))
        respond(to: Request(user: "u2"))
        #expect(writer.all.map(\.event.name) == ["session_started", "order_placed", "order_placed"])
        #expect(writer.all.map(\.user) == ["u1", "u1", "u2"] && writer.all.map(\.session) == ["s1", "s1", nil])
    }

    @Test func `a process that is asked to end finishes its file first`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let folder = try Self.makeFolder()
            let writer = try EventFileWriter(folder: folder)
            let tracker = Tracker(to: writer, user: "u1")
            for _ in 0..<500 { tracker.track(.event("e")) }
            let source = sealOnTermination(writer) {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                let report = try? EventFileCheck(EventFileReader(paths: [folder])).run()
                try? FileManager.default.removeItem(atPath: folder)
                exit(names.count { $0.hasSuffix(".ndjson.gz") } == 1 && names.count == 2 && report?.events == 500 ? 7 : 1)
            }
            withExtendedLifetime(source) {
                // Another thread makes the source ready, and earlier signals are ignored. The handler ends the process.
                while kill(getpid(), SIGTERM) == 0 { sched_yield() }
            }
        }
    }
}

import EventFiles
import Foundation
import LoopTesting
import LoopTracking
import TestSupport
import Testing
import TrackingEvents

/// A tracker whose app goes to the background and comes back.
@Suite(.notForever) struct AppLifeTests {
    /// Notes its calls. A suspension waits until the test lets it end.
    private final class Slow: TrackingSink {
        let calls = Collected<String>()
        let mayEnd = Announced(false)

        func record(_ event: StampedEvent) { calls.add(event.event.name) }
        func flush() async throws -> FlushReceipt { FlushReceipt() }
        func suspend() async throws {
            calls.add("suspend")
            await mayEnd.until { $0 }
            calls.add("suspended")
        }
        func resume() { calls.add("resume") }
    }

    private struct Failing: TrackingSink {
        func record(_ event: StampedEvent) {}
        func flush() async throws -> FlushReceipt { throw CancellationError() }
    }

    @Test func `changes that come faster than a suspension ends are done in order, and the last counts`() async {
        let sink = Slow()
        let tracker = Tracker(to: sink.filtered { _ in true })
        tracker.appLife.enterBackground()
        tracker.appLife.enterForeground()
        tracker.appLife.enterBackground()
        let last = tracker.appLife.enterForeground()
        sink.mayEnd.change { $0 = true }
        await last.value
        #expect(sink.calls.all == ["suspend", "suspended", "resume", "suspend", "suspended", "resume"])
    }

    @Test func `every sink is suspended, even if another fails, and one without locks is flushed`() async {
        let sink = Slow()
        sink.mayEnd.change { $0 = true }
        let tracker = Tracker(to: Failing(), sink)
        await #expect(throws: CancellationError.self) { try await tracker.suspend() }
        #expect(sink.calls.all == ["suspend", "suspended"])
    }

    @Test func `an extension begins suspended and wakes the writer for each piece of work`() async throws {
        let folder = testFolders + "looptrail-extension-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let writer = try EventFileWriter(folder: folder, startsSuspended: true)
        let tracker = Tracker(to: writer)
        await writer.awake {
            tracker.track(.event("widget_tapped"))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count { $0.hasSuffix(".ndjson.gz") } == 1 && !names.contains { $0.hasSuffix(".open") || $0.hasSuffix(".ring") })
        #expect(writer.statistics.written == 2)
        try await writer.close()
    }
}

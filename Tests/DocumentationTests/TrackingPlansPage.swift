import EventFiles
import Foundation
import LoopTesting
import LoopTracking
import Synchronization
import Testing
import TrackingEvents
import TrackingPlans

/// The code of the page about tracking plans. The shop's type and mapping stand in Tools/ShopDemo.
@Suite struct TrackingPlansPage {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private let file = TrackingPlansPage.root.appending(path: "Tools/ShopDemo/tracking-plan.json")

    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        func append(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    @Test func `events made by hand are checked against the plan on their way`() async throws {
        let folder = NSTemporaryDirectory() + "looptrail-plans-page-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let writer = try EventFileWriter(folder: folder)
        let log = Log()
        let plan = try TrackingPlan(Array(Data(contentsOf: file)))
        let tracker = Tracker(to: writer.checked(against: plan) { violation in log.append("\(violation)") })
        tracker.track(.event("cart_viewed", ["items": "two"]))
        try await writer.close(deadline: .seconds(60))
        #expect(log.all.contains("wrong_type: `items` of `cart_viewed` is `two`"))
    }

    @Test func `a test expects that all was planned`() throws {
        let plan = try TrackingPlan(Array(Data(contentsOf: file)))
        let log = Log()
        let failures = FailureRecorder { log.append("\($0)") }
        let sink = MemorySink(plan: plan)
        let tracker = Tracker(to: sink)
        tracker.track(.event("cart_added", ["sku": "A1", "items": 1]))
        sink.expectPlanned(onFailure: failures)
        // The tracker has no context, which the plan's session wants.
        #expect(log.all.count == 1 && log.all[0].contains("missing_property: `platform` of `session_started`"))
        #expect(!log.all[0].contains("cart_added"))
    }

    @Test func `the plan on the page is the demo's`() throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "Sources/TrackingPlans/TrackingPlans.docc/TrackingPlans.md"), encoding: .utf8)
        let plan = try String(contentsOf: file, encoding: .utf8)
        let blocks = page.components(separatedBy: "```json\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(plan.contains(block)) }
    }
}

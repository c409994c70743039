import EventFiles
import Foundation
import LoopCore
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

private struct Order: Equatable, Sendable {
    var total: Double
    var user = "u1"
}

private struct Request { var (user, session) = ("u2", "s2") }

private enum Page: Equatable, Sendable { case start, loading, ordered(Order) }

@MainActor @Suite struct LoopTrackingPage {
    @Test func `a mapping returns nothing, one event or several`() {
        let sink = MemorySink()
        let tracker = Tracker(to: sink, user: "u1")
        let system = System(initialState: Page.start, reducer: { (page: inout Page, next: Page) in page = next })
        system.attach(
            .track(to: tracker) { state in
                switch state {
                case .loading: nil
                case .start: .event("pdp_shown")
                case .ordered(let order): [.event("order_placed", ["total": order.total]), .event("cart_emptied")]
                }
            })
        for page in [Page.loading, .ordered(Order(total: 9.5)), .ordered(Order(total: 9.5)), .start] { system.send(page) }
        #expect(sink.names == ["pdp_shown", "order_placed", "cart_emptied", "pdp_shown"])
    }

    @Test func `a service tracks for the person of each request`() {
        let sink = MemorySink()
        let tracker = Tracker(to: sink)
        let request = Request()
        let reduce = { (page: inout Page, next: Page) in page = next }
        let visit = tracker.scoped(user: request.user, session: request.session)
        let system = System(initialState: Page.start, reducer: reduce)
            .attach(.track(to: visit) { state in state == .loading ? nil : .event("page_shown") })
        let service = System(initialState: 0) { (count: inout Int, order: Order) in count += 1 }
        service.attach(
            .trackSteps(to: tracker) { step in
                step.event.map { order in .event("order_placed", ["total": order.total]).by(user: order.user) }
            })
        service.send(Order(total: 9.5))
        #expect(system.state == .start && sink.events.map(\.user) == ["u2", "u1"])
    }

    @Test func `an app goes on without files where the folder cannot be made`() {
        let reported = Reported()
        func report(_ text: String) { reported.texts.append(text) }

        func makeTracker(folder: String) -> Tracker {
            do {
                return Tracker(to: try EventFileWriter(folder: folder))
            } catch {
                report("events are not kept: \(error)")
                return Tracker(to: ClosureSink { _ in })
            }
        }

        makeTracker(folder: "/dev/null/events").track(TrackingEvent("opened"))
        #expect(reported.texts.count == 1)
    }

    private final class Reported { var texts: [String] = [] }

    @Test func `consent, an anonymous id that stays, and a tenth of the sessions`() async throws {
        let home = NSTemporaryDirectory() + "looptrail-page-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        let tracker = Tracker(
            to: try EventFileWriter(folder: "\(home)/events"), anonymousIDs: AnonymousIDFile(path: "\(home)/anonymous-id"),
            consent: .pending, sampleRate: 0.1)
        // Sessions enough that one of them is in the tenth for certain: 0.9 to the power of 400 is 10 to the power of minus 18.
        for _ in 0..<400 {
            tracker.track(TrackingEvent("opened"))
            tracker.endSession()
        }
        try await tracker.flush()
        let files = { try FileManager.default.contentsOfDirectory(atPath: "\(home)/events").filter { !$0.hasPrefix(".") } }
        #expect(try files() == [], "before the answer everything lies apart")
        tracker.setConsent(.granted)
        try await tracker.flush()
        #expect(try !files().isEmpty)
        let report = try EventFileCheck(EventFileReader(paths: ["\(home)/events"])).run()
        #expect(report.isSound)
        let id = try String(contentsOfFile: "\(home)/anonymous-id", encoding: .utf8)
        #expect(id.hasPrefix("a-"))
    }
}

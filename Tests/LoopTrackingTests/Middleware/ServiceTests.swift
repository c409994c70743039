import EventFiles
import Foundation
import LoopCore
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

private struct OrderEvent: PlannedEvent {
    let trackingEvent: TrackingEvent
    static func placed(total: Int) -> OrderEvent { OrderEvent(trackingEvent: .event("order_placed", ["total": .int(total)])) }
}

/// A service: many requests, each of a person of its own, and one tracker.
@MainActor @Suite struct ServiceTests {
    private enum Request: Equatable {
        case opened
        case ordered(total: Int)
    }

    /// The loop of one request.
    private func makeRequest(_ middleware: Middleware<Request, Request>) -> System<Request, Request> {
        System(initialState: .opened) { (state: inout Request, event: Request) in state = event }.attach(middleware).start()
    }

    /// A loop that serves the requests of everybody.
    private func makeService(_ middleware: Middleware<Int, Int>) -> System<Int, Int> {
        System(name: "shop", initialState: 0) { (state: inout Int, request: Int) in state = request }.attach(middleware).start()
    }

    @Test func `the loop of each request tracks for the person who asks, and the files prove complete`() async throws {
        let folder = NSTemporaryDirectory() + "looptrail-service-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let writer = try EventFileWriter(folder: folder)
        let written = MemorySink()
        let tracker = Tracker(to: writer, written)
        for number in 0..<2_000 {
            let visit = tracker.scoped(user: "u\(number % 50)", session: "s\(number % 50)")
            let system = makeRequest(
                .track(to: visit) { state in
                    switch state {
                    case .opened: nil
                    case .ordered(let total): .event("order_placed", ["total": .int(total)])
                    }
                })
            system.send(.ordered(total: number % 50))
        }
        try await writer.close()
        let orders = written.events(named: "order_placed")
        #expect(orders.count == 2_000 && Set(orders.map(\.user)).count == 50)
        #expect(orders.allSatisfy { $0.event.properties["total"] == Int64($0.user?.dropFirst() ?? "").map { .int($0) } })
        #expect(tracker.session == nil, "nothing went to the user of the tracker itself")
        let result = try EventFileCheck(EventFileReader(paths: [folder])).run()
        #expect(result.isSound && result.events == 2_000 && result.sessions == 50, "\(result)")
    }

    @Test func `every verb takes a scope, and planned events too`() {
        let sink = MemorySink()
        let visit = Tracker(to: sink).scoped(user: "u1")
        for middleware: Middleware<Request, Request> in [
            .track(to: visit) { $0 == .opened ? nil : .event("state") },
            .track(to: visit) { $0 == .opened ? nil : [.event("one"), .event("two")] },
            .track(to: visit) { state -> OrderEvent? in state == .opened ? nil : .placed(total: 1) },
            .trackSteps(to: visit) { $0.event == nil ? nil : .event("step") },
            .trackSteps(to: visit) { step -> [OrderEvent] in step.event == nil ? [] : [.placed(total: 2)] },
            .trackChanges(to: visit, of: \.self) { _, _ in .event("change") },
            .trackChanges(to: visit, of: \.self) { _, _ -> OrderEvent? in OrderEvent.placed(total: 3) },
        ] { makeRequest(middleware).send(.ordered(total: 1)) }
        visit.track(OrderEvent.placed(total: 4), system: "shop")
        #expect(sink.names == ["state", "one", "two", "order_placed", "step", "order_placed", "change", "order_placed", "order_placed"])
        #expect(sink.all.allSatisfy { $0.user == "u1" } && sink.all.last?.system == "shop")
    }

    @Test func `a mapping names the user and the session of its events`() {
        let sink = MemorySink()
        let tracker = Tracker(to: sink, user: "server")
        let states = makeService(
            .track(to: tracker) { number in
                switch number {
                case 0: nil
                case 9: [.event("swept"), .event("order_placed").by(user: "u9")]
                default: .event("order_placed").by(user: "u\(number)", session: "s\(number)")
                }
            })
        for number in [1, 1, 2, 9] { states.send(number) }
        #expect(sink.events(named: "order_placed").map(\.user) == ["u1", "u2", "u9"], "equal events of two people are two")
        #expect(sink.events(named: "order_placed").map(\.session) == ["s1", "s2", nil])
        #expect(sink.events(named: "swept").map(\.user) == ["server"])
        #expect(sink.all.allSatisfy { $0.system == (($0.kind == .meta) ? nil : "shop") })

        sink.removeAll()
        makeService(.trackSteps(to: tracker) { step in OrderEvent.placed(total: 1).trackingEvent.by(user: "u\(step.state)") }).send(3)
        makeService(.trackChanges(to: tracker.scoped(user: "u0"), of: \.self) { _, new in .event("seen").by(user: "u\(new)") }).send(4)
        #expect(sink.all.map(\.user) == ["u0", "u3", "u4"])
    }

    @Test func `code that takes either tracker names no user`() {
        func order(_ tracker: some EventTracker) {
            tracker.track(.event("asked"))
            tracker.track(OrderEvent.placed(total: 1))
        }
        let sink = MemorySink()
        let tracker = Tracker(to: sink, user: "server")
        order(tracker)
        order(tracker.scoped(user: "u1"))
        #expect(sink.events.map(\.user) == ["server", "server", "u1", "u1"] && Set(sink.names) == ["asked", "order_placed"])
    }
}

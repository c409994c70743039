import EventFiles
import Foundation
import LoopCore
import LoopLogFiles
import LoopLogging
import LoopMigration
import LoopTesting
import LoopTracing
import LoopTracking
import Testing
import TrackingEvents

private struct Product: Equatable {
    var sku: String
}

private enum Shop {
    enum State: Equatable {
        case start
        case loading
        case productLoaded(Product)
        case addedToCart(Product, [Product])
        case error(message: String, mail: String)
    }

    enum Event { case load(String) }

    static func reduce(state: State, event: Event) -> State {
        switch event {
        case .load(let sku): .productLoaded(Product(sku: sku))
        }
    }

    static func trackingEvent(_ state: State) -> TrackingEvent? {
        switch state {
        case .start, .loading: nil
        case .productLoaded(let product): .event("product_viewed", ["sku": product.sku, "price": 9.5])
        case .addedToCart(let product, let cart): .event("cart_added", ["sku": product.sku, "items": cart.count])
        case .error(let message, let mail): .event("error_shown", ["message": message, "mail": .sensitive(mail)])
        }
    }
}

private enum Checkout {
    enum State: Equatable {
        case open
        case paying
        case paid(Int)
        case failed(String)
    }

    enum Event { case pay([Int]) }

    struct Shop {
        var pay: ([Int]) async throws -> Int
    }

    static func reducer(_ shop: Shop) -> Reducer<State, Event> {
        Reducer { (_: State, event: Event) -> Next<State> in
            switch event {
            case .pay(let cart):
                .run { .paid(try await shop.pay(cart)) }
                    .stateWhenLoading(.paying)
                    .recover { .value(.failed("\($0)")) }
            }
        }
    }
}

/// A loop of another library, which notifies whoever is registered.
private final class OldSystem {
    private(set) var state = Shop.State.start
    private var callback: ((Shop.State, [Shop.State]) -> Void)?
    private var subscriber: ((Shop.State) -> Void)?
    private var observer: ((Shop.Event, Shop.State, Shop.State) -> Void)?
    var reduce: (Shop.State, Shop.Event) -> Shop.State = Shop.reduce

    func addLoopCallback(_ callback: @escaping (Shop.State, [Shop.State]) -> Void) { self.callback = callback }
    func subscribe(_ subscriber: @escaping (Shop.State) -> Void) { self.subscriber = subscriber }
    func observe(_ observer: @escaping (Shop.Event, Shop.State, Shop.State) -> Void) { self.observer = observer }

    func send(_ event: Shop.Event) {
        let before = state
        state = reduce(state, event)
        callback?(state, [before])
        subscriber?(state)
        observer?(event, before, state)
    }
}

@MainActor @Suite struct ReadmePage {
    private typealias State = Shop.State
    private typealias Event = Shop.Event

    private let sink = MemorySink()
    private let measurements = Measurements()

    @Test func `A system of your own takes log, trace and track in one line`() {
        let tracker = Tracker(to: sink)

        let system = System(initialState: .start, returning: Shop.reduce)
            .attach(.log(), .measure(into: measurements), .track(to: tracker, Shop.trackingEvent))
            .start()
        system.send(.load("sku-1"))

        #expect(sink.names == ["product_viewed"])
        #expect(measurements.event("load")?.count == 1)
    }

    @Test func `Changes are logged, and what took time is in a timeline`() async throws {
        let folder = NSTemporaryDirectory() + "readme-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let logs = try LogFileWriter(folder: "\(folder)/logs")
        let time = ManualClock()
        let system = System(name: "shop", initialState: .start, clock: time.clock, returning: Shop.reduce)
        var slow: [String] = []

        let timeline = try ChromeTraceFile(path: "\(folder)/loop.trace.json")
        system.attach(
            .log(.changes, to: .files(logs)),
            .measure(into: measurements), .trace(to: timeline),
            .reportSlowSteps(over: .milliseconds(16)) { report in slow.append("\(report)") })

        system.bind { state in if state != .start { time.advance(by: .milliseconds(20)) } }
        system.send(.load("sku-1"))
        try await logs.writer.close()
        #expect(timeline.finish().failure == nil)
        let spans = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: "\(folder)/loop.trace.json")))
        #expect("\(spans)".contains("load"))
        #expect(slow.count == 1 && slow[0].hasPrefix("shop: load (1) held up the loop for "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/logs").contains { $0.hasSuffix(".log.gz") })
    }

    @Test func `A loop you already have takes each in one line`() {
        let tracker = Tracker(to: sink)
        let old = OldSystem()
        let (system, store, loop) = (old, old, old)
        let reduce = old.reduce

        // PromisedArchitectureKit, ArchitectureKit: (State, [State]) -> Void
        system.addLoopCallback(Middleware<State, Event>.track(to: tracker, Shop.trackingEvent).loopCallback())

        // anything that takes a reducer, (State, Event) -> State or (inout State, Event) -> Void
        let watched = Middleware<State, Event>.measure(into: measurements).wrapping(reduce)

        // anything that tells its state, or event and both states
        store.subscribe(Middleware<State, Event>.log().stateCallback(initialState: store.state))
        loop.observe(Middleware<State, Event>.log().observer())

        old.reduce = watched
        old.send(.load("sku-1"))
        #expect(sink.names == ["product_viewed"])
        #expect(measurements.event("load")?.count == 1)
    }

    @Test(arguments: [
        (Shop.State.loading, nil), (.productLoaded(Product(sku: "a")), "product_viewed"),
        (.addedToCart(Product(sku: "a"), []), "cart_added"), (.error(message: "m", mail: "a@b"), "error_shown"),
    ])
    private func `One function says what each state means`(state: Shop.State, name: String?) {
        #expect(Shop.trackingEvent(state)?.name == name)
    }

    @Test func `A tracker writes event files`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("readme-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let eventsFolder = folder.path

        let writer = try EventFileWriter(folder: eventsFolder)
        let tracker = Tracker(to: writer, context: ["app_version": "1.0"])
        tracker.identify("u17")
        try await tracker.flush()

        #expect(try FileManager.default.contentsOfDirectory(atPath: eventsFolder).isEmpty == false)
    }

    @Test(arguments: [true, false])
    func `A payment is a state, paid or failed`(isPaid: Bool) async {
        let system = System(
            initialState: .open, reducer: Checkout.reducer(Checkout.Shop { if isPaid { $0.count } else { throw Offline() } }))
        let recorder = StepRecorder<Checkout.State, Checkout.Event>()
        system.attach(recorder.middleware)
        system.send(.pay([1, 2]))
        await system.settled()
        #expect(recorder.states == [.open, .paying, isPaid ? .paid(2) : .failed("Offline()")])
    }
}

import LoopCore
import LoopFlux
import LoopLogging
import LoopTesting
import LoopTracing
import LoopTracking
import TestSupport
import Testing
import TrackingEvents

private struct AddToCart: Action { let sku: String }
private struct Clear: Action {}
private struct Ignored: Action {}

/// The middleware that watches a system watches a store, too, in one line.
@MainActor @Suite struct StoreWatchingTests {
    let time = ManualClock()
    let dispatcher: Dispatcher
    let store: Store<[String], Void>

    init() {
        dispatcher = Dispatcher(clock: time.clock)
        store = Store([], dispatcher: dispatcher)
        store.reducer(of: AddToCart.self) { [time] cart, add in
            time.advance(by: .microseconds(3))
            cart.append(add.sku)
        }
        store.reducer(of: Clear.self) { cart, _ in cart = [] }
    }

    private func shop() {
        for action in [AddToCart(sku: "mug"), Ignored(), AddToCart(sku: "cup"), Clear()] as [any Action] {
            dispatcher.dispatch(action, fileID: "Shop/Cart.swift", line: 7)
        }
    }

    @Test func `a log says each action of the store`() {
        let lines = Log<String>()
        store.attach(.log(to: .closure { lines.note($0) }))
        shop()
        #expect(lines.lines.count == 4)
        #expect(lines.lines.last?.contains("#3") == true)
        #expect(lines.lines.last?.contains("Shop/Cart.swift:7") == true)
        #expect(lines.lines[1].contains("AddToCart") && lines.lines[1].contains("mug"))
        #expect(!lines.lines.contains { $0.contains("Ignored") })
    }

    @Test func `a trace counts and times each type of action`() {
        let measurements = Measurements()
        store.attach(.measure(into: measurements))
        shop()
        #expect(measurements.events.map(\.event).sorted() == ["AddToCart", "Clear"])
        #expect(measurements.event("AddToCart")?.count == 2)
        #expect(measurements.event("AddToCart")?[.reduce].max == 3_000)
    }

    @Test func `a tracker tells the states that are entered`() {
        let sink = MemorySink()
        store.attach(.track(to: Tracker(to: sink)) { $0.isEmpty ? .event("cart_empty") : .event("cart_\($0.count)") })
        shop()
        #expect(sink.names == ["cart_empty", "cart_1", "cart_2", "cart_empty"])
    }

    @Test func `a recorder keeps each step`() {
        let recorder = StepRecorder<[String], any Action>()
        store.attach(recorder.middleware)
        shop()
        #expect(recorder.states == [[], ["mug"], ["mug", "cup"], []])
        #expect(recorder.numbers == [1, 2, 3])
        #expect(recorder.events.last is Clear)
        #expect(recorder.steps.last?.previousState == ["mug", "cup"])
    }
}

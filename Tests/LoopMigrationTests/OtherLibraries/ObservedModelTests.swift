import LoopCore
import LoopMigration
import LoopTesting
import Observation
import Testing

@MainActor @Observable private final class ObservedCart {
    var items: [String] = []
    var note = ""
    /// Not part of what `Snapshot` reads.
    var scroll = 0
}

private struct Snapshot: Equatable {
    var items: [String]
    var note: String

    @MainActor init(_ cart: ObservedCart) { (items, note) = (cart.items, cart.note) }
    init(_ items: [String], note: String = "") { (self.items, self.note) = (items, note) }
}

private enum ObservedCartEvent: Equatable { case add, clear }
private struct SoldOut: Error {}

@MainActor @Suite struct ObservedModelTests {
    private typealias Recorder = StepRecorder<Snapshot, ObservedCartEvent>

    private func watch(_ cart: ObservedCart, _ recorder: Recorder, clock: StepClock = .monotonic) -> ObservedModel<
        ObservedCart, Snapshot, ObservedCartEvent
    > {
        recorder.middleware.observing(cart, clock: clock) { Snapshot($0) }
    }

    @Test func `the state at hand is an initial step`() {
        let (cart, recorder) = (ObservedCart(), Recorder())
        cart.items = ["mug"]
        let watching = watch(cart, recorder)
        #expect(recorder.states == [Snapshot(["mug"])])
        #expect(recorder.phases == [.initial])
        #expect(recorder.numbers.isEmpty)
        watching.stop()
    }

    @Test func `changes of one turn make one step after it, and the next turn's another`() async {
        let (cart, recorder) = (ObservedCart(), Recorder())
        let watching = watch(cart, recorder)
        for turn in 1...3 {
            cart.items.append("mug")
            cart.note = "turn \(turn)"
            #expect(recorder.steps.count == turn)
            await afterThisTurn { recorder.steps.count > turn }
        }
        #expect(recorder.states.map(\.note) == ["", "turn 1", "turn 2", "turn 3"])
        #expect(recorder.states.map(\.items.count) == [0, 1, 2, 3])
        #expect(recorder.numbers == [1, 2, 3])
        #expect(recorder.events.isEmpty)
        watching.stop()
    }

    @Test func `an event is told before its change, and earlier changes before it`() {
        var told: [String] = []
        let middleware = Middleware<[String], ObservedCartEvent>(needs: .effects) { _ in
            .init(
                step: { told.append("step \($0.number) \($0.state)") },
                taken: { number, event, _, _ in told.append("\(event) \(number)") })
        }
        let cart = ObservedCart()
        let watching = middleware.observing(cart) { $0.items }
        cart.items = ["mug"]
        watching.perform(.clear) { cart in
            told.append("change")
            cart.items = []
        }
        #expect(told == ["step 0 []", #"step 1 ["mug"]"#, "clear 2", "change", "step 2 []"])
        watching.stop()
    }

    @Test func `flush tells at once and only what is new`() async {
        let (cart, recorder) = (ObservedCart(), Recorder())
        let watching = watch(cart, recorder)
        watching.flush()
        #expect(recorder.steps.count == 1)
        cart.note = "a"
        watching.flush()
        watching.flush()
        #expect(recorder.states.map(\.note) == ["", "a"])
        // The look at the end of the turn comes after the flush and finds no change.
        cart.note = "b"
        await afterThisTurn { recorder.steps.count > 2 }
        #expect(recorder.states.map(\.note) == ["", "a", "b"])
    }

    @Test func `previous states are told if asked for`() {
        let (cart, recorder) = (ObservedCart(), Recorder(needs: .previousState))
        let watching = watch(cart, recorder)
        for note in ["a", "b"] {
            cart.note = note
            watching.flush()
        }
        #expect(recorder.steps.map { $0.previousState?.note } == [nil, "", "a"])
        #expect(recorder.steps.allSatisfy { $0.timing == nil })
    }

    @Test func `what is not read makes no step, and neither does an equal state`() {
        let (cart, recorder) = (ObservedCart(), Recorder())
        let watching = watch(cart, recorder)
        cart.scroll = 7
        watching.flush()
        cart.note = "x"
        cart.note = ""
        watching.flush()
        #expect(recorder.steps.count == 1)
        cart.note = "y"
        watching.flush()
        #expect(recorder.numbers == [1])
    }

    @Test func `states that cannot be compared make a step at each change`() {
        struct Opaque { var note: String }
        let cart = ObservedCart()
        let recorder = StepRecorder<Opaque, Never>()
        let watching = recorder.middleware.observing(cart) { Opaque(note: $0.note) }
        cart.note = "x"
        cart.note = ""
        watching.flush()
        #expect(recorder.states.map(\.note) == ["", ""])
    }

    @Test func `a rule of the user's own decides what looks the same`() {
        let (cart, recorder) = (ObservedCart(), Recorder())
        let watching = recorder.middleware.observing(cart, isSame: { $0.items == $1.items }) { Snapshot($0) }
        cart.note = "x"
        watching.flush()
        #expect(recorder.steps.count == 1)
        cart.items = ["mug"]
        watching.flush()
        #expect(recorder.states.last == Snapshot(["mug"], note: "x"))
    }

    @Test func `a change made for an event is told with it, what came before without`() {
        let (cart, recorder) = (ObservedCart(), Recorder(needs: .previousState))
        let watching = watch(cart, recorder)
        cart.note = "gift"
        let count = watching.perform(.add) { cart in
            cart.items.append("mug")
            return cart.items.count
        }
        #expect(count == 1)
        #expect(recorder.steps.map(\.event) == [nil, nil, .add])
        #expect(recorder.states == [Snapshot([]), Snapshot([], note: "gift"), Snapshot(["mug"], note: "gift")])
        #expect(recorder.steps.last?.previousState == Snapshot([], note: "gift"))
        #expect(recorder.numbers == [1, 2])
    }

    @Test func `an event that changes nothing is told all the same`() {
        let (cart, recorder) = (ObservedCart(), Recorder())
        let watching = watch(cart, recorder)
        watching.perform(.clear) { $0.items = [] }
        watching.perform(.clear) { _ in }
        #expect(recorder.events == [.clear, .clear])
        #expect(recorder.states == [Snapshot([]), Snapshot([]), Snapshot([])])
    }

    @Test func `a change for an event is timed, one that was merely noticed is not`() {
        let (cart, recorder, time) = (ObservedCart(), Recorder(needs: .timing), ManualClock())
        let watching = watch(cart, recorder, clock: time.clock)
        cart.note = "x"
        watching.perform(.add) {
            time.advance(by: .microseconds(3))
            $0.items = ["mug"]
        }
        #expect(recorder.steps.map { $0.timing?.reduce } == [nil, nil, 3_000])
    }

    @Test func `a change that throws is told as far as it went, and the error goes on`() {
        let (cart, recorder) = (ObservedCart(), Recorder())
        let watching = watch(cart, recorder)
        #expect(throws: SoldOut.self) {
            try watching.perform(.add) { (cart: ObservedCart) throws(SoldOut) in
                cart.items = ["mug"]
                throw SoldOut()
            }
        }
        #expect(recorder.states.last == Snapshot(["mug"]))
        #expect(recorder.events == [.add])
    }

    @Test func `a middleware that changes the model is told its own change later`() async {
        let cart = ObservedCart()
        let recorder = Recorder()
        let tidying = Middleware<Snapshot, ObservedCartEvent> { if $0.state.note == "" { cart.note = "none" } }
        let (watching, tidier) = (watch(cart, recorder), tidying.observing(cart) { Snapshot($0) })
        #expect(recorder.states.map(\.note) == [""])
        await afterThisTurn { recorder.steps.count > 1 }
        #expect(recorder.states.map(\.note) == ["", "none"])
        watching.stop()
        tidier.stop()
    }

    @Test func `several middlewares watch one model`() {
        let cart = ObservedCart()
        let recorders = (0..<3).map { _ in Recorder() }
        let watching = recorders.map { watch(cart, $0) }
        cart.items = ["mug"]
        for each in watching { each.flush() }
        #expect(recorders.allSatisfy { $0.states == [Snapshot([]), Snapshot(["mug"])] })
    }

    @Test func `stopping tells what is new and then nothing more`() {
        let (cart, recorder) = (ObservedCart(), Recorder())
        let watching = watch(cart, recorder)
        cart.note = "last"
        watching.stop()
        cart.note = "unseen"
        watching.flush()
        #expect(watching.perform(.add) { $0.items = ["mug"] } == nil)
        watching.stop()
        #expect(recorder.states.map(\.note) == ["", "last"])
        #expect(cart.items.isEmpty)
    }

    @Test func `the watching is released with its owner, and so is what the middleware holds`() {
        weak var gone: ObservedModel<ObservedCart, Snapshot, ObservedCartEvent>?
        weak var handler: Recorder?
        let cart = ObservedCart()
        do {
            let recorder = Recorder()
            let kept = Middleware<Snapshot, ObservedCartEvent> { [recorder] _ in _ = recorder.steps }
            let watching = kept.observing(cart) { Snapshot($0) }
            (gone, handler) = (watching, recorder)
            cart.note = "x"
            watching.flush()
        }
        #expect(gone == nil)
        #expect(handler == nil)
        cart.note = "nobody looks"
    }

    @Test func `the model is not kept, and without it there is nothing to tell`() async {
        let recorder = Recorder()
        weak var gone: ObservedCart?
        let watching: ObservedModel<ObservedCart, Snapshot, ObservedCartEvent>
        do {
            let cart = ObservedCart()
            gone = cart
            watching = watch(cart, recorder)
            cart.note = "too late"
        }
        #expect(gone == nil)
        watching.flush()
        #expect(watching.perform(.add) { _ in 1 } == nil)
        #expect(recorder.steps.count == 1)
    }

    /// Lets the main actor take its next turns until something has happened. No clock: what never happens fails the test.
    private func afterThisTurn(_ happened: () -> Bool) async {
        for _ in 0..<10_000 where !happened() { await Task.yield() }
        #expect(happened())
    }
}

import LoopCore
import LoopFlux
import LoopMigration
import TestSupport
import Testing

private struct Tapped: Action {}
private struct Loaded: PayloadAction { let result: Result<Int, any Error> }
private final class Held {}
private final class Controller {}

@MainActor @Suite struct LifetimeTests {
    @Test func `a dispatcher with middleware of both kinds and stores goes, and all of them with it`() {
        weak var goneDispatcher: Dispatcher?
        weak var goneStore: Store<Int, Controller>?
        weak var goneController: Controller?
        weak var goneHeld: Held?
        do {
            let dispatcher = Dispatcher()
            let controller = Controller()
            let store = Store(0, dispatcher: dispatcher, controller: controller)
            let held = Held()
            store.reducer(of: Tapped.self) { state, _, _ in
                _ = held
                state += 1
            }
            store.observe { _ in _ = held }
            store.select(\.description) { _ in _ = held }
            store.attach(Middleware(needs: [.timing, .previousState]) { _ in _ = held })
            dispatcher.attach(Middleware { _ in _ = held })
            dispatcher.add(
                DispatchMiddleware { action, chain in
                    _ = held
                    chain.proceed(action)
                })
            _ = dispatcher.inbox()
            dispatcher.dispatch(Tapped())
            #expect(store.state == 1)
            (goneDispatcher, goneStore, goneController, goneHeld) = (dispatcher, store, controller, held)
        }
        #expect(goneDispatcher == nil)
        #expect(goneStore == nil)
        #expect(goneController == nil)
        #expect(goneHeld == nil)
    }

    @Test func `a store that goes leaves nothing at its dispatcher`() {
        let dispatcher = Dispatcher()
        weak var gone: Store<Int, Void>?
        do {
            let store = Store(0, dispatcher: dispatcher)
            store.reducer(of: Tapped.self) { state, _ in state += 1 }
            store.reducer(of: Tapped.self) { state, _, _ in state += 1 }
            #expect(dispatcher.handlerCount == 2)
            gone = store
        }
        #expect(gone == nil)
        #expect(dispatcher.handlerCount == 0)
        dispatcher.dispatch(Tapped())
    }

    @Test func `a store that goes while it is observed does no harm`() {
        let dispatcher = Dispatcher()
        var store: Store<Int, Void>? = Store(0, dispatcher: dispatcher)
        let gone = Weak(store)
        let log = Log<Int>()
        store?.reducer(of: Tapped.self) { state, _ in state += 1 }
        store?.attach(Middleware { log.note($0.number) })
        store?.observe(skippingCurrent: true) { _ in store = nil }
        dispatcher.dispatch(Tapped())
        dispatcher.dispatch(Tapped())
        #expect(gone.object == nil)
        #expect(dispatcher.handlerCount == 0)
    }

    @Test func `a view that is held weakly goes while its store lives`() {
        final class View {
            let bag = SubscriptionBag()
            var shown = 0
            init(_ store: Store<Int, Void>) {
                store.observe { [weak self] in self?.shown = $0 }.store(in: bag)
            }
        }
        let store = Store(1, dispatcher: Dispatcher())
        weak var gone: View?
        do {
            let view = View(store)
            #expect(view.shown == 1)
            gone = view
        }
        #expect(gone == nil)
        #expect(store.observers.bindingCount == 0)
        store.state = 2
    }

    @Test func `cancelling an observation lets go of what it held`() {
        let store = Store(0, dispatcher: Dispatcher())
        weak var gone: Held?
        let observation: Subscription
        do {
            let held = Held()
            gone = held
            observation = store.observe { _ in _ = held }
        }
        #expect(gone != nil)
        observation.cancel()
        #expect(gone == nil)
    }

    @Test func `a kept observation does not keep the store`() {
        var observation: Subscription?
        weak var gone: Store<Int, Void>?
        do {
            let store = Store(0, dispatcher: Dispatcher())
            observation = store.observe { _ in }
            gone = store
        }
        #expect(gone == nil)
        observation?.cancel()
    }

    @Test func `work in flight keeps neither store nor dispatcher`() async {
        let gate = Gate()
        weak var goneStore: Store<Int, Void>?
        weak var goneDispatcher: Dispatcher?
        let task: Task<Void, Never>
        do {
            let dispatcher = Dispatcher()
            let store = Store(0, dispatcher: dispatcher)
            store.reducer(of: Loaded.self) { state, loaded in state = (try? loaded.result.get()) ?? -1 }
            task = dispatcher.dispatch(Loaded.self) {
                await gate.pass()
                return 1
            }
            for _ in 0..<3 { await Task.yield() }
            (goneStore, goneDispatcher) = (store, dispatcher)
        }
        #expect(goneStore == nil)
        #expect(goneDispatcher == nil)
        gate.open()
        await task.value
    }

    @Test func `removed and detached middleware are let go`() {
        let dispatcher = Dispatcher()
        weak var gone: Held?
        do {
            let held = Held()
            gone = held
            let middleware = DispatchMiddleware { _, _ in _ = held }
            let watching = Middleware<Void, any Action> { _ in _ = held }
            dispatcher.add(middleware)
            dispatcher.attach(watching)
            dispatcher.dispatch(Tapped())
            dispatcher.remove(middleware)
            dispatcher.detach(watching)
        }
        #expect(gone == nil)
    }
}

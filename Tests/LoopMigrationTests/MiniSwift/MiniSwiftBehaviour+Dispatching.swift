import LoopCore
import LoopFlux
import LoopMigration
import TestSupport
import Testing

extension MiniSwiftBehaviour {
    @MainActor @Suite struct Actions {
        struct Loaded: Action {}
        enum Elsewhere { struct Loaded: Action {} }
        struct Done: EmptyTaskAction { let task: AnyTask }

        @Test func `an action is delivered by its type`() {
            let dispatcher = Dispatcher()
            let counters = Log<Int>()
            dispatcher.subscribe(to: SetCounter.self) { counters.note($0.counter) }
            dispatcher.dispatch(SetCounter(counter: 1) as any Action)
            #expect(counters.lines == [1])
        }

        /// Mended: Mini's second subscriber gets an action of another type and stops the program.
        @Test func `two types of one name in different scopes are distinguished`() {
            let dispatcher = Dispatcher()
            let log = Log<String>()
            dispatcher.subscribe(to: Loaded.self) { _ in log.note("ours") }
            dispatcher.subscribe(to: Elsewhere.Loaded.self) { _ in log.note("theirs") }
            dispatcher.dispatch(Loaded())
            dispatcher.dispatch(Elsewhere.Loaded())
            #expect(log.lines == ["ours", "theirs"])
        }

        /// Mended: Mini's empty actions have an initializer with a payload that stops the program. Here the outcome alone makes one.
        @Test func `an empty action is made of any outcome`() {
            #expect(Done(result: .success(())).task.isSuccessful)
            #expect(Done(result: .failure(Fault.dummy)).task.error as? Fault == .dummy)
        }
    }

    @MainActor @Suite struct Chains {
        final class Mutable: Action {
            var property: Int
            init(property: Int) { self.property = property }
        }

        @Test func `a chain forwards the action that a middleware changed`() {
            let dispatcher = Dispatcher()
            let told = Log<Int>()
            dispatcher.subscribe(to: Mutable.self) { told.note($0.property) }
            dispatcher.add(
                DispatchMiddleware { action, chain in
                    (action as? Mutable)?.property = 1
                    chain.proceed(action)
                })
            let action = Mutable(property: 0)
            dispatcher.dispatch(action)
            #expect(told.lines == [1])
            #expect(action.property == 1)
        }
    }

    @MainActor @Suite struct Dispatchers {
        let dispatcher = Dispatcher()

        @Test func `subscriptions are counted, and none are left when they are disposed of`() {
            let bag = SubscriptionBag()
            #expect(dispatcher.handlerCount == 0)
            dispatcher.subscribe(to: CounterLoaded.self) { _ in }.disposed(by: bag)
            dispatcher.subscribe(to: CounterLoaded.self) { _ in }.disposed(by: bag)
            #expect(dispatcher.handlerCount == 2)
            bag.cancel()
            #expect(dispatcher.handlerCount == 0)
        }

        @Test func `a middleware sees actions while it is added`() {
            let muting = Muting()
            dispatcher.add(muting.middleware)
            dispatcher.dispatch(CounterLoaded(counter: .value(0)))
            #expect(muting.actions(of: CounterLoaded.self).count == 1)
            muting.clear()
            #expect(muting.all.isEmpty)
            dispatcher.remove(muting.middleware)
            dispatcher.dispatch(CounterLoaded(counter: .value(0)))
            #expect(muting.all.isEmpty)
        }

        @Test func `a service sees actions while it is registered`() {
            let seen = Log<any Action>()
            let service = Service { action, _ in seen.note(action) }
            dispatcher.register(service)
            #expect(seen.lines.isEmpty)
            dispatcher.dispatch(CounterLoaded(counter: .value(1)))
            #expect(seen.lines.count == 1)
            #expect(seen.lines.first is CounterLoaded)
            dispatcher.unregister(service)
            seen.removeAll()
            dispatcher.dispatch(CounterLoaded(counter: .value(1)))
            #expect(seen.lines.isEmpty)
        }

        /// Mini's test of its main queue: an action from elsewhere is delivered where the dispatcher lives.
        @Test func `an action from another thread is delivered on the dispatcher's isolation`() async {
            var count = 0
            dispatcher.subscribe(to: SetCounter.self) { _ in
                MainActor.assertIsolated()
                count += 1
            }
            let inbox = dispatcher.inbox()
            #expect(await Task.detached { await inbox.dispatch(SetCounter(counter: 1)) }.value)
            #expect(count == 1)
        }

        /// Mended: Mini runs the handlers of one action concurrently.
        @Test func `handlers are called one after the other, by priority and then in the order of subscribing`() {
            let order = Log<Int>()
            for handler in 0..<200 {
                dispatcher.subscribe(to: SetCounter.self, priority: handler < 100 ? 100 : 50) { _ in order.note(handler) }
            }
            dispatcher.dispatch(SetCounter(counter: 1))
            #expect(order.lines == Array(100..<200) + Array(0..<100))
        }

        /// Mended: Mini traps.
        @Test func `a reducer may dispatch, and the action is delivered after the current one`() {
            let log = Log<String>()
            dispatcher.subscribe(to: SetCounter.self) { [dispatcher] _ in
                dispatcher.dispatch(SetRawCounter(rawCounter: 1))
                log.note("set")
            }
            dispatcher.subscribe(to: SetRawCounter.self) { _ in log.note("raw") }
            dispatcher.dispatch(SetCounter(counter: 1))
            #expect(log.lines == ["set", "raw"])
        }

        /// Mended: Mini deadlocks.
        @Test func `a handler may subscribe, dispose of, add and register`() {
            let log = Log<String>()
            let other = dispatcher.subscribe(to: SetRawCounter.self) { _ in log.note("other") }
            dispatcher.subscribe(to: SetCounter.self) { [dispatcher] _ in
                dispatcher.subscribe(to: SetRawCounter.self) { _ in log.note("new") }
                other.dispose()
                dispatcher.add(
                    DispatchMiddleware { action, chain in
                        log.note("middleware")
                        chain.proceed(action)
                    })
                dispatcher.register(Service { _, _ in log.note("service") })
            }
            dispatcher.dispatch(SetCounter(counter: 1))
            log.removeAll()
            dispatcher.dispatch(SetRawCounter(rawCounter: 1))
            #expect(log.lines == ["middleware", "new", "service"])
        }

        /// Mended: Mini stops the program in builds for testing.
        @Test func `disposing of a subscription twice is no error`() {
            let subscription = dispatcher.subscribe(to: SetCounter.self) { _ in }
            subscription.dispose()
            subscription.dispose()
            #expect(dispatcher.handlerCount == 0)
        }

        /// Mended: Mini's services get the action that was dispatched, even if a middleware changed or swallowed it.
        @Test func `a service sees what was in fact reduced`() {
            let log = Log<String>()
            dispatcher.register(Service { action, isReduced in log.note(isReduced ? "\(type(of: action))" : "swallowed") })
            let changing = DispatchMiddleware { _, chain in chain.proceed(SetRawCounter(rawCounter: 1)) }
            dispatcher.add(changing)
            dispatcher.dispatch(SetCounter(counter: 1))
            dispatcher.remove(changing)
            dispatcher.add(Muting().middleware)
            dispatcher.dispatch(SetCounter(counter: 1))
            #expect(log.lines == ["SetRawCounter", "swallowed"])
        }
    }
}

import LoopFlux
import TestSupport
import Testing

private struct Loaded: Action, Equatable { var id = 0 }
private struct Tapped: Action {}
private enum Counter: Action, Equatable { case up, down(Int) }
private class Base: Action {}
private final class Derived: Base {}

private enum Elsewhere {
    /// An action with the same name as the other `Loaded`.
    struct Loaded: Action {}
}

@MainActor @Suite struct DispatcherTests {
    let dispatcher = Dispatcher()
    let log = Log<String>()

    private func note(_ line: String) { log.note(line) }

    @Test func `an action is told to those who subscribed to its type, and to nobody else`() {
        dispatcher.subscribe(to: Loaded.self) { note("loaded \($0.id)") }
        dispatcher.subscribe(to: Tapped.self) { _ in note("tapped") }
        dispatcher.dispatch(Loaded(id: 7))
        #expect(log.lines == ["loaded 7"])
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["loaded 7", "tapped"])
    }

    @Test func `two types of one name in different scopes have nothing to do with each other`() {
        dispatcher.subscribe(to: Loaded.self) { _ in note("ours") }
        dispatcher.subscribe(to: Elsewhere.Loaded.self) { _ in note("theirs") }
        dispatcher.dispatch(Elsewhere.Loaded())
        dispatcher.dispatch(Loaded())
        #expect(log.lines == ["theirs", "ours"])
    }

    @Test func `the cases of an enum are one type`() {
        dispatcher.subscribe(to: Counter.self) { note("\($0)") }
        dispatcher.dispatch(Counter.up)
        dispatcher.dispatch(Counter.down(2))
        #expect(log.lines == ["up", "down(2)"])
    }

    @Test func `an action behind the protocol is told by its own type`() {
        dispatcher.subscribe(to: Loaded.self) { note("loaded \($0.id)") }
        for action in [Loaded(id: 1), Tapped(), Loaded(id: 2)] as [any Action] { dispatcher.dispatch(action) }
        #expect(log.lines == ["loaded 1", "loaded 2"])
    }

    @Test func `a subclass is a type of its own`() {
        dispatcher.subscribe(to: Base.self) { _ in note("base") }
        dispatcher.subscribe(to: Derived.self) { _ in note("derived") }
        let derived: Base = Derived()
        dispatcher.dispatch(derived)
        dispatcher.dispatch(Base())
        #expect(log.lines == ["derived", "base"])
    }

    @Test func `an action that nobody subscribed to is no error`() {
        dispatcher.dispatch(Tapped())
        #expect(log.lines.isEmpty)
    }

    @Test(arguments: [
        ([100, 100, 100], [0, 1, 2]), ([3, 2, 1], [2, 1, 0]), ([1, 2, 3], [0, 1, 2]), ([5, 1, 5, 1, 5], [1, 3, 0, 2, 4]),
        ([0, -7, Int.max, Int.min], [3, 1, 0, 2]), ([2, 1, 2, 3, 2], [1, 0, 2, 4, 3]),
    ])
    func `handlers are called lower priority first, equals in the order of subscribing`(priorities: [Int], order: [Int]) {
        for (index, priority) in priorities.enumerated() {
            dispatcher.subscribe(to: Tapped.self, priority: priority) { _ in note("\(index)") }
        }
        dispatcher.dispatch(Tapped())
        #expect(log.lines == order.map { "\($0)" })
    }

    @Test func `the default priority lies in the middle`() {
        dispatcher.subscribe(to: Tapped.self) { _ in note("default") }
        dispatcher.subscribe(to: Tapped.self, priority: 101) { _ in note("after") }
        dispatcher.subscribe(to: Tapped.self, priority: 99) { _ in note("before") }
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["before", "default", "after"])
    }

    @Test func `an action dispatched from a handler waits until all have seen the current one`() {
        dispatcher.subscribe(to: Loaded.self) { loaded in
            note("first \(loaded.id)")
            if loaded.id < 2 {
                dispatcher.dispatch(Loaded(id: loaded.id + 1))
                dispatcher.dispatch(Tapped())
            }
            note("first \(loaded.id) ends")
        }
        dispatcher.subscribe(to: Loaded.self) { note("second \($0.id)") }
        dispatcher.subscribe(to: Tapped.self) { _ in note("tapped") }
        dispatcher.dispatch(Loaded(id: 0))
        #expect(
            log.lines == [
                "first 0", "first 0 ends", "second 0", "first 1", "first 1 ends", "second 1", "tapped", "first 2", "first 2 ends",
                "second 2", "tapped",
            ])
    }

    @Test func `a chain of a hundred thousand actions needs no more stack than one`() {
        var last = 0
        dispatcher.subscribe(to: Loaded.self) { loaded in
            last = loaded.id
            if loaded.id < 100_000 { dispatcher.dispatch(Loaded(id: loaded.id + 1)) }
        }
        dispatcher.dispatch(Loaded(id: 1))
        #expect(last == 100_000)
    }

    @Test func `who subscribes from inside a handler gets the next action, even one of the same type`() {
        var isFirst = true
        dispatcher.subscribe(to: Loaded.self) { loaded in
            note("old \(loaded.id)")
            guard isFirst else { return }
            isFirst = false
            dispatcher.subscribe(to: Loaded.self, priority: 0) { note("new \($0.id)") }
            dispatcher.dispatch(Loaded(id: 2))
        }
        dispatcher.dispatch(Loaded(id: 1))
        #expect(log.lines == ["old 1", "new 2", "old 2"])
    }

    @Test func `works on after the queue has run empty`() {
        dispatcher.subscribe(to: Tapped.self) { _ in note("tapped") }
        for _ in 0..<3 { dispatcher.dispatch(Tapped()) }
        #expect(log.lines.count == 3)
    }

    @Test func `goes with its owner, and its handlers with it`() {
        final class Held {}
        weak var held: Held?
        weak var gone: Dispatcher?
        do {
            let object = Held()
            let dispatcher = Dispatcher()
            dispatcher.subscribe(to: Tapped.self) { _ in _ = object }
            dispatcher.dispatch(Tapped())
            held = object
            gone = dispatcher
        }
        #expect(gone == nil)
        #expect(held == nil)
    }

    @Test func `lives on any actor`() async {
        actor Owner {
            let dispatcher = Dispatcher()
            var seen: [Int] = []

            func run() -> [Int] {
                var seen: [Int] = []
                dispatcher.subscribe(to: Loaded.self) { seen.append($0.id) }
                for id in 1...3 { dispatcher.dispatch(Loaded(id: id)) }
                return seen
            }
        }
        #expect(await Owner().run() == [1, 2, 3])
    }
}

@MainActor @Suite struct SubscriptionTests {
    let dispatcher = Dispatcher()
    let log = Log<String>()

    @Test func `a cancelled subscription is not called again`() {
        let subscription = dispatcher.subscribe(to: Tapped.self) { _ in log.note("tapped") }
        dispatcher.dispatch(Tapped())
        subscription.cancel()
        dispatcher.dispatch(Tapped())
        #expect(log.lines.count == 1)
    }

    @Test func `cancelling twice is no error and ends no other`() {
        let first = dispatcher.subscribe(to: Tapped.self) { _ in }
        dispatcher.subscribe(to: Tapped.self) { _ in log.note("second") }
        first.cancel()
        first.cancel()
        #expect(dispatcher.handlerCount == 1)
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["second"])
    }

    @Test func `subscriptions are counted over all types`() {
        #expect(dispatcher.handlerCount == 0)
        let subscriptions = [
            dispatcher.subscribe(to: Tapped.self) { _ in }, dispatcher.subscribe(to: Tapped.self) { _ in },
            dispatcher.subscribe(to: Loaded.self) { _ in },
        ]
        #expect(dispatcher.handlerCount == 3)
        for (index, subscription) in subscriptions.enumerated() {
            subscription.cancel()
            #expect(dispatcher.handlerCount == 2 - index)
        }
    }

    @Test func `however many are cancelled, the others are called in their order`() {
        let subscriptions = (0..<50).map { number in
            dispatcher.subscribe(to: Tapped.self, priority: number % 3) { _ in log.note("\(number)") }
        }
        for (number, subscription) in subscriptions.enumerated() where number % 7 != 0 { subscription.cancel() }
        dispatcher.subscribe(to: Tapped.self, priority: 1) { _ in log.note("late") }
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["0", "21", "42", "7", "28", "49", "late", "14", "35"])
        #expect(dispatcher.handlerCount == 9)
    }

    @Test func `stays in force though nobody keeps it`() {
        dispatcher.subscribe(to: Tapped.self) { _ in log.note("tapped") }
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["tapped"])
    }

    @Test func `a subscription that an earlier handler cancels misses the current action already`() {
        var later: Subscription?
        dispatcher.subscribe(to: Tapped.self) { _ in later?.cancel() }
        later = dispatcher.subscribe(to: Tapped.self) { _ in log.note("later") }
        dispatcher.subscribe(to: Tapped.self) { _ in log.note("last") }
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["last"])
    }

    @Test func `may cancel itself`() {
        var own: Subscription?
        own = dispatcher.subscribe(to: Tapped.self) { _ in
            log.note("once")
            own?.cancel()
            log.note("to the end")
        }
        dispatcher.dispatch(Tapped())
        dispatcher.dispatch(Tapped())
        #expect(log.lines == ["once", "to the end"])
    }

    @Test func `cancelling lets go of what the handler held`() {
        final class Held {}
        weak var held: Held?
        let subscription: Subscription
        do {
            let object = Held()
            held = object
            subscription = dispatcher.subscribe(to: Tapped.self) { _ in _ = object }
        }
        #expect(held != nil)
        subscription.cancel()
        #expect(held == nil)
    }

    @Test func `outlives its dispatcher without keeping it`() {
        weak var gone: Dispatcher?
        let subscription: Subscription
        do {
            let dispatcher = Dispatcher()
            gone = dispatcher
            subscription = dispatcher.subscribe(to: Tapped.self) { _ in }
        }
        #expect(gone == nil)
        subscription.cancel()
    }
}

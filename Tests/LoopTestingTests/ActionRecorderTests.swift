import LoopCore
import LoopFlux
import LoopTesting
import Testing

@MainActor @Suite struct ActionRecorderTests {
    private struct Add: Action, Equatable { var amount: Int }
    private struct Rename: Action, Equatable { var name: String }
    private enum Elsewhere {
        struct Add: Action { var amount: Int }
    }

    private final class Received {
        var lines: [String] = []
    }

    private func dispatcher(_ recorder: ActionRecorder) -> (Dispatcher, Received) {
        let dispatcher = Dispatcher()
        let received = Received()
        dispatcher.subscribe(to: Add.self) { received.lines.append("add \($0.amount)") }
        dispatcher.subscribe(to: Rename.self) { received.lines.append("rename \($0.name)") }
        dispatcher.subscribe(to: Elsewhere.Add.self) { received.lines.append("elsewhere \($0.amount)") }
        dispatcher.add(recorder.middleware)
        return (dispatcher, received)
    }

    @Test func `actions are recorded in order and reach their handlers`() {
        let recorder = ActionRecorder()
        let (dispatcher, received) = dispatcher(recorder)
        dispatcher.dispatch(Add(amount: 1))
        dispatcher.dispatch(Rename(name: "a"))
        dispatcher.dispatch(Add(amount: 2))
        #expect(received.lines == ["add 1", "rename a", "add 2"])
        #expect(recorder.actions.map { "\($0)" } == ["Add(amount: 1)", #"Rename(name: "a")"#, "Add(amount: 2)"])
    }

    @Test func `actions are found by type and by predicate, and types of the same name are told apart`() {
        let recorder = ActionRecorder()
        let (dispatcher, _) = dispatcher(recorder)
        for amount in 1...4 { dispatcher.dispatch(Add(amount: amount)) }
        dispatcher.dispatch(Elsewhere.Add(amount: 9))
        #expect(recorder.actions(of: Add.self) == (1...4).map(Add.init))
        #expect(recorder.actions(of: Add.self, where: { $0.amount.isMultiple(of: 2) }) == [Add(amount: 2), Add(amount: 4)])
        #expect(recorder.actions(of: Elsewhere.Add.self).count == 1)
        #expect(recorder.actions(of: Add.self, where: { $0.amount == 9 }).isEmpty && recorder.actions(of: Rename.self).isEmpty)
    }

    @Test func `muted actions are recorded and go no further`() {
        let recorder = ActionRecorder(muting: { $0 is Add })
        let (dispatcher, received) = dispatcher(recorder)
        dispatcher.dispatch(Add(amount: 1))
        dispatcher.dispatch(Rename(name: "a"))
        dispatcher.dispatch(Elsewhere.Add(amount: 2))
        #expect(received.lines == ["rename a", "elsewhere 2"])
        #expect(recorder.actions(of: Add.self).count == 1)
    }

    @Test func `some actions of a type can be muted, until another rule is given`() {
        let recorder = ActionRecorder()
        recorder.isMuted = { ($0 as? Add)?.amount ?? 0 < 0 }
        let (dispatcher, received) = dispatcher(recorder)
        dispatcher.dispatch(Add(amount: -1))
        dispatcher.dispatch(Add(amount: 1))
        recorder.isMuted = { _ in false }
        dispatcher.dispatch(Add(amount: -2))
        #expect(received.lines == ["add 1", "add -2"])
    }

    @Test func `all actions can be muted, as Mini's test middleware does, and pass under another rule`() {
        let recorder = ActionRecorder(muting: { _ in true })
        let (dispatcher, received) = dispatcher(recorder)
        dispatcher.dispatch(Add(amount: 1))
        dispatcher.dispatch(Rename(name: "a"))
        #expect(received.lines.isEmpty && recorder.actions.count == 2)
        recorder.isMuted = { _ in false }
        dispatcher.dispatch(Add(amount: 2))
        #expect(received.lines == ["add 2"])
    }

    @Test(arguments: [-1, 0, 1]) func `the rule is asked about each action`(_ limit: Int) {
        let recorder = ActionRecorder(muting: { ($0 as? Add)?.amount ?? 0 > limit })
        let (dispatcher, received) = dispatcher(recorder)
        for amount in [0, 1, 2] { dispatcher.dispatch(Add(amount: amount)) }
        #expect(received.lines == (0...2).filter { $0 <= limit }.map { "add \($0)" })
    }

    @Test func `an action is recorded as it was dispatched, whatever other middleware makes of it`() {
        let recorder = ActionRecorder()
        let (dispatcher, received) = dispatcher(recorder)
        dispatcher.remove(recorder.middleware)
        dispatcher.add(
            DispatchMiddleware { action, chain in
                switch action {
                case let add as Add: chain.proceed(Add(amount: add.amount * 10))
                case is Rename: break
                default: chain.proceed(action)
                }
            })
        dispatcher.add(recorder.middleware)
        dispatcher.dispatch(Add(amount: 1))
        dispatcher.dispatch(Rename(name: "a"))
        #expect(received.lines == ["add 10"])
        #expect(recorder.actions(of: Add.self) == [Add(amount: 1)] && recorder.actions.count == 2)
    }

    @Test func `actions that handlers dispatch are recorded behind those that led to them`() {
        let recorder = ActionRecorder()
        let (dispatcher, received) = dispatcher(recorder)
        dispatcher.subscribe(to: Add.self) { [unowned dispatcher] add in
            if add.amount == 1 { dispatcher.dispatch(Rename(name: "one"), isolation: MainActor.shared) }
        }
        dispatcher.dispatch(Add(amount: 1))
        dispatcher.dispatch(Add(amount: 2))
        #expect(received.lines == ["add 1", "rename one", "add 2"])
        #expect(recorder.actions.map { $0 is Add } == [true, false, true])
    }

    @Test func `a recorder forgets on request, even inside a handler, and goes on recording`() {
        let recorder = ActionRecorder(muting: { $0 is Rename })
        let (dispatcher, received) = dispatcher(recorder)
        dispatcher.subscribe(to: Add.self) { if $0.amount == 0 { recorder.removeAll() } }
        dispatcher.dispatch(Add(amount: 5))
        dispatcher.dispatch(Add(amount: 0))
        #expect(recorder.actions.isEmpty)
        dispatcher.dispatch(Rename(name: "a"))
        dispatcher.dispatch(Add(amount: 6))
        #expect(recorder.actions(of: Add.self) == [Add(amount: 6)])
        #expect(received.lines == ["add 5", "add 0", "add 6"])
        #expect(recorder.actions(of: Rename.self).count == 1)
    }

    @Test func `the dispatcher does not keep a recorder alive, and without it all actions pass`() {
        var recorder: ActionRecorder? = ActionRecorder(muting: { _ in true })
        let (dispatcher, received) = dispatcher(recorder!)
        weak let gone = recorder
        recorder = nil
        #expect(gone == nil)
        dispatcher.dispatch(Add(amount: 1))
        #expect(received.lines == ["add 1"])
    }

    @Test func `a store's actions are recorded like any others`() {
        let recorder = ActionRecorder()
        let dispatcher = Dispatcher()
        dispatcher.add(recorder.middleware)
        let store = Store(0, dispatcher: dispatcher, controller: ())
        store.reducer(of: Add.self) { state, add in state += add.amount }
        dispatcher.dispatch(Add(amount: 4))
        recorder.isMuted = { $0 is Add }
        dispatcher.dispatch(Add(amount: 5))
        #expect(store.state == 4)
        #expect(recorder.actions(of: Add.self).map(\.amount) == [4, 5])
    }
}

import LoopCore
import LoopMigration
import LoopTesting
import Testing

/// Stores as ReSwift has them: actions of any type, the action first, a state that may not be there yet, links around `dispatch`.
@MainActor @Suite struct ReSwiftShapeTests {
    private protocol Action {}
    private struct Begin: Action {}
    private struct Up: Action {}
    private struct Down: Action { var by: Int }

    private typealias Link = (@escaping (any Action) -> Void, @escaping () -> Count?) -> (@escaping (any Action) -> Void) -> (any Action) ->
        Void

    private final class Store {
        private(set) var state: Count?
        var links: [Link] { didSet { dispatchFunction = nil } }
        var subscriber: ((Count) -> Void)?
        private let reducer: (any Action, Count?) -> Count
        private var dispatchFunction: ((any Action) -> Void)?

        init(reducer: @escaping (any Action, Count?) -> Count, state: Count?, links: [Link] = []) {
            (self.reducer, self.links, self.state) = (reducer, links, state)
            if state == nil { dispatch(Begin()) }
        }

        func dispatch(_ action: any Action) {
            let function =
                dispatchFunction
                ?? links.reversed().reduce({ [unowned self] in reduce($0) }) { next, link in
                    link({ [weak self] in self?.dispatch($0) }, { [weak self] in self?.state })(next)
                }
            dispatchFunction = function
            function(action)
        }

        private func reduce(_ action: any Action) {
            state = reducer(action, state)
            state.map { subscriber?($0) }
        }
    }

    private static func reduce(_ action: any Action, _ state: Count?) -> Count {
        var state = state ?? Count(number: 10)
        switch action {
        case is Up: state.apply(.up)
        case let down as Down: state.apply(.down(by: down.by))
        default: break
        }
        return state
    }

    private typealias Recorder = StepRecorder<Count, any Action>

    @Test func `a wrapped reducer does what it did, and each action makes a step with both states`() {
        let recorder = Recorder(needs: .previousState)
        let store = Store(reducer: recorder.middleware.wrapping(eventFirst: Self.reduce), state: nil)
        store.dispatch(Up())
        store.dispatch(Down(by: 4))
        #expect(store.state == Count(number: 7))
        #expect(recorder.counts == [10, 11, 7])
        #expect(recorder.previousCounts == [nil, 10, 11])
        #expect(recorder.places == [0, 1, 2])
        #expect(recorder.steps.map { $0.event.map { EventName.name(of: $0) } } == [nil, "Up", "Down"])
    }

    @Test func `the first state of a store that makes its own is an initial step without the store's own action`() {
        let recorder = Recorder()
        let store = Store(reducer: recorder.middleware.wrapping(eventFirst: Self.reduce), state: nil)
        #expect(store.state == Count(number: 10))
        #expect(recorder.phases == [.initial])
        #expect(recorder.steps[0].event == nil)
    }

    @Test(arguments: [false, true])
    func `a store that is given its first state tells it if an argument says so`(says: Bool) {
        let recorder = Recorder()
        let start = Count(number: 3)
        let reducer = recorder.middleware.wrapping(eventFirst: Self.reduce, initialState: says ? start : nil)
        Store(reducer: reducer, state: start).dispatch(Up())
        #expect(recorder.phases == (says ? [.initial, .settled] : [.settled]))
        #expect(recorder.counts == (says ? [3, 4] : [4]))
        #expect(recorder.places.last == 1)
    }

    @Test func `a wrapped reducer is timed by the clock it is handed, and only if somebody asks`() {
        let time = ManualClock()
        let (timed, plain) = (Recorder(needs: .timing), Recorder(needs: []))
        let slow = { (action: any Action, state: Count?) in
            time.advance(by: .microseconds(5))
            return Self.reduce(action, state)
        }
        let reducer = timed.middleware.wrapping(
            eventFirst: plain.middleware.wrapping(eventFirst: slow, clock: time.clock), clock: time.clock)
        Store(reducer: reducer, state: Count()).dispatch(Up())
        #expect(timed.steps.last?.timing?.reduce == 5_000)
        #expect(plain.steps.last?.timing == nil)
        #expect(plain.steps.last?.previousState == nil)
        #expect(timed.counts == plain.counts)
    }

    @Test func `a link in the chain passes actions on and sees them with both states`() {
        let recorder = Recorder(needs: .previousState)
        let store = Store(reducer: Self.reduce, state: nil, links: [recorder.middleware.chained()])
        store.dispatch(Up())
        store.dispatch(Down(by: 1))
        #expect(store.state == Count(number: 10))
        #expect(recorder.counts == [10, 11, 10])
        #expect(recorder.previousCounts == [nil, 10, 11])
        #expect(recorder.phases == [.initial, .settled, .settled])
        #expect(recorder.places == [0, 1, 2])
    }

    @Test func `a link keeps its numbers when the store builds its chain anew`() {
        let recorder = Recorder()
        let store = Store(reducer: Self.reduce, state: Count(), links: [recorder.middleware.chained(initialState: Count())])
        store.dispatch(Up())
        store.links.append { _, _ in { next in { next($0) } } }
        store.dispatch(Up())
        #expect(recorder.places == [0, 1, 2])
        #expect(recorder.counts == [0, 1, 2])
    }

    @Test func `an action that a later link swallows leaves the state, one that an earlier link swallows is not seen`() {
        let (first, last) = (Recorder(), Recorder())
        let noDowns: Link = { _, _ in { next in { if !($0 is Down) { next($0) } } } }
        let store = Store(reducer: Self.reduce, state: Count(), links: [first.middleware.chained(), noDowns, last.middleware.chained()])
        store.dispatch(Down(by: 5))
        store.dispatch(Up())
        #expect(first.counts == [0, 1])
        #expect(last.counts == [1])
    }

    @Test func `a link's time is that of the reducer and the subscribers`() {
        let time = ManualClock()
        let recorder = Recorder(needs: .timing)
        let store = Store(
            reducer: {
                time.advance(by: .microseconds(1)); return Self.reduce($0, $1)
            }, state: Count(),
            links: [recorder.middleware.chained(clock: time.clock)])
        store.subscriber = { _ in time.advance(by: .microseconds(2)) }
        store.dispatch(Up())
        #expect(recorder.steps.last?.timing?.reduce == 3_000)
    }

    @Test func `an action from inside a subscriber is told in order by the reducer and early by the link`() {
        let (reducer, link) = (Recorder(), Recorder())
        let store = Store(
            reducer: reducer.middleware.wrapping(eventFirst: Self.reduce), state: Count(), links: [link.middleware.chained()])
        store.subscriber = { [unowned store] in if $0.number == 1 { store.dispatch(Up()) } }
        store.dispatch(Down(by: -1))
        #expect(reducer.events.map { EventName.name(of: $0) } == ["Down", "Up"])
        #expect(reducer.counts == [1, 2])
        #expect(link.events.map { EventName.name(of: $0) } == ["Up", "Down"])
        #expect(link.places == [2, 1])
    }

    @Test(arguments: [false, true])
    func `a link makes a store that reduces in place copy a large state only if the previous one is asked for`(asks: Bool) {
        let middleware = Middleware<[Int], Int>(needs: asks ? .previousState : []) { _ in }
        var state = Array(repeating: 0, count: 10_000)
        func address() -> UInt { state.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        let dispatch = middleware.chained()({ _ in }, { state })({ state[0] = $0 })
        let before = address()
        dispatch(1)
        #expect((address() == before) == !asks)
        #expect(state[0] == 1)
    }

    @Test func `an action whose store goes away on the way makes no step`() {
        let recorder = Recorder()
        let link: Link = recorder.middleware.chained()
        var state: Count? = Count()
        link({ _ in }, { state })({ _ in state = nil })(Up())
        #expect(recorder.steps.isEmpty)
    }

    @Test func `several middlewares can be combined into one, each with what it asked for`() {
        let (previous, timed) = (Recorder(needs: .previousState), Recorder(needs: .timing))
        let store = Store(
            reducer: Middleware.combined(previous.middleware, timed.middleware).wrapping(eventFirst: Self.reduce), state: nil)
        store.dispatch(Up())
        #expect(previous.counts == [10, 11])
        #expect(timed.counts == [10, 11])
        #expect(previous.previousCounts == [nil, 10])
        #expect(timed.steps.last?.timing != nil)
    }

    @Test func `a store that goes takes the middleware's handler with it`() {
        expectLetGo(steps: 4) { (middleware: Middleware<Count, any Action>) in
            let store = Store(
                reducer: middleware.wrapping(eventFirst: Self.reduce), state: nil, links: [middleware.chained()])
            store.dispatch(Up())
        }
    }
}

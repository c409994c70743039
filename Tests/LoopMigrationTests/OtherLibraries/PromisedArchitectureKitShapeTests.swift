import LoopCore
import LoopMigration
import LoopTesting
import Testing

/// Systems as PromisedArchitectureKit has them: a reducer that returns a promise of a state, bindings, one loop callback with
/// the states so far.
@MainActor @Suite struct PromisedArchitectureKitShapeTests {
    private struct Offline: Error {}

    /// A promise that tests settle by hand.
    private final class Promise {
        var loadingState: Count?
        private var result: Result<Count, any Error>?
        private var waiting: [(Result<Count, any Error>) -> Void] = []

        init(_ result: Result<Count, any Error>? = nil, loading: Count? = nil) { (self.result, loadingState) = (result, loading) }

        func settle(_ result: Result<Count, any Error>) {
            self.result = result
            for each in waiting { each(result) }
            waiting = []
        }

        func whenSettled(_ body: @escaping (Result<Count, any Error>) -> Void) {
            if let result { body(result) } else { waiting.append(body) }
        }
    }

    private final class System {
        private(set) var state: Count
        private let reducer: (Count, CountEvent) -> Promise
        private var bindings: [(Count) -> Void]
        private var callback: ((Count, [Count]) -> Void)?
        private var history: [Count] = []

        init(initialState: Count, reducer: @escaping (Count, CountEvent) -> Promise, uiBindings: [(Count) -> Void] = []) {
            (state, self.reducer, bindings) = (initialState, reducer, uiBindings)
            show(initialState)
        }

        func addLoopCallback(callback: @escaping (Count, [Count]) -> Void) { self.callback = callback }

        func sendEvent(_ event: CountEvent) {
            let promise = reducer(state, event)
            promise.loadingState.map(show)
            promise.whenSettled { [weak self] in
                guard case .success(let next) = $0 else { return }
                self?.state = next
                self?.show(next)
            }
        }

        private func show(_ state: Count) {
            history.append(state)
            for each in bindings { each(state) }
            callback?(state, history)
        }
    }

    private typealias Recorder = StepRecorder<Count, CountEvent>
    private static let loading = Count(number: -1)

    private static func reduce(_ state: Count, _ event: CountEvent) -> Promise { Promise(.success(state.applying(event))) }

    @Test func `a loop callback tells every state from the initial one on, but no events`() {
        let recorder = Recorder(needs: .previousState)
        let system = System(initialState: Count(), reducer: Self.reduce)
        system.addLoopCallback(callback: recorder.middleware.loopCallback(initialState: Count()))
        system.sendEvent(.up)
        system.sendEvent(.up)
        #expect(recorder.counts == [0, 1, 2])
        #expect(recorder.previousCounts == [nil, 0, 1])
        #expect(recorder.places == [0, 1, 2])
        #expect(recorder.phases == [.initial, .settled, .settled])
        #expect(recorder.events.isEmpty)
    }

    @Test func `a loop callback tells a loading state as a state like any other`() {
        let recorder = Recorder()
        let promise = Promise(loading: Self.loading)
        let system = System(initialState: Count(), reducer: { _, _ in promise })
        system.addLoopCallback(callback: recorder.middleware.loopCallback())
        system.sendEvent(.up)
        promise.settle(.success(Count(number: 1)))
        #expect(recorder.counts == [-1, 1])
        #expect(recorder.phases == [.settled, .settled])
    }

    @Test func `a callback that is set too late for the first state gets it as an argument`() {
        let (late, told) = (Recorder(), Recorder())
        let system = System(initialState: Count(number: 8), reducer: Self.reduce)
        system.addLoopCallback(callback: late.middleware.loopCallback())
        #expect(late.steps.isEmpty)
        system.addLoopCallback(callback: told.middleware.loopCallback(initialState: system.state))
        #expect(told.counts == [8])
    }

    @Test(arguments: [false, true])
    func `a binding is shown the initial state by the system, and an argument says what that counts as`(isInitial: Bool) {
        let recorder = Recorder(needs: .previousState)
        let system = System(
            initialState: Count(), reducer: Self.reduce, uiBindings: [recorder.middleware.stateCallback(firstIsInitial: isInitial)])
        system.sendEvent(.up)
        #expect(recorder.counts == [0, 1])
        #expect(recorder.previousCounts == [nil, 0])
        #expect(recorder.phases == [isInitial ? .initial : .settled, .settled])
        #expect(recorder.places == (isInitial ? [0, 1] : [1, 2]))
    }

    private static func wrap(
        _ middleware: Middleware<Count, CountEvent>, _ reduce: @escaping (Count, CountEvent) -> Promise, clock: StepClock = .monotonic
    ) -> (Count, CountEvent) -> Promise {
        middleware.wrapping(reduce, loading: \.loadingState, initialState: Count(), clock: clock) { promise, settle in
            promise.whenSettled(settle)
        }
    }

    @Test func `a wrapped reducer tells the event with its loading and its settled state under one number`() {
        let recorder = Recorder(needs: .previousState)
        let promise = Promise(loading: Self.loading)
        let system = System(initialState: Count(), reducer: Self.wrap(recorder.middleware) { _, _ in promise })
        system.sendEvent(.up)
        #expect(recorder.phases == [.initial, .loading])
        #expect(recorder.steps.last?.outcome == nil)
        promise.settle(.success(Count(number: 1)))
        #expect(system.state == Count(number: 1))
        #expect(recorder.phases == [.initial, .loading, .settled])
        #expect(recorder.counts == [0, -1, 1])
        #expect(recorder.previousCounts == [nil, 0, -1])
        #expect(recorder.places == [0, 1, 1])
        #expect(recorder.steps.map(\.event) == [nil, .up, .up])
        #expect(recorder.steps.last?.outcome?.isFinished == true)
    }

    @Test func `work that fails keeps the state before it and tells the error`() {
        let recorder = Recorder()
        let system = System(
            initialState: Count(), reducer: Self.wrap(recorder.middleware) { _, _ in Promise(.failure(Offline()), loading: Self.loading) })
        system.sendEvent(.up)
        #expect(recorder.counts == [0, -1, 0])
        #expect(recorder.errors.count == 1)
        #expect(recorder.errors.first is Offline)
    }

    @Test func `the reducer and its work are timed apart`() {
        let time = ManualClock(nanoseconds: 1_000)
        let recorder = Recorder(needs: .timing)
        let promise = Promise(loading: Self.loading)
        let system = System(
            initialState: Count(),
            reducer: Self.wrap(
                recorder.middleware,
                { _, _ in
                    time.advance(by: .nanoseconds(20)); return promise
                }, clock: time.clock))
        system.sendEvent(.up)
        time.advance(by: .nanoseconds(300))
        promise.settle(.success(Count()))
        #expect(
            recorder.steps.map(\.timing) == [
                nil, StepTiming(startedAt: 1_000, queueWait: 0, reduce: 20, bindings: 0),
                StepTiming(startedAt: 1_000, queueWait: 0, reduce: 20, effect: 300, bindings: 0),
            ])
    }

    @Test func `a second settling changes nothing`() {
        let recorder = Recorder()
        let reduce = recorder.middleware.wrapping(Self.reduce, loading: { _ in nil }) { promise, settle in
            promise.whenSettled(settle)
            settle(.failure(Offline()))
        }
        _ = reduce(Count(), .up)
        #expect(recorder.counts == [1])
        #expect(recorder.errors.isEmpty)
    }

    @Test func `several middlewares share the one callback`() {
        let recorders = (0..<3).map { _ in Recorder() }
        let callbacks = recorders.map { $0.middleware.loopCallback() }
        let system = System(initialState: Count(), reducer: Self.reduce)
        system.addLoopCallback { state, past in for each in callbacks { each(state, past) } }
        system.sendEvent(.up)
        #expect(recorders.allSatisfy { $0.counts == [1] })
    }

    @Test func `a system that goes takes the middleware's handler with it, work in flight or not`() {
        expectLetGo(steps: 3) { middleware in
            let system = System(initialState: Count(), reducer: Self.wrap(middleware) { _, _ in Promise(loading: Self.loading) })
            system.addLoopCallback(callback: middleware.loopCallback())
            system.sendEvent(.up)
        }
    }
}

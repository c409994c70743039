import Basics
import LoopCore
import Testing

/// Four values of one type; large values are made of them.
private struct Four<Piece: Filling>: Filling {
    private var pieces = (Piece(), Piece(), Piece(), Piece())
}

private protocol Filling { init() }

extension Int: Filling {}

private typealias Eight = Four<Four<Four<Four<Four<Int>>>>>

private typealias ThirtyTwo = Four<Eight>

private struct Event {
    var number = 0
    var filling = (Eight(), Eight())
}

private struct State {
    var count = 0
    var filling = (ThirtyTwo(), ThirtyTwo())
}

/// An actor that every thread may call as its own, for tests that bring a thread.
private actor AnyThread {
    private final class Executor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) { UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor()) }
        func checkIsolated() {}
    }

    private let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

/// Runs a function on a thread with a stack of this size; too deep a stack ends the process.
private func onStack(kibibytes: Int, _ body: @escaping (isolated AnyThread) -> Int) -> Int {
    final class Call {
        let body: (isolated AnyThread) -> Int
        var result = 0
        init(_ body: @escaping (isolated AnyThread) -> Int) { self.body = body }
    }
    let call = Call(body)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, kibibytes * 1_024)
    var thread = pthread_t()
    let status = pthread_create(
        &thread, &attributes,
        { argument in
            let call = Unmanaged<Call>.fromOpaque(argument!).takeUnretainedValue()
            nonisolated(unsafe) let unchecked = call
            AnyThread().assumeIsolated { unchecked.result = unchecked.body($0) }
            return nil
        }, Unmanaged.passUnretained(call).toOpaque())
    precondition(status == 0)
    pthread_join(thread, nil)
    pthread_attr_destroy(&attributes)
    return call.result
}

/// States of 64 KiB with events of 16 KiB on the small stacks of phones.
@Suite struct LargeStateTests {
    @Test func `the values are as large as they are said to be`() {
        #expect((64 * 1_024..<65 * 1_024).contains(MemoryLayout<State>.size))
        #expect((16 * 1_024..<17 * 1_024).contains(MemoryLayout<Event>.size))
    }

    /// Each call that makes a watched step, or receives it, has a copy of its state and event on the stack. In an optimized build the
    /// step fits 384 KiB, as `Benchmarks stack` shows.
    @Test(
        arguments: [
            (nil, 512), ([], 2_048), (.previousState, 2_048), ([.previousState, .timing, .middlewareTime], 2_048),
        ] as [(MiddlewareNeeds?, Int)])
    func `a bare step fits a stack of 512 KiB, a watched one 2 MiB`(needs: MiddlewareNeeds?, kibibytes: Int) {
        let system = System<State, Event>(initialState: State()) { state, event in state.count += event.number }
        var seen = 0
        if let needs { system.attach(Middleware(needs: needs) { step in seen = step.number }) }
        // Only the new thread uses the system until that thread has ended.
        let box = UncheckedBox((system: system, event: Event(number: 1)))
        let number = onStack(kibibytes: kibibytes) { home in
            for _ in 1...3 { box.value.system.send(box.value.event, isolation: home) }
            return box.value.system.eventNumber
        }
        #expect(number == 3 && (needs == nil || seen == 3))
    }

    private struct Outer<Inner> {
        var inner: Inner
        var rest = 0
    }

    private enum OuterEvent<Inner> { case inner(Inner), other }

    /// Puts a reducer on a part of a part, `depth` deep, sends it three events, and returns the last event's number.
    private func count<Inner, InnerEvent>(_ reducer: Reducer<Inner, InnerEvent>, _ state: Inner, _ event: InnerEvent, depth: Int) -> Int {
        if depth > 0 {
            return count(
                reducer.on(Part(\Outer<Inner>.inner, OuterEvent.inner)), Outer(inner: state), OuterEvent.inner(event), depth: depth - 1)
        }
        let box = UncheckedBox((system: System(initialState: state, reducer: reducer), event: event))
        return onStack(kibibytes: 2_048) { home in
            for _ in 1...3 { box.value.system.send(box.value.event, isolation: home) }
            return box.value.system.eventNumber
        }
    }

    @Test func `an event of a part within twenty parts fits a stack of 2 MiB`() {
        var reduced = 0
        let reducer = Reducer<State, Event> { state, event in
            state.count += event.number
            reduced = state.count
            return .none
        }
        #expect(count(reducer, State(), Event(number: 1), depth: 20) == 3)
        #expect(reduced == 3)
    }
}

import Dispatch
import Foundation
import LoopCore

/// The least stack on which a loop can take steps with a state of 64 KiB and events of 16 KiB: threads of phones have small stacks. A stack
/// that is too small ends the program, so each size is tried in a process of its own: this program, called with ``child``.
enum StackBenchmarks {
    static let child = "stack-child"

    private typealias Row = (name: String, target: Int, run: @Sendable (_ kibibytes: Int) -> Void)

    private static let rows: [Row] = [
        ("a bare step", 512, { take(system(), $0) }),
        ("a watched step", 512, { take(system().attach(Middleware { _ in }), $0) }),
        ("a step with the state before it, timed", 512, { takeTimed($0) }),
        ("a step of a Next, watched", 512, { takeNext($0) }),
        ("an event of a part within twenty parts", 1_024, { takeInParts($0) }),
    ]

    @MainActor static func run() throws {
        print("**Stack of a step**, a state of 64 KiB, events of 16 KiB; exact to 8 KiB\n")
        print("| | least stack, KiB | target |\n|---|---:|---:|")
        for (number, row) in rows.enumerated() {
            var (least, most) = (64, 2_048)
            if try !fits(row: number, kibibytes: most) {
                print("| \(row.name) | more than \(most) | \(row.target) |")
                missedTargets += 1
                continue
            }
            while most - least > 8 {
                let middle = (least + most) / 2
                if try fits(row: number, kibibytes: middle) { most = middle } else { least = middle }
            }
            print("| \(row.name) | \(most) | \(row.target) |")
            if most > row.target { missedTargets += 1 }
        }
        print("")
    }

    private static func fits(row: Int, kibibytes: Int) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [child, "\(row)", "\(kibibytes)"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }

    /// Three steps on a stack of this size.
    static func runChild(row: Int, kibibytes: Int) { rows[row].run(kibibytes) }

    private static func system() -> System<State, Event> {
        let reduce: (inout State, Event) -> Void = { state, event in state.count += event.number }
        return System<State, Event>(initialState: State(), reducer: reduce)
    }

    private static func take(_ system: System<State, Event>, _ kibibytes: Int) { ThreeSteps(system, Event()).run(kibibytes) }

    private static func takeTimed(_ kibibytes: Int) {
        take(system().attach(Middleware(needs: [.previousState, .timing, .middlewareTime]) { _ in }), kibibytes)
    }

    private static func takeNext(_ kibibytes: Int) {
        let reducer = Reducer<State, Event>(next: { state, event in
            var state = state
            state.count += event.number
            return .value(state)
        })
        take(System(initialState: State(), reducer: reducer).attach(Middleware { _ in }), kibibytes)
    }

    private static func takeInParts(_ kibibytes: Int) {
        let reducer = Reducer<State, Event> { state, event -> Effect<Event> in
            state.count += event.number
            return .none
        }
        takeInside(reducer, State(), Event(), depth: 20, kibibytes)
    }

    /// Wraps a reducer into `depth` nested parts, and sends the innermost part an event.
    private static func takeInside<Inner, InnerEvent>(
        _ reducer: Reducer<Inner, InnerEvent>, _ state: Inner, _ event: InnerEvent, depth: Int, _ kibibytes: Int
    ) {
        if depth == 0 { return ThreeSteps(System(initialState: state, reducer: reducer), event).run(kibibytes) }
        let outer = reducer.on(Part(\Outer<Inner>.inner, OuterEvent.inner))
        takeInside(outer, Outer(inner: state), OuterEvent.inner(event), depth: depth - 1, kibibytes)
    }
}

/// A system and an event, which only one thread uses at a time.
private final class ThreeSteps<State, Event>: @unchecked Sendable {
    private let system: System<State, Event>
    private let event: Event

    init(_ system: System<State, Event>, _ event: Event) { (self.system, self.event) = (system, event) }

    func run(_ kibibytes: Int) {
        let hasEnded = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            AnyThread().assumeIsolated { take($0) }
            hasEnded.signal()
        }
        thread.stackSize = kibibytes * 1_024
        thread.start()
        hasEnded.wait()
        precondition(system.eventNumber == 3)
    }

    private func take(_ home: isolated AnyThread) {
        for _ in 1...3 { system.send(event, isolation: home) }
    }
}

/// An actor that accepts every thread as its own.
private actor AnyThread {
    private final class Executor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) { UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor()) }
        func checkIsolated() {}
    }

    private let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

private struct Outer<Inner> { var inner: Inner }

/// With one case alone, the enum would be its payload.
private enum OuterEvent<Inner> { case inner(Inner), other }

/// Four values of one type, to build large values from.
private struct Four<Piece: Filling>: Filling { private var pieces = (Piece(), Piece(), Piece(), Piece()) }

private protocol Filling { init() }

extension Int: Filling {}

private typealias EightKiB = Four<Four<Four<Four<Four<Int>>>>>

private struct Event {
    var number = 1
    var filling = (EightKiB(), EightKiB())
}

private struct State {
    var count = 0
    var filling = (Four<EightKiB>(), Four<EightKiB>())
}

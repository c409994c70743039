import LoopCore

/// Carries what is not `Sendable` into a closure that has to be; the tests that use it run on one thread.
final class UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// A clock that goes on by one at each reading. Only used on the main actor.
final class Counter: @unchecked Sendable {
    private var count: UInt64 = 0

    func next() -> UInt64 {
        count += 1
        return count
    }
}

/// Holds work until the test opens it. It lives on the main actor, as the system does.
@MainActor
final class Gate {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var entered = 0

    func pass() async {
        entered += 1
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        let all = waiting
        waiting = []
        for each in all { each.resume() }
    }

    func whenEntered(_ count: Int) async { while entered < count { await Task.yield() } }
}

extension Step {
    /// Number, phase, state and outcome in a line.
    var summary: String {
        let ending =
            switch outcome {
            case .finished: "finished"
            case .failed: "failed"
            case .cancelled: "cancelled"
            case nil: "-"
            }
        return "\(number) \(phase) \(state) \(ending)"
    }
}

/// Calls a function when it is released.
final class Ending {
    private let call: () -> Void

    init(_ call: @escaping () -> Void) { self.call = call }

    deinit { call() }
}

/// Numbers from a seed, so that a failure repeats itself.
struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}

import Basics

/// A value that tests can wait for. A change wakes the tests whose condition then holds, so that no test polls or sleeps.
package final class Announced<Value: Sendable>: Sendable {
    private struct Waiter {
        let holds: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let state: Lock<State>

    package init(_ value: Value) { state = Lock(State(value: value)) }

    package var value: Value { state.withLock { $0.value } }

    @discardableResult
    package func change<Result>(_ body: (inout Value) -> Result) -> Result {
        let (result, woken) = state.withLock { state in
            let result = body(&state.value)
            let woken = state.waiters.filter { $0.value.holds(state.value) }
            for id in woken.keys { state.waiters[id] = nil }
            return (result, woken.values.map(\.continuation))
        }
        for continuation in woken { continuation.resume() }
        return result
    }

    /// Returns when the condition holds, or when the test is cancelled because its time is over.
    package func until(_ holds: @escaping @Sendable (Value) -> Bool) async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || holds(state.value) { return true }
                    state.waiters[id] = Waiter(holds: holds, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
    }
}

import Basics

/// Does numbered pieces of work on several threads, and hands over the results in the order of the numbers.
package enum OrderedWork {
    private struct State<Output> {
        var next = 0
        var taken = 0
        var ready: [Int: Output] = [:]
        var isStopped = false
    }

    private enum Turn<Output> {
        case work(Int)
        case deliver(Int, Output)
        case finished
    }

    /// Calls `map` for each number below `count`, several at a time, and `consume` on the calling thread, in the order of the numbers.
    /// An error of `consume` ends the work. At most as many results as there are threads, and one more, wait for their turn.
    package static func run<Output: Sendable>(
        _ count: Int, threads: Int, map: @Sendable (Int) -> Output, consume: (Int, Output) throws -> Void
    ) rethrows {
        try withoutActuallyEscaping(map) { map in
            let state = WatchedValue(State<Output>())
            @Sendable func pick(_ state: inout State<Output>) -> Turn<Output>? {
                if state.isStopped || state.next == count { return .finished }
                guard state.next <= state.taken + threads else { return nil }
                state.next += 1
                return .work(state.next - 1)
            }
            @Sendable func work(_ number: Int) {
                let output = map(number)
                state.change { $0.ready[number] = output }
            }
            let helpers = WorkerThreads(min(threads, count) - 1) {
                while case .work(let number) = state.wait(for: { pick(&$0) }) { work(number) }
            }
            defer {
                state.change { $0.isStopped = true }
                helpers.join()
            }
            while true {
                let turn: Turn<Output> = state.wait { state in
                    if state.taken == count { return .finished }
                    if let output = state.ready.removeValue(forKey: state.taken) { return .deliver(state.taken, output) }
                    // If no further piece may begin, waits for the results of other threads.
                    guard case .work(let number)? = pick(&state) else { return nil }
                    return .work(number)
                }
                switch turn {
                case .work(let number): work(number)
                case .deliver(let number, let output):
                    state.change { $0.taken += 1 }
                    try consume(number, output)
                case .finished: return
                }
            }
        }
    }
}

import Basics

/// One sleep of one task: until somebody wakes it, from any thread, or until the task is cancelled.
///
/// It sleeps once; woken before it slept, it does not sleep at all.
@usableFromInline
package final class Sleeper: Sendable {
    private enum Stage {
        case awake
        case asleep(CheckedContinuation<Void, Never>)
        case woken
    }

    private let stage = Lock(Stage.awake)

    package init() {}

    package func wake() {
        let stage = self.stage.withLock { stage in
            defer { stage = .woken }
            return stage
        }
        if case .asleep(let continuation) = stage { continuation.resume() }
    }

    package func sleep(isolation: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: isolation) { continuation in
                let isWoken = stage.withLock { stage in
                    if case .woken = stage { return true }
                    stage = .asleep(continuation)
                    return false
                }
                if isWoken { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }
}

/// Tasks that sleep until all of them are woken; one that was cancelled leaves without a search.
@usableFromInline
package struct Sleepers {
    private var sleeping: [Int: Sleeper] = [:]
    private var added = 0

    package init() {}

    @usableFromInline package var isEmpty: Bool { sleeping.isEmpty }

    /// - Returns: the sleeper, and the number to remove it by.
    package mutating func add() -> (Sleeper, number: Int) {
        added += 1
        let sleeper = Sleeper()
        sleeping[added] = sleeper
        return (sleeper, added)
    }

    /// One that was woken already is ignored.
    package mutating func remove(_ number: Int) { sleeping[number] = nil }

    /// Takes all out, in the order in which they came.
    package mutating func removeAll() -> [Sleeper] {
        defer { sleeping = [:] }
        return sleeping.sorted { $0.key < $1.key }.map(\.value)
    }
}

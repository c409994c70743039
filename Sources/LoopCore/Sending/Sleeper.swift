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

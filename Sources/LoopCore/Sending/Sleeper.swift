import Basics

/// One sleep of one task: until somebody wakes it, from any thread and perhaps before it slept, or until the task is cancelled.
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
        let stage = self.stage.withLock { exchange(&$0, with: .woken) }
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

/// Elements in the order in which they came, each with a number by which it is removed without a search.
@usableFromInline
package struct Numbered<Element> {
    @usableFromInline var byNumber: [Int: Element] = [:]
    private var added = 0

    package init() {}

    @inlinable package var isEmpty: Bool { byNumber.isEmpty }
    package var elements: [Element] { byNumber.sorted { $0.key < $1.key }.map(\.value) }

    /// - Returns: the number to remove it by.
    package mutating func add(_ element: Element) -> Int {
        added += 1
        byNumber[added] = element
        return added
    }

    /// Removes an element. The number of one that has left already is ignored.
    package mutating func remove(_ number: Int) { byNumber[number] = nil }

    package mutating func removeAll() -> [Element] {
        defer { byNumber = [:] }
        return elements
    }
}

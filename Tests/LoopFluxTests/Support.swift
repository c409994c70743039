import LoopCore
import LoopFlux

/// Looks at an object without keeping it alive.
final class Weak<Object: AnyObject> {
    private(set) weak var object: Object?
    init(_ object: Object?) { self.object = object }
}

/// What was seen, in order.
final class Log<Line> {
    private(set) var lines: [Line] = []
    func note(_ line: Line) { lines.append(line) }
    func removeAll() { lines = [] }
}

enum Fault: Error, Equatable { case dummy, other }

/// An error that says nothing of its equality.
struct Opaque: Error { let code: Int }

/// A clock that stands still until a test moves it. The tests that use it run on one thread.
final class ManualClock: @unchecked Sendable {
    var nanoseconds: UInt64 = 1_000_000_000

    var clock: StepClock { StepClock { self.nanoseconds } }

    func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        nanoseconds += UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}

/// Lets work be held up until a test lets it go on. Only used on the main actor.
@MainActor final class Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

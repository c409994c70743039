import Basics
import TrackingEvents

/// What an uploader wants to know of a writer.
package enum SegmentEvent: Sendable, Equatable {
    /// There may be finished segments that were not there before.
    case sealed
    /// The person agrees, or has not decided: what lies in the main folder may leave.
    case granted
    /// Nothing may leave from now on.
    case denied
    /// Everything in the folder is about to be removed, and the mark that says so is there.
    case erasing
}

/// Those who want to know of a writer's segments. They are called from the writer's thread or the caller's, and must return at once.
final class SegmentObservers: Sendable {
    typealias Observer = @Sendable (SegmentEvent) -> Void

    private struct State {
        var observers: [Int: Observer] = [:]
        var next = 0
    }

    private let state = Lock(State())

    func add(_ observer: @escaping Observer) -> Int {
        state.withLock { state in
            state.next += 1
            state.observers[state.next] = observer
            return state.next
        }
    }

    func remove(_ id: Int) { state.withLock { state in state.observers[id] = nil } }

    func notify(_ event: SegmentEvent) {
        // Outside the lock: an observer may remove itself.
        for observer in state.withLock({ Array($0.observers.values) }) { observer(event) }
    }
}

extension EventFileWriter {
    /// Says whether segments may leave, without the writer itself: not while consent is denied, and not from the call of `erase()` to its end.
    package var mayUpload: @Sendable () -> Bool { { [monitor] in monitor.mayUpload } }

    /// Calls `observer` at each event until ``removeObservation(_:)``.
    package func observeSegments(_ observer: @escaping @Sendable (SegmentEvent) -> Void) -> Int { monitor.observers.add(observer) }

    package func removeObservation(_ id: Int) { monitor.observers.remove(id) }
}

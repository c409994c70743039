import Basics

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
    /// The writer is suspended no more.
    case resumed
}

/// Those who want to know of a writer's segments. They are called from the writer's thread or the caller's, and must return at once.
final class SegmentObservers: Sendable {
    /// `letGo` returns when no lock of the folder's is held and none will be taken before the writer is resumed.
    typealias Observer = (notify: @Sendable (SegmentEvent) -> Void, letGo: @Sendable () async -> Void)

    private let state = Lock((observers: [Int: Observer](), next: 0))

    func add(_ observer: Observer) -> Int {
        state.withLock { state in
            state.next += 1
            state.observers[state.next] = observer
            return state.next
        }
    }

    func remove(_ id: Int) { state.withLock { state in state.observers[id] = nil } }

    func notify(_ event: SegmentEvent) {
        // Outside the lock: an observer may remove itself.
        for observer in state.withLock({ Array($0.observers.values) }) { observer.notify(event) }
    }

    func letGo() async { for observer in state.withLock({ Array($0.observers.values) }) { await observer.letGo() } }
}

extension EventFileWriter {
    /// Says, without the writer itself, whether segments may leave: not while consent is denied, during `erase()`, or in suspension.
    package var mayUpload: @Sendable () -> Bool { { [monitor] in monitor.mayUpload } }

    /// Calls `observer` at each event, and `letGo` before the writer is suspended. `letGo` returns when no lock of the folder's is held.
    package func observeSegments(
        lettingGo letGo: @escaping @Sendable () async -> Void = {}, _ observer: @escaping @Sendable (SegmentEvent) -> Void
    ) -> Int { monitor.observers.add((observer, letGo)) }

    package func removeObservation(_ id: Int) { monitor.observers.remove(id) }
}

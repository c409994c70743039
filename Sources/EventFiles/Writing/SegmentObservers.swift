import Basics

/// What an uploader wants to know of a writer.
package enum SegmentEvent: Sendable, Equatable {
    /// There may be finished segments that were not there before.
    case sealed
    /// Consent is granted or pending: segments in the main folder may leave.
    case granted
    /// Nothing may leave from now on.
    case denied
    /// Everything in the folder is about to be removed. The mark that says so is there, unless the disk is full.
    case erasing
    /// The writer is no longer suspended.
    case resumed
}

/// The observers of a writer's segments. They are called on the writer's thread or on that of its caller, and must return at once.
final class SegmentObservers: Sendable {
    /// `letGo` returns when the observer holds no lock of the folder and takes none before the writer is resumed.
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

    /// Returns when all observers have let go, which they do at the same time.
    func letGo() async {
        await withDiscardingTaskGroup { group in
            for observer in state.withLock({ Array($0.observers.values) }) { group.addTask { await observer.letGo() } }
        }
    }
}

extension EventFileWriter {
    /// Says whether segments may leave: not while consent is denied, during `erase()`, or in suspension. Does not keep the writer alive.
    package var mayUpload: @Sendable () -> Bool { { [monitor] in monitor.mayUpload } }

    /// Calls `observer` at each event. Calls `letGo` before a suspension: it returns once the observer holds no lock of the folder.
    package func observeSegments(
        lettingGo letGo: @escaping @Sendable () async -> Void = {}, _ observer: @escaping @Sendable (SegmentEvent) -> Void
    ) -> Int { monitor.observers.add((observer, letGo)) }

    package func removeObservation(_ id: Int) { monitor.observers.remove(id) }
}

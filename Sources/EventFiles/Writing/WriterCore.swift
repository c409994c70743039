import Basics
import TrackingEvents

/// What an ``EventFileWriter`` and its thread share. The thread holds this and not the writer, so that a forgotten writer can go
/// away and take the thread with it.
final class WriterCore: Sendable {
    let options: EventFileWriterOptions
    let wallClock: WallClock
    let clock: MonotonicClock
    let encoder: EventLineEncoder
    let monitor: Monitor<WriterState>
    /// The thread waits on this for something to do.
    let work = Condition()
    /// Callers wait on this for a place in the ring.
    let space = Condition()
    let consentCell = ConsentCell()

    // §4.4 of the contract: while the writer keeps up, a kill costs at most 256 events or 60 KiB. At three quarters of either
    // the thread is woken and writes what there is; the last quarter (64 events) is for what comes until it has done so. Waking it
    // earlier would find nothing to do. A writer that does not keep up finds full members waiting and writes only these.
    let dueLines: Int
    let dueBytes: Int
    let idleNanoseconds: Int64
    let blockNanoseconds: Int64
    /// The bounds for what may take the reserved places.
    let metaEvents: Int
    let metaBytes: Int

    init(options: EventFileWriterOptions, wallClock: WallClock, clock: MonotonicClock, random: SeededRandom) {
        // Fewer than none is none.
        var options = options
        options.pendingEvents = max(0, options.pendingEvents)
        options.pendingBytes = max(0, options.pendingBytes)
        self.options = options
        self.wallClock = wallClock
        self.clock = clock
        encoder = EventLineEncoder(sensitivity: options.sensitivity)
        monitor = Monitor(WriterState(random: random))
        // A ring smaller than that must not be full before anybody looks.
        dueLines = max(1, min(options.unwrittenEvents, options.pendingEvents) / 4 * 3)
        dueBytes = max(1, min(options.unwrittenBytes, options.pendingBytes) / 4 * 3)
        idleNanoseconds = max(0, options.idle.clampedNanoseconds)
        if case .block(let limit) = options.overflow { blockNanoseconds = max(0, limit.clampedNanoseconds) } else { blockNanoseconds = 0 }
        let places = max(0, options.reservedMetaPlaces)
        metaEvents = options.pendingEvents.addingClamped(places)
        metaBytes = options.pendingBytes.addingClamped(min(places, .max / 1_024) * 1_024)
    }

    var statistics: EventFileWriterStatistics {
        monitor.withLock { state in
            var statistics = state.statistics
            statistics.waiting = state.waitingLines - state.waitingNotes
            return statistics
        }
    }
}

import Basics
import TrackingEvents

/// What callers touch: the lines that wait for the writer's thread, the limits on them, and what was dropped.
///
/// It knows no file but the copies of what waits (``RingFile``). The thread takes batches of lines out of it and reports what became of them (`LineRing+Taking.swift`).
/// ``WriterMonitor`` guards it.
struct LineRing {
    /// The lines that the thread has taken and not yet written.
    struct InHand {
        /// What becomes of them if they cannot be written.
        enum Fate {
            case putBack
            /// Consent was granted meanwhile.
            case moveToMain
            /// Consent was denied meanwhile, or everything is to be erased.
            case forget
        }

        var lane = Lane.main
        var lines = 0
        var bytes = 0
        var notes = 0
        var fate = Fate.putBack
        /// Whether they stand at the front of their lane's copy.
        var isCopied = false
        /// Where the lines of the member under way end in the copy.
        var copyEnd = 0
    }

    /// When a caller that records has to wake the thread.
    enum ThreadWait {
        /// Never: the thread is awake, or was woken already.
        case no
        /// At the first line.
        case forFirstLine
        /// When enough lines wait. The thread has seen those that do, and comes back when they are old enough.
        case forMoreLines
    }

    let limits: RingLimits
    let overflow: OverflowPolicy
    let encoder: EventLineEncoder
    let wallClock: WallClock
    let clock: MonotonicClock

    let main = RingLane(capacity: 128 * 1024)
    let pending = RingLane(capacity: 16)
    var inHand = InHand()
    /// The buffer to swap with at the next take; `nil` while the thread has it.
    var spare: ByteBuffer? = ByteBuffer(capacity: 16)
    var consent = TrackingConsent.granted
    var sampled = SampledSessions()
    var statistics = EventFileWriterStatistics()
    var random: SeededRandom
    var isStorageFailing = false
    /// Drops since storage began to fail.
    var droppedInEpisode = 0
    var threadWait = ThreadWait.no
    /// Callers that wait for a place.
    var blockedCallers = 0
    /// Lines of the main lane are copied only in the pending lane's ring file.
    var mustMoveCopies = false

    init(options: EventFileWriterOptions, wallClock: WallClock, clock: MonotonicClock, random: SeededRandom) {
        limits = RingLimits(options)
        overflow = options.overflow
        encoder = EventLineEncoder(sensitivity: options.sensitivity)
        self.wallClock = wallClock
        self.clock = clock
        self.random = random
    }

    /// The lane of events that are recorded now.
    var lane: Lane { consent == .pending ? .pending : .main }
    /// ``lane`` with what waits on it.
    var target: RingLane { consent == .pending ? pending : main }

    subscript(lane: Lane) -> RingLane { lane == .main ? main : pending }

    /// Lines and bytes that wait, without those that the thread has in hand.
    var untakenLines: Int { main.lines.count + pending.lines.count }
    var untakenBytes: Int { main.lines.byteCount + pending.lines.byteCount }
    /// Lines and bytes that take up room.
    var waitingLines: Int { untakenLines + inHand.lines }
    var waitingBytes: Int { untakenBytes + inHand.bytes }

    /// The statistics with the number of events that wait.
    var currentStatistics: EventFileWriterStatistics {
        var statistics = statistics
        statistics.waiting = waitingLines - main.lines.notes - pending.lines.notes - inHand.notes
        return statistics
    }

    /// How many lines of a lane's copy the thread has in hand.
    func inHand(of lane: Lane) -> Int { inHand.lane == lane && inHand.isCopied ? inHand.lines : 0 }

    /// Counts a dropped event, and keeps it for the next `dropped` line of its lane.
    mutating func drop(_ reason: DropReason, session: String?, lane: Lane) {
        count(drop: reason, session: session, on: lane)
        self[lane].file?.add(reason, session: session)
    }

    /// ``drop(_:session:lane:)`` for an event that the lane's copy has counted.
    mutating func count(drop reason: DropReason, session: String?, on lane: Lane) {
        statistics.droppedByReason[reason, default: 0] += 1
        if isStorageFailing { droppedInEpisode += 1 }
        let lane = self[lane]
        if lane.tally.isEmpty { lane.tallySince = clock.nanoseconds }
        lane.tally.add(reason, session: session)
    }

    /// Counts an event that came after closing. No file is left that could report it.
    mutating func dropClosed() {
        statistics.recorded += 1
        statistics.droppedByReason[.closed, default: 0] += 1
    }

    /// Appends a line that the writer makes itself; `false` if it is too long, or its copy has no room for it.
    ///
    /// - Parameter reportsDrops: whether it reports all drops of the lane.
    mutating func note(_ name: String, _ properties: TrackingProperties, lane: Lane, reportsDrops: Bool = false) -> Bool {
        let wall = wallClock.milliseconds
        let line = StampedEvent(
            timeMilliseconds: wall, event: TrackingEvent(name, properties), id: EventID(milliseconds: wall, random: &random), kind: .meta)
        let lane = self[lane]
        let start = lane.lines.bytes.count
        guard case .written = encoder.append(line, to: lane.lines.bytes) else { return false }
        guard lane.hasRoom(for: lane.lines.bytes.count - start, isMeta: true) else {
            lane.lines.truncate(to: start)
            return false
        }
        lane.lineAdded(from: start, isNote: true, reportsDrops: reportsDrops, at: clock.nanoseconds)
        statistics.notes += 1
        return true
    }

    /// Consent was granted: what waits on the pending lane may be kept.
    ///
    /// - Parameter isFirst: whether no other decision is still to be carried out on the disk. Later ones leave what is in hand to that one.
    mutating func grant(isFirst: Bool) {
        consent = .granted
        let inHandOfPending = inHand.lane == .pending ? inHand.lines : 0
        sampled.promote(donePending: pending.done + inHandOfPending, to: main.lines.added)
        if main.file == nil, let copy = pending.file, !copy.isEmpty { mustMoveCopies = true }
        main.takeOver(pending, inHand: inHand(of: .pending))
        if isFirst { decideInHand(.moveToMain) }
    }

    /// Consent was denied: what waits on the pending lane is forgotten.
    mutating func deny(isFirst: Bool) {
        consent = .denied
        statistics.erased += pending.forget()
        if inHand.lane == .pending { inHand.isCopied = false }
        mustMoveCopies = false
        sampled.removeAll()
        if isFirst { decideInHand(.forget) }
    }

    private mutating func decideInHand(_ fate: InHand.Fate) {
        if inHand.lane == .pending, inHand.fate == .putBack { inHand.fate = fate }
    }

    /// Everything is to be erased: forgets what waits.
    mutating func forgetAll() {
        statistics.erased += main.forget() + pending.forget()
        sampled.removeAll()
        inHand.fate = .forget
        inHand.isCopied = false
        mustMoveCopies = false
    }
}

/// How much may wait in the ring, and when the thread has to come for it.
struct RingLimits {
    let events: Int
    let bytes: Int
    /// The limits for meta lines, which may also take the reserved places.
    let metaEvents: Int
    let metaBytes: Int
    /// So many lines or bytes wake the thread: three quarters of what a kill may cost. The last quarter is for what comes until it has
    /// written. A thread that does not keep up finds full members waiting, and writes only these.
    let dueLines: Int
    let dueBytes: Int
    /// How old a line may get.
    let idleNanoseconds: Int64
    /// How long a caller waits for a place.
    let blockNanoseconds: Int64

    init(_ options: EventFileWriterOptions) {
        // Negative limits mean 0.
        events = max(0, options.ringEvents)
        bytes = max(0, options.ringBytes)
        let places = max(0, options.reservedMetaPlaces)
        metaEvents = events.addingClamped(places)
        metaBytes = bytes.addingClamped(min(places, .max / 1_024) * 1_024)
        // A small ring is due before it is full.
        dueLines = max(1, min(options.unwrittenEvents, events) / 4 * 3)
        dueBytes = max(1, min(options.unwrittenBytes, bytes) / 4 * 3)
        idleNanoseconds = max(0, options.idle.clampedNanoseconds)
        if case .block(let limit) = options.overflow { blockNanoseconds = max(0, limit.clampedNanoseconds) } else { blockNanoseconds = 0 }
    }
}

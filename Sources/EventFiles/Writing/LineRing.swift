import Basics
import TrackingEvents

/// The state that recording changes: the lines that wait for the writer's thread, the limits on them, and what was dropped.
///
/// The only files it knows are those of its rings (``Ring``). The thread takes batches of lines out. ``WriterMonitor`` guards it.
struct LineRing {
    /// The lines of the member that the thread is writing.
    struct InHand {
        let lane: Lane
        let end: Int
        /// 0 for a part of a line.
        let lines: Int
        let bytes: Int
        let notes: Int
        /// Whether its lines were forgotten meanwhile: consent was denied, or everything is to be erased.
        var isForgotten = false
    }

    /// When a caller that records has to wake the thread.
    enum ThreadWait {
        /// Never: the thread is awake, or was woken already.
        case no
        case forFirstLine
        /// When enough lines wait. The thread comes back by itself when they are old enough or, while storage fails, to try again.
        case forMoreLines
    }

    let limits: RingLimits
    let overflow: OverflowPolicy
    let encoder: EventLineEncoder
    let wallClock: WallClock
    let clock: MonotonicClock

    /// A grant of consent that the thread has yet to carry out. Lines of both lanes that were recorded before it come first in the files.
    struct Grant {
        /// Where the main lane's lines ended at the grant; `nil` once they are written.
        var main: Int?
        let pending: Int
    }

    let main = RingLane()
    let pending = RingLane()
    var inHand: InHand?
    let memberBytes = ByteBuffer(capacity: BGZF.rawLimit)
    let line = ByteBuffer(capacity: 1_024)
    var consent = TrackingConsent.granted
    var grants: [Grant] = []
    var sampled = SampledSessions()
    var statistics = EventFileWriterStatistics()
    var random: SeededRandom
    var isStorageFailing = false
    var suspension = Suspension()
    var droppedInEpisode = 0
    var threadWait = ThreadWait.no
    var blockedCallers = 0

    init(_ context: WriterContext, random: SeededRandom) {
        limits = RingLimits(context.options)
        overflow = context.options.overflow
        encoder = EventLineEncoder(sensitivity: context.options.sensitivity)
        (wallClock, clock, self.random) = (context.wallClock, context.clock, random)
    }

    var lane: Lane { consent == .pending ? .pending : .main }
    var target: RingLane { consent == .pending ? pending : main }

    subscript(lane: Lane) -> RingLane { lane == .main ? main : pending }

    /// Lines and bytes that wait, including those ``inHand``.
    var waitingLines: Int { main.count &+ pending.count }
    var waitingBytes: Int { main.byteCount &+ pending.byteCount }
    /// Lines and bytes that wait, without those ``inHand``.
    var untakenLines: Int { waitingLines - (inHand.map { $0.isForgotten ? 0 : $0.lines } ?? 0) }
    var untakenBytes: Int { waitingBytes - (inHand.map { $0.isForgotten ? 0 : $0.bytes } ?? 0) }

    var currentStatistics: EventFileWriterStatistics {
        var statistics = statistics
        statistics.waiting = waitingLines - main.notes - pending.notes
        if let inHand, inHand.isForgotten { statistics.waiting += inHand.lines - inHand.notes }
        return statistics
    }

    var grantedEnd: Int { grants.last?.pending ?? 0 }
    var hasGranted: Bool { pending.ring.start < grantedEnd }

    func handEnd(of lane: Lane) -> Int? { inHand.flatMap { $0.lane == lane && !$0.isForgotten ? $0.end : nil } }

    /// Counts a dropped event, also for the next `dropped` line of its lane.
    mutating func drop(_ reason: DropReason, session: String?, lane: Lane) {
        count(drop: reason, session: session, on: lane)
        self[lane].ring.add(reason, session: session)
    }

    /// ``drop(_:session:lane:)`` for an event that the lane's ring has counted already.
    mutating func count(drop reason: DropReason, session: String?, on lane: Lane) {
        statistics.droppedByReason[reason, default: 0] += 1
        if isStorageFailing { droppedInEpisode += 1 }
        let lane = self[lane]
        if lane.tally.isEmpty { lane.tallySince = clock.nanoseconds }
        lane.tally.add(reason, session: session)
    }

    /// Appends a line that the writer makes itself, perhaps one that reports all drops of the lane; `false` if there is no room for it.
    mutating func note(_ name: String, _ properties: TrackingProperties, lane: Lane, reportsDrops: Bool = false) -> Bool {
        let event = StampedEvent(note: name, properties, at: wallClock.milliseconds, random: &random)
        let lane = self[lane]
        line.removeAll()
        guard case .written = encoder.append(event, to: line), lane.ring.hasRoom(for: line.count, isMeta: true) else { return false }
        lane.append(line, isNote: true, reportsDrops: reportsDrops, at: clock.nanoseconds)
        statistics.notes += 1
        return true
    }

    /// Consent was granted: what waits on the pending lane may be kept, and is written before what is recorded from now on.
    ///
    /// Lines in the pending lane's file stay there until they are in a segment. Lines in memory move to the main lane, which may have one.
    ///
    /// - Parameter isFirst: whether no other decision is still to be carried out on the disk.
    mutating func grant(isFirst: Bool) {
        consent = .granted
        let mainEnd = main.ring.end
        // A `dropped` line reports the drops, if there is room for one. Drops that are moved would count twice after a kill in between.
        if !pending.tally.isEmpty { noteDrops(of: .pending) }
        if !pending.tally.isEmpty {
            if main.tally.isEmpty { main.tallySince = pending.tallySince }
            // Added before the other ring forgets them: a kill in between must not lose drops that nothing reports.
            main.ring.add(pending.tally)
            main.tally.add(pending.tally)
            pending.ring.forgetDrops()
            pending.tally = DropTally()
        }
        let (waiting, line) = (pending.done, main.added)
        if handEnd(of: .pending) == nil, main.takeOver(pending) { sampled.promote(from: waiting, to: line) } else { sampled.promote() }
        let isMore = pending.ring.end > max(grantedEnd, pending.ring.start)
        if isFirst || isMore { grants.append(Grant(main: mainEnd, pending: pending.ring.end)) }
    }

    /// Consent was denied: lines that wait on the pending lane are forgotten, except granted ones. The ring file is erased with the folder;
    /// until then, new lines wait in memory.
    mutating func deny() {
        consent = .denied
        forget(.pending)
        if pending.count == 0 { detach(.pending) }
        sampled.removeAll()
    }

    mutating func forgetAll() {
        grants = []
        for lane in Lane.allCases { forget(lane) }
        sampled.removeAll()
    }

    private mutating func forget(_ lane: Lane) {
        statistics.erased += self[lane].forget(behind: lane == .pending ? grantedEnd : 0)
        guard let hand = inHand, hand.lane == lane, self[lane].count == 0, !hand.isForgotten else { return }
        inHand?.isForgotten = true
        // The lines in hand are counted when it is known what becomes of them.
        statistics.erased -= hand.lines - hand.notes
    }

    /// ``detach(_:)``, if the lane is idle, so that its file holds nothing to keep; says whether it is.
    func detachIdle(_ lane: Lane) -> Bool {
        if self[lane].isIdle { detach(lane) }
        return self[lane].isIdle
    }

    /// Lets a lane's lines wait in a ring file from now on, if it has room for those that wait already. Nothing may be ``inHand``.
    func attach(_ ring: Ring, to lane: Lane) { if self[lane].ring !== ring { _ = self[lane].move(to: ring) } }

    /// Lets a lane's lines wait in memory from now on. What the file holds stays in it.
    func detach(_ lane: Lane) { if self[lane].ring.file != nil { _ = self[lane].move(to: Ring()) } }

    /// Leaves what waits in a lane's file to whoever recovers that file. Lines wait in memory from now on.
    mutating func leave(_ lane: Lane) {
        statistics.written += self[lane].leave()
        // The end of a grant is a position in the ring that is left. The decision itself is still to be carried out.
        if lane == .pending { grants = [] }
        for index in grants.indices { grants[index].main = nil }
    }
}

struct RingLimits {
    let events: Int
    let bytes: Int
    /// The limits for meta lines, which may also take the reserved room.
    let metaEvents: Int
    let metaBytes: Int
    /// How many lines or bytes wake the thread: three quarters of what may wait unwritten. The rest is for lines that come before it has
    /// written. A thread that does not keep up finds full members waiting, and writes only these.
    let dueLines: Int
    let dueBytes: Int
    let idleNanoseconds: Int64
    /// How long a line may wait in a ring that is not mapped before the ring is written to its file.
    let ringNanoseconds: Int64
    let blockNanoseconds: Int64

    init(_ options: EventFileWriterOptions) {
        // Negative limits mean 0.
        events = max(0, options.ringEvents)
        bytes = max(0, options.ringBytes)
        let reserved = max(0, options.reservedMetaPlaces)
        metaEvents = events.addingClamped(reserved)
        metaBytes = bytes.addingClamped(min(reserved, .max / 1_024) * 1_024)
        // A small ring is due before it is full.
        dueLines = max(1, min(options.unwrittenEvents, events) / 4 * 3)
        dueBytes = max(1, min(options.unwrittenBytes, bytes) / 4 * 3)
        idleNanoseconds = max(0, options.idle.clampedNanoseconds)
        ringNanoseconds = if case .written(let every) = options.ring { max(0, every.clampedNanoseconds) } else { 2_000_000 }
        blockNanoseconds = if case .block(let limit) = options.overflow { max(0, limit.clampedNanoseconds) } else { 0 }
    }
}

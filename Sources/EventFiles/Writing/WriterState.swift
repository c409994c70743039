import Basics
import TrackingEvents

/// What callers and the writer thread share, all of it under one lock.
struct WriterState {
    /// What a caller wants of the thread, besides that it writes.
    struct Request {
        enum Kind {
            case flush(FlushDurability)
            case rotate
            case recovery
            case erase
            case close
        }

        let kind: Kind
        let completion: @Sendable (EventFileError?) -> Void
    }

    /// When the thread wants to be woken by a caller that records.
    enum ThreadWait {
        /// It is not waiting, or was woken already.
        case no
        /// It sleeps for as long as nothing waits.
        case forFirstLine
        /// It has seen the lines and will come back when they are due; more of them make it come earlier.
        case forMoreLines
    }

    /// What is to become of the spool on the disk.
    enum SpoolDecision {
        case promote, erase
    }

    let main = WriterLane(pending: PendingLines())
    let spool = WriterLane(pending: PendingLines(capacity: 16))
    var consent = TrackingConsent.granted
    var spoolDecision: SpoolDecision?
    var sampled = SampledSessions()
    var erasuresWanted = 0
    var erasuresDone = 0
    /// The other buffer, while the thread has nothing in hand.
    var spare: ByteBuffer? = ByteBuffer(capacity: 16)
    var inFlightLines = 0
    var inFlightBytes = 0
    var inFlightNotes = 0
    var inFlightLane = WriterLane.Name.main
    var inFlightFate = WriterLane.Fate.putBack
    var statistics = EventFileWriterStatistics()
    var random: SeededRandom

    /// The thread that works, from its beginning to its end.
    var thread: UInt?
    var isOpen = true
    /// Closing has run out of time: give up rather than try again.
    var mustGiveUp = false
    var isStorageFailing = false
    /// Drops since storage began to fail.
    var droppedInEpisode = 0
    var requests: [Request] = []
    var threadWait = ThreadWait.no
    var blockedCallers = 0
    var recovery = RecoveryReport()

    init(random: SeededRandom) { self.random = random }

    var targetName: WriterLane.Name { consent == .pending ? .spool : .main }

    /// Takes the oldest line away that is no meta line, from the first of the lanes that has one.
    mutating func dropOldest(of lanes: [WriterLane.Name]) -> (EncodedLine, WriterLane.Name)? {
        for lane in lanes {
            guard let line = self[lane].pending.dropOldest() else { continue }
            self[lane].done += 1
            return (line, lane)
        }
        return nil
    }

    /// Where events go that are recorded now.
    var target: WriterLane { consent == .pending ? spool : main }

    subscript(lane: WriterLane.Name) -> WriterLane { lane == .main ? main : spool }

    var isErasing: Bool { erasuresWanted != erasuresDone }

    /// Whether the thread may write what waits on a lane: not before what stands on the disk is as it was decided.
    func isFree(_ lane: WriterLane.Name) -> Bool { !isErasing && (lane == .main || spoolDecision == nil) }

    var pendingLines: Int { main.pending.lines + spool.pending.lines }
    var pendingBytes: Int { main.pending.byteCount + spool.pending.byteCount }
    var waitingLines: Int { pendingLines + inFlightLines }
    var waitingBytes: Int { pendingBytes + inFlightBytes }
    var waitingNotes: Int { main.pending.notes + spool.pending.notes + inFlightNotes }

    mutating func drop(_ reason: DropReason, session: String?, lane: WriterLane.Name, at now: Int64) {
        statistics.droppedByReason[reason, default: 0] += 1
        // After closing there is no file that could tell of it.
        if reason == .closed { return }
        if isStorageFailing { droppedInEpisode += 1 }
        if self[lane].tally.isEmpty { self[lane].tallySince = now }
        self[lane].tally.add(reason, session: session)
    }

    /// Appends a line that the writer makes itself; `false` if it is too long.
    mutating func note(
        _ name: String, _ properties: TrackingProperties, lane: WriterLane.Name, encoder: EventLineEncoder, wall: Int64, now: Int64
    ) -> Bool {
        let line = TrackedEvent(
            timeMilliseconds: wall, event: TrackingEvent(name, properties), id: EventID(milliseconds: wall, random: &random), kind: .meta)
        guard case .written = encoder.append(line, to: self[lane].pending.bytes) else { return false }
        self[lane].pending.lineAdded(isNote: true, at: now)
        statistics.notes += 1
        return true
    }

    /// Writes what a lane's tally holds as a `dropped` line and empties it.
    mutating func noteDrops(of lane: WriterLane.Name, encoder: EventLineEncoder, wall: Int64, now: Int64) {
        // Long session ids may be too much for one line: then fewer stand by name.
        for limit in [DropTally.sessionLimit, 16, 0] {
            let properties = self[lane].tally.properties(sessions: limit)
            if note(MetaEventName.dropped, properties, lane: lane, encoder: encoder, wall: wall, now: now) { break }
        }
        self[lane].tally = DropTally()
    }
}

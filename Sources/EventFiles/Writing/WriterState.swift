import TrackingEvents

/// What callers and the writer thread share, all of it under one lock.
struct WriterState {
    /// What a caller wants of the thread, besides that it writes.
    struct Request {
        enum Kind {
            case flush(FlushDurability)
            case rotate
            case recovery
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

    var pending = PendingLines()
    /// The other buffer, while the thread has nothing in hand.
    var spare: ByteBuffer? = ByteBuffer(capacity: 16)
    var inFlightLines = 0
    var inFlightBytes = 0
    var inFlightNotes = 0
    var statistics = EventFileWriterStatistics()
    var tally = DropTally()
    var tallySince: Int64 = 0
    var random: SeededRandom

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

    var waitingLines: Int { pending.lines + inFlightLines }
    var waitingBytes: Int { pending.byteCount + inFlightBytes }

    mutating func drop(_ reason: DropReason, session: String?, at now: Int64) {
        statistics.droppedByReason[reason, default: 0] += 1
        // After closing there is no file that could tell of it.
        if reason == .closed { return }
        if isStorageFailing { droppedInEpisode += 1 }
        if tally.isEmpty { tallySince = now }
        tally.add(reason, session: session)
    }

    /// Appends a line that the writer makes itself; `false` if it is too long.
    mutating func note(_ name: String, _ properties: TrackingProperties, encoder: EventLineEncoder, wall: Int64, now: Int64) -> Bool {
        let line = TrackedEvent(
            timeMilliseconds: wall, event: TrackingEvent(name, properties), id: EventID(milliseconds: wall, random: &random), kind: .meta)
        guard case .written = encoder.append(line, to: pending.bytes) else { return false }
        pending.lineAdded(isNote: true, at: now)
        statistics.notes += 1
        return true
    }

    /// Writes what the tally holds as a `dropped` line and empties it.
    mutating func noteDrops(encoder: EventLineEncoder, wall: Int64, now: Int64) {
        // Long session ids may be too much for one line: then fewer stand by name.
        for limit in [DropTally.sessionLimit, 16, 0] {
            if note(MetaEventName.dropped, tally.properties(sessions: limit), encoder: encoder, wall: wall, now: now) { break }
        }
        tally = DropTally()
    }
}

import EventFiles

/// What a batch of lines holds besides the events' meaning: how many there are of each kind, and the ids and sequence numbers
/// from which the whole pass counts duplicates and gaps.
struct BatchHead: Sendable {
    var badLines = 0
    var metaLines = 0
    var timingLines = 0
    private(set) var events = 0
    /// The fingerprint of each event's id; empty where ids need not be compared.
    private(set) var ids: [Fingerprint] = []
    /// Events whose id stands in a line before of the same file, where that is known without the ids.
    private(set) var repeated: [Int] = []
    private var comparesIDs = true
    /// Of all lines of any kind with session and sequence.
    var sequences = SessionRuns()
    var first = Int64.max
    var last = Int64.min
    var days = DayCounts()

    init(expecting lines: Int) {
        ids.reserveCapacity(lines)
    }

    /// Notes one line; says whether it is an event.
    @inline(__always)
    mutating func take(_ line: EventHead) -> Bool {
        if line.sequence > 0 && !line.session.isEmpty {
            sequences.note(Fingerprint.of(line.session), sequence: line.sequence)
        }
        switch line.kind {
        case .event: break
        case .meta:
            metaLines += 1
            return false
        case .timing:
            timingLines += 1
            return false
        }
        if comparesIDs { ids.append(line.id.isEmpty ? .none : .of(line.id)) } else if line.isRepeated { repeated.append(events) }
        noteEvent(line.time)
        return true
    }

    @inline(__always)
    private mutating func noteEvent(_ time: Int64) {
        events += 1
        first = min(first, time)
        last = max(last, time)
        days.note(time)
    }

    /// Notes an event of which nothing else is wanted.
    @inline(__always)
    mutating func take(_ glance: EventGlance) {
        if comparesIDs { ids.append(glance.id) } else if glance.isRepeated { repeated.append(events) }
        noteEvent(glance.time)
    }

    /// Takes over what a summary says of its segment besides its rows.
    mutating func adopt(_ facts: SummaryBatchFacts) {
        comparesIDs = facts.comparesIDs
        badLines += facts.badLines
        timingLines += facts.timingLines
        if !facts.runs.isEmpty { sequences = SessionRuns(facts.runs) }
    }
}

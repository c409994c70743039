import EventFiles

/// What a batch of lines holds besides the events' meaning: how many there are of each kind, and the ids and sequence numbers
/// from which the whole pass counts duplicates and gaps.
struct BatchHead: Sendable {
    var badLines = 0
    var metaLines = 0
    var timingLines = 0
    /// The fingerprint of each event's id.
    var ids: [Fingerprint] = []
    /// Of all lines of any kind with session and sequence.
    var sequences = SessionRuns()
    var first = Int64.max
    var last = Int64.min
    var days = DayCounts()

    var events: Int { ids.count }

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
        ids.append(line.id.isEmpty ? .none : .of(line.id))
        first = min(first, line.time)
        last = max(last, line.time)
        days.note(line.time)
        return true
    }
}

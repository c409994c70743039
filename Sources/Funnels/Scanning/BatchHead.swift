import EventFiles

/// What every question keeps of a batch of lines: counts by kind, and the ids and sequence numbers that show duplicates and gaps.
struct BatchHead: Sendable {
    var badLines = 0
    var metaLines = 0
    var timingLines = 0
    private(set) var sampleRate = 1.0
    private(set) var events = 0
    /// For each event the fingerprint of its id, or ``Fingerprint/none`` if that need not be compared; empty if none is to be compared.
    private(set) var ids: [Fingerprint] = []
    /// From the smallest to the largest beginning of the ids that are to be compared.
    private(set) var idSpan = IDSpan()
    /// The numbers of the events without a user, from 0.
    private(set) var withoutUser: [UInt32] = []
    /// The numbers of the events whose id an earlier line of the same file has, where that is known without comparing ids.
    private(set) var repeated: [Int] = []
    private var comparesIDs = true
    /// How many runs of sequence numbers, and how many ids to compare, all batches have together; 0 where that is not known.
    private(set) var expectedRuns = 0
    private(set) var expectedIDs = 0
    /// The sequence numbers of all lines, of any kind, that have a session and a number.
    var sequences = SessionRuns()
    var days = DayCounts()

    init(expecting lines: Int) { ids.reserveCapacity(lines) }

    /// Notes one line; says whether it is an event.
    @inline(__always)
    mutating func take(_ line: EventHead) -> Bool {
        if line.sequence > 0 && !line.session.isEmpty { sequences.note(Fingerprint.of(line.session), sequence: line.sequence) }
        switch line.kind {
        case .event: break
        case .meta:
            metaLines += 1
            if line.name.elementsEqual(SessionLine.name) { sampleRate = min(sampleRate, SessionLine.sampleRate(line)) }
            return false
        case .timing:
            timingLines += 1
            return false
        }
        if comparesIDs {
            ids.append(line.id)
            if !line.id.isNone { idSpan.note(line.idBeginning) }
        }
        if line.user.isEmpty { withoutUser.append(UInt32(events)) }
        if line.isRepeated { repeated.append(events) }
        events += 1
        days.note(line.time)
        return true
    }

    /// Notes the next events of a summary's portion; gives their rows. A row plus `before` is its event's number in the batch.
    @inline(__always)
    mutating func takeEvents(of rows: inout SummaryRows) -> (rows: Range<Int>, before: Int) {
        let range = rows.nextEvents()
        let before = events - range.lowerBound
        if comparesIDs && !range.isEmpty {
            ids += rows.ids[range]
            // The texts of ids are not read, so how they begin is unknown.
            idSpan.note(0)
        }
        rows.withoutUser.pass(range) { withoutUser.append(UInt32(before + $0)) }
        rows.repeated.pass(range) { repeated.append(before + $0) }
        events += range.count
        for row in range { days.note(rows.times[row]) }
        return (range, before)
    }

    /// Takes over what a summary says of its segment besides its rows.
    mutating func adopt(_ facts: SummaryBatchFacts) {
        comparesIDs = !facts.compared.isNone
        badLines += facts.badLines
        timingLines += facts.timingLines
        if !facts.runs.isEmpty { sequences = SessionRuns(facts.runs) }
        (expectedRuns, expectedIDs) = (facts.expectedRuns, facts.expectedIDs)
    }
}

import EventFiles

/// Which starts a pass over a funnel's keys looks at: all of a range, and the mature ones among them. With periods, also those of each.
struct StartSelection {
    /// The counts to which a chain is added: those of all starts, those of mature starts.
    struct Counts: OptionSet {
        let rawValue: UInt8
        static let all = Counts(rawValue: 1)
        static let mature = Counts(rawValue: 2)
    }

    /// Starts that are followed together.
    struct Part {
        var range: StartRange
        /// The beginning of the period; `nil` for the whole time.
        var period: Int64?
        var counts: Counts
        /// The visit and its user, where visits are counted.
        var visit: Visit?
        var user = Fingerprint.none
    }

    private let whole: StartRange
    /// Which counts are wanted; both as a rule.
    private let wanted: Counts
    /// From this millisecond on, a start is mature only if its key is a silent session; `nil` if every start is mature.
    private let matureUntil: Int64?
    /// Whether a key is a session that was silent for so long at the end of the data that it is over.
    private let isSilent: (Fingerprint) -> Bool
    private var period: KnownPeriods?
    /// The steps that an event has to fit to begin an attempt.
    private let starting: UInt32
    private var parts: [Part] = []

    init(
        _ definition: FunnelDefinition, dataEnd: Int64, wanted: Counts = [.all, .mature], period: ((Int64) -> Range<Int64>)? = nil,
        isSilent: @escaping (Fingerprint) -> Bool = { _ in false }
    ) {
        self.isSilent = isSilent
        whole = StartRange(definition)
        self.wanted = wanted
        matureUntil = definition.windowEnded(before: dataEnd)
        self.period = period.map { KnownPeriods(find: $0) }
        starting = definition.order.numbersSteps ? 1 : .max
    }

    /// The parts of a key's starts that have to be followed. `events` are all of its events, by rising time.
    mutating func parts(of events: UnsafeBufferPointer<StepEvent>, of key: Fingerprint) -> [Part] {
        parts.removeAll(keepingCapacity: true)
        guard let first = events.first?.time, let last = events.last?.time else { return parts }
        let matureUntil = isSilent(key) ? nil : matureUntil
        add(whole, nil, first, last, matureUntil)
        if period == nil { return parts }
        var current: Range<Int64>?
        for event in events where event.steps & starting != 0 && whole.contains(event.time) && current?.contains(event.time) != true {
            guard let found = period?.period(of: event.time) else { continue }
            current = found
            add(whole.within(found), found.lowerBound, first, last, matureUntil)
        }
        return parts
    }

    /// The parts that a visit belongs to. Its first start decides its range and period; it is mature if its last start is.
    mutating func parts(of visit: Visit, by user: Fingerprint, of key: Fingerprint) -> [Part] {
        parts.removeAll(keepingCapacity: true)
        guard whole.contains(visit.first) else { return parts }
        let isMature = matureUntil.map { visit.last < $0 } ?? true || isSilent(key)
        let counts = isMature ? wanted : wanted.subtracting(.mature)
        if counts.isEmpty { return parts }
        parts.append(Part(range: whole, period: nil, counts: counts, visit: visit, user: user))
        if let period = period?.period(of: visit.first) {
            parts.append(Part(range: whole, period: period.lowerBound, counts: counts, visit: visit, user: user))
        }
        return parts
    }

    private mutating func add(_ range: StartRange, _ period: Int64?, _ first: Int64, _ last: Int64, _ matureUntil: Int64?) {
        let mature = range.before(matureUntil)
        // Most keys have no start that is still open: they are followed once.
        if mature == range || matureUntil.map({ last < $0 }) ?? true {
            parts.append(Part(range: range, period: period, counts: wanted))
            return
        }
        if wanted.contains(.all) { parts.append(Part(range: range, period: period, counts: .all)) }
        if wanted.contains(.mature) && !mature.isEmpty && matureUntil.map({ first < $0 }) ?? true {
            parts.append(Part(range: mature, period: period, counts: .mature))
        }
    }
}

/// Keeps the periods that were asked for, because a calendar takes longer than everything else that is done for a start.
struct KnownPeriods {
    let find: (Int64) -> Range<Int64>
    /// By time. They are limited in number, so that inserting one stays cheap.
    var known: [Range<Int64>] = []

    mutating func period(of time: Int64) -> Range<Int64> {
        let index = known.partitionPoint { $0.lowerBound > time }
        if index > 0, known[index - 1].contains(time) { return known[index - 1] }
        let found = find(time)
        if known.count < 4096 { known.insert(found, at: known.partitionPoint { $0.lowerBound > found.lowerBound }) }
        return found
    }
}

/// How many starts there were of one time, and how many of them converted: of all, and of mature ones.
struct StartCounts: Sendable {
    struct Counted: Sendable, Hashable {
        var entered = 0
        var converted = 0

        static func += (counted: inout Counted, other: Counted) {
            counted.entered += other.entered
            counted.converted += other.converted
        }
    }

    var all = Counted()
    var mature = Counted()
    /// The times to convert of all starts, where only mature ones are shown.
    var times: [Int64] = []

    /// Counts a chain, which converts with its step `last`; says whether the result shows it. A mature chain is not open: its
    /// session may be over although its window is not.
    mutating func add(_ chain: FunnelChain, _ counts: StartSelection.Counts, to last: Int, showsMature: Bool) -> Bool {
        let one = Counted(entered: 1, converted: Int(chain.taken >> UInt32(last) & 1))
        if counts.contains(.all) {
            all += one
            if one.converted > 0 && last > 0 && showsMature { times.append(chain.sinceFirst[last]) }
        }
        if counts.contains(.mature) {
            mature += one
            chain.isOpen = false
        }
        return counts.contains(showsMature ? .mature : .all)
    }

    mutating func add(_ other: StartCounts) {
        all += other.all
        mature += other.mature
        times += other.times
    }

    /// What mature starts gave.
    func mature(of definition: FunnelDefinition, dataEnd: DataEnd?) -> FunnelResult.Mature {
        let until = dataEnd.flatMap { definition.matureUntil(dataEnd: $0.milliseconds) }
        return FunnelResult.Mature(
            untilMilliseconds: StartRange(definition).before(until).until, entered: mature.entered, converted: mature.converted,
            leftOut: all.entered - mature.entered)
    }

    /// The time within which 99 of 100 converted, of all starts; `nil` where nobody did or there is one step only.
    ///
    /// - Parameter steps: what is shown.
    func ninetyNinth(of definition: FunnelDefinition, _ steps: [FunnelResult.Step]) -> Double? {
        let last = definition.lastRequiredStep
        guard last > 0 else { return nil }
        if definition.starts != .mature || all.converted == mature.converted { return steps[last].fromFirst?.p99 }
        var sample = times
        return Distribution(sorting: &sample)?.p99
    }
}

/// Adds up the chains of one time.
struct StartTally {
    private let definition: FunnelDefinition
    // What is asked for each chain: asking the definition would copy it each time.
    private let last: Int
    private let showsMature: Bool
    private let hasGroups: Bool
    private(set) var shown: FunnelTally
    /// The shown chains, where there is a breakdown.
    private var log = ChainLog()
    private(set) var counts = StartCounts()
    /// The shown visits, where they are counted and days are known.
    private(set) var visits: VisitTable?
    private var day: KnownPeriods?

    /// - Parameter day: the day of a visit; `nil` where no claims are made.
    init(_ definition: FunnelDefinition, day: ((Int64) -> Range<Int64>)? = nil) {
        self.definition = definition
        (last, showsMature, hasGroups) = (definition.lastRequiredStep, definition.starts == .mature, definition.breakdown != nil)
        self.day = day.map { KnownPeriods(find: $0) }
        visits = definition.counting == .visits && day != nil ? VisitTable() : nil
        shown = FunnelTally(definition)
    }

    mutating func add(_ chain: FunnelChain, group: UInt32, _ part: StartSelection.Part) {
        guard counts.add(chain, part.counts, to: last, showsMature: showsMature) else { return }
        shown.add(chain)
        if hasGroups { log.append(chain, group: group) }
        guard visits != nil, let visit = part.visit, let day = day?.period(of: visit.first).lowerBound else { return }
        visits?.add(VisitTable.Cell(visit, by: part.user, chain, to: last, day: day, group: Int(group)))
    }

    /// The groups of the breakdown, and for each of its values' texts the index of its group.
    func shownGroups(_ texts: [[UInt8]]) -> (groups: [FunnelResult.Group], indices: [Int]) {
        guard let breakdown = definition.breakdown else { return ([], []) }
        return FunnelGroups.groups([[]] + texts, sizes: log.sizes(groups: texts.count + 1), of: definition, top: breakdown.top) { take in
            log.forEach(stepCount: definition.steps.count) { chain, group in take(Int(group)) { $0.add(chain) } }
        }
    }
}

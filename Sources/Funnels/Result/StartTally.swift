/// How many starts one range of time has, and how many of them converted: of all starts, and of mature ones.
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
    /// The times to convert of all starts, in milliseconds, where only mature starts are shown.
    var times: [Int64] = []

    /// Counts a chain, which has converted if it took step `last`; says whether the result shows it. A mature chain is not open, even if
    /// its window is: its session may be over.
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

    /// The counts of mature starts alone.
    func mature(of definition: FunnelDefinition, dataEnd: DataEnd?) -> FunnelResult.Mature {
        let until = dataEnd.flatMap { definition.matureUntil(dataEnd: $0.milliseconds) }
        return FunnelResult.Mature(
            untilMilliseconds: StartRange(definition).before(until).until, entered: mature.entered, converted: mature.converted,
            leftOut: all.entered - mature.entered)
    }

    /// The milliseconds within which 99 of 100 conversions of all starts came; `nil` if nobody converted or only step 1 is required.
    ///
    /// - Parameter steps: the steps that the result shows.
    func ninetyNinth(of definition: FunnelDefinition, _ steps: [FunnelResult.Step]) -> Double? {
        let last = definition.lastRequiredStep
        guard last > 0 else { return nil }
        if definition.starts != .mature || all.converted == mature.converted { return steps[last].fromFirst?.p99 }
        var sample = times
        return Distribution(sorting: &sample)?.p99
    }
}

/// Adds up the chains of one range of time.
struct StartTally {
    private let definition: FunnelDefinition
    // Needed for each chain: reading them from the definition would copy it each time.
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

    /// - Parameter day: gives the day that a visit begins on; `nil` where no claims are made.
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
        let group = part.counts.contains(.mature) ? Int(group) : VisitTable.openGroup
        visits?.add(VisitTable.Cell(visit, by: part.user, chain, to: last, day: day, group: group))
    }

    /// The groups of the breakdown, and the index of each value's group by the value's number, for values with chains.
    ///
    /// - Parameter texts: the texts of all values in the data. A short period has few of them, and looks at no others.
    func shownGroups(_ texts: [[UInt8]]) -> (groups: [FunnelResult.Group], indices: [Int: Int]) {
        guard let breakdown = definition.breakdown else { return ([], [:]) }
        let sizes = log.sizes.sorted { $0.key < $1.key }
        let places = Dictionary(uniqueKeysWithValues: sizes.indices.map { (sizes[$0].key, $0) })
        let own = sizes.map { $0.key == 0 ? [] : texts[Int($0.key) - 1] }
        let (groups, indices) = FunnelGroups.groups(own, sizes: sizes.map(\.value), of: definition, top: breakdown.top) { take in
            log.forEach(stepCount: definition.steps.count) { chain, group in
                if let place = places[group] { take(place) { $0.add(chain) } }
            }
        }
        return (groups, Dictionary(uniqueKeysWithValues: zip(sizes.map { Int($0.key) }, indices)))
    }
}

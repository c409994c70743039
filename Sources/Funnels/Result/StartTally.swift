/// Adds up the chains of one time: of all starts, and of mature ones.
struct StartTally {
    /// A number of starts and how many converted.
    struct Counted: Sendable, Hashable {
        var entered = 0
        var converted = 0
    }

    private let definition: FunnelDefinition
    private let shownCounts: StartSelection.Counts
    /// What the result shows.
    private(set) var shown: FunnelTally
    private(set) var groups: FunnelGroups?
    private(set) var all = Counted()
    private(set) var mature = Counted()
    /// The times to convert of all starts, where the shown tally has only some.
    private var times: [Int64] = []

    init(_ definition: FunnelDefinition) {
        self.definition = definition
        shownCounts = definition.starts == .mature ? .mature : .all
        shown = FunnelTally(definition)
        groups = definition.breakdown == nil ? nil : FunnelGroups(definition)
    }

    mutating func add(_ chain: FunnelChain, group: UInt32, _ counts: StartSelection.Counts) {
        let last = definition.lastRequiredStep
        let converted = chain.taken >> UInt32(last) & 1 == 1
        if counts.contains(.all) {
            all.entered += 1
            if converted { all.converted += 1 }
            if converted && last > 0 && shownCounts == .mature { times.append(chain.sinceFirst[last]) }
        }
        if counts.contains(.mature) {
            mature.entered += 1
            if converted { mature.converted += 1 }
        }
        if !counts.isDisjoint(with: shownCounts) {
            shown.add(chain)
            groups?.add(chain, group: group)
        }
    }

    /// The time within which 99 of 100 converted, of all starts; `nil` where nobody did or there is one step only.
    var ninetyNinth: Double? {
        let last = definition.lastRequiredStep
        guard last > 0 else { return nil }
        var sample = shownCounts == .mature ? times : shown.sinceFirst(last)
        return Distribution(sorting: &sample)?.p99
    }

    /// The groups of the breakdown.
    ///
    /// - Parameter texts: of its values.
    func shownGroups(_ texts: [[UInt8]]) -> [FunnelResult.Group] {
        groups.flatMap { groups in definition.breakdown.map { groups.groups(texts, top: $0.top) } } ?? []
    }
}

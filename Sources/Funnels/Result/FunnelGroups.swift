/// Makes the groups of a breakdown from its chains.
struct FunnelGroups {
    private let definition: FunnelDefinition
    private var log = ChainLog()

    init(_ definition: FunnelDefinition) { self.definition = definition }

    mutating func add(_ chain: FunnelChain, group: UInt32) { log.append(chain, group: group) }

    /// The groups: the most frequent values, those without a value, and the rest.
    ///
    /// - Parameter texts: of the values; a group's number is the place and 1, and 0 is that of no value.
    func groups(_ texts: [[UInt8]], top: Int) -> [FunnelResult.Group] {
        let sizes = log.sizes(groups: texts.count + 1)
        var names = [FunnelBreakdown.none] + texts.map { String(decoding: $0, as: UTF8.self) }
        // A value that is written as the rest is called stands with the rest: two groups of one name would be a riddle.
        let ranked = names.indices.dropFirst()
            .filter { sizes[$0] > 0 && names[$0] != FunnelBreakdown.none && names[$0] != FunnelBreakdown.other }
            .sorted { (sizes[$1], names[$0]) < (sizes[$0], names[$1]) }
        for rest in ranked.dropFirst(top) { names[rest] = FunnelBreakdown.other }
        var tallies: [String: FunnelTally] = [:]
        log.forEach(stepCount: definition.steps.count) { chain, group in
            tallies[names[Int(group)], default: FunnelTally(definition)].add(chain)
        }
        return tallies.sorted { ($1.value.count(0), $0.key) < ($0.value.count(0), $1.key) }
            .map { FunnelResult.Group(value: $0.key, steps: FunnelResult.Step.all($0.value, of: definition)) }
    }
}

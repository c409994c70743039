import Basics

/// Makes the groups of a breakdown from its chains.
enum FunnelGroups {
    /// The groups: the most frequent values, those without a value, and the rest; and for each value the index of its group.
    ///
    /// - Parameters:
    ///   - log: all chains.
    ///   - texts: of the values; a group's number is the index and 1, and 0 is that of no value.
    static func groups(
        _ log: ChainLog, _ texts: [[UInt8]], of definition: FunnelDefinition, top: Int
    ) -> (groups: [FunnelResult.Group], indices: [Int]) {
        let names = names(
            [FunnelBreakdown.none] + texts.map { String(decoding: $0, as: UTF8.self) }, sizes: log.sizes(groups: texts.count + 1), top: top)
        var tallies: [ExactText: FunnelTally] = [:]
        log.forEach(stepCount: definition.steps.count) { chain, group in
            tallies[ExactText(names[Int(group)]), default: FunnelTally(definition)].add(chain)
        }
        return indexed(sorted(tallies, of: definition), names)
    }

    /// Groups, and for each of some names the index of its group; 0 for a name that no chain has.
    static func indexed(_ groups: [FunnelResult.Group], _ names: [String]) -> (groups: [FunnelResult.Group], indices: [Int]) {
        let indices = Dictionary(uniqueKeysWithValues: groups.enumerated().map { (ExactText($1.value), $0) })
        return (groups, names.map { indices[ExactText($0)] ?? 0 })
    }

    /// The names under which values are shown: the most frequent keep theirs, the rest is one.
    ///
    /// - Parameters:
    ///   - names: of the values, ``FunnelBreakdown/none`` for no value.
    ///   - sizes: how many chains each has.
    static func names(_ names: [String], sizes: [Int], top: Int) -> [String] {
        var shown = names
        // A value that is written as the rest is called stands with the rest: two groups of one name would be a riddle.
        let ranked = names.indices.filter { sizes[$0] > 0 && names[$0] != FunnelBreakdown.none && names[$0] != FunnelBreakdown.other }
            .sorted { (sizes[$1], ExactText(names[$0])) < (sizes[$0], ExactText(names[$1])) }
        for rest in ranked.dropFirst(top) { shown[rest] = FunnelBreakdown.other }
        return shown
    }

    /// The groups by falling count of step 1, then by the bytes of the value.
    static func sorted(_ tallies: [ExactText: FunnelTally], of definition: FunnelDefinition) -> [FunnelResult.Group] {
        tallies.sorted { ($1.value.counts[0], $0.key) < ($0.value.counts[0], $1.key) }
            .map { FunnelResult.Group(value: $0.key.text, steps: FunnelResult.Step.all($0.value, of: definition)) }
    }
}

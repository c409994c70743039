import Basics

/// Makes the groups of a breakdown from its chains.
enum FunnelGroups {
    /// The groups, by falling count of step 1, then by the bytes of the value; and for each value the index of its group.
    ///
    /// - Parameters:
    ///   - texts: the texts of the values; an empty text stands for no value.
    ///   - sizes: how many chains each value has.
    ///   - fill: calls its argument with a value's index and a function that adds chains of that value to a tally, until all are added.
    static func groups(
        _ texts: [[UInt8]], sizes: [Int], of definition: FunnelDefinition, top: Int,
        fill: ((_ value: Int, _ add: (inout FunnelTally) -> Void) -> Void) -> Void
    ) -> (groups: [FunnelResult.Group], indices: [Int]) {
        let names = names(texts, sizes: sizes, top: top)
        var numbers = Numbering<ExactText>()
        let ofValue = names.map { numbers.number(of: ExactText($0)) }
        var tallies = numbers.all.map { (name: $0, tally: FunnelTally(definition)) }
        fill { value, add in add(&tallies[ofValue[value]].tally) }
        let groups = tallies.sorted { ($1.tally.counts[0], $0.name) < ($0.tally.counts[0], $1.name) }
            .map { FunnelResult.Group(value: $0.name.text, steps: FunnelResult.Step.all($0.tally, of: definition)) }
        let indices = Dictionary(uniqueKeysWithValues: groups.enumerated().map { (ExactText($1.value), $0) })
        return (groups, names.map { indices[ExactText($0)] ?? 0 })
    }

    /// The names under which values are shown: the most frequent keep their own, the others share one.
    static func names(_ texts: [[UInt8]], sizes: [Int], top: Int) -> [String] {
        let names = texts.map { $0.isEmpty ? FunnelBreakdown.none : String(decoding: $0, as: UTF8.self) }
        var shown = names
        // A value that reads `(none)` or `(other)` joins the group of that name: nobody could tell two groups of one name apart.
        let ranked = names.indices.filter { sizes[$0] > 0 && names[$0] != FunnelBreakdown.none && names[$0] != FunnelBreakdown.other }
            .sorted { (sizes[$1], ExactText(names[$0])) < (sizes[$0], ExactText(names[$1])) }
        for rest in ranked.dropFirst(top) { shown[rest] = FunnelBreakdown.other }
        return shown
    }
}

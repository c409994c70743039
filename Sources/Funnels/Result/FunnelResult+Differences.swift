/// By how much groups differ, and which differ for certain.
extension FunnelResult {
    /// A group against all others together.
    package struct VersusRest: Sendable, Hashable {
        /// Of the shares that converted; `nil` where one side is empty.
        package let difference: ShareDifference?
        /// `nil` where nothing is claimed of the group.
        package let pValue: Double?
        /// The p-value, corrected for how many groups are looked at.
        package let qValue: Double?
    }

    /// How sure a claim has to be: of as many as 20, one may be wrong.
    package static let significance = 0.05

    /// How many of a bar's keys there are of those at step 1, of those at the step before, and how many converted.
    package var share: Share { Share(converted, of: entered) }

    package func share(ofFirst step: Step, in steps: [Step]) -> Share { Share(min(step.count, steps[0].count), of: steps[0].count) }

    package func share(ofPrevious step: Step, in steps: [Step]) -> Share {
        let previous = steps[definition.requiredStep(before: step.index - 1)].count
        return Share(min(step.count, previous), of: previous)
    }

    package func share(of group: Group) -> Share { Share(group.steps[definition.lastRequiredStep].count, of: group.steps[0].count) }

    /// For each group how it differs from all others together; `nil` for keys without a value and for the rest, and where there is one group.
    ///
    /// The difference is the crude one; how sure it is says the claim. Keys without a value are in no rest: where only later steps have the
    /// property, none of them has converted.
    package var versusRest: [VersusRest?] {
        var all = [VersusRest?](repeating: nil, count: groups.count)
        guard groups.count(where: { $0.value != FunnelBreakdown.none }) > 1 else { return all }
        for index in groups.indices where groups[index].isValue {
            let claim = groupClaims.indices.contains(index) ? groupClaims[index] : nil
            all[index] = VersusRest(
                difference: difference(of: index, among: groups.indices), pValue: claim?.pValue, qValue: claim?.qValue)
        }
        return all
    }

    /// The groups that differ from the rest, the surest first.
    package var findings: [(value: String, claim: Claim)] {
        Self.ranked(groupClaims).compactMap { index in groupClaims[index].map { (groups[index].value, $0) } }
    }

    private func difference(of index: Int, among others: some Sequence<Int>) -> ShareDifference? {
        let rest = others.filter { $0 != index && groups[$0].value != FunnelBreakdown.none }.map { share(of: groups[$0]) }
        return ShareDifference(share(of: groups[index]), Share(rest.reduce(0) { $0 + $1.count }, of: rest.reduce(0) { $0 + $1.total }))
    }
}

extension FunnelResult.Group {
    /// Whether it is the group of one value, not of none or of the rest.
    package var isValue: Bool { value != FunnelBreakdown.none && value != FunnelBreakdown.other }
}

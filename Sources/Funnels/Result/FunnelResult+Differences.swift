/// By how much groups differ, and for which of them the difference is significant.
extension FunnelResult {
    /// A group against all others together.
    package struct VersusRest: Sendable, Hashable {
        /// The difference of the shares that converted; `nil` where one side is empty.
        package let difference: ShareDifference?
        /// `nil` where nothing is claimed of the group.
        package let pValue: Double?
        /// The p-value, corrected for how many groups are looked at.
        package let qValue: Double?
    }

    /// How sure a claim has to be: one in twenty may be wrong.
    package static let significance = 0.05

    package var share: Share { Share(converted, of: entered) }

    package func share(ofFirst step: Step, in steps: [Step]) -> Share { Share(min(step.count, steps[0].count), of: steps[0].count) }

    package func share(ofPrevious step: Step, in steps: [Step]) -> Share {
        let previous = steps[definition.requiredStep(before: step.index - 1)].count
        return Share(min(step.count, previous), of: previous)
    }

    package func share(of group: Group) -> Share { Share(group.steps[definition.lastRequiredStep].count, of: group.steps[0].count) }

    /// How each group differs from all others together. `nil` for the groups ``FunnelBreakdown/none`` and ``FunnelBreakdown/other``, and
    /// where no other group has a value.
    ///
    /// The difference is the crude one, but its p-value is that of the group's claim. The others leave out keys without a value: if only
    /// later steps have the property, such a key cannot have converted.
    package var versusRest: [VersusRest?] {
        let known = groups.indices.filter { groups[$0].value != FunnelBreakdown.none }
        var versusRest = [VersusRest?](repeating: nil, count: groups.count)
        if known.count < 2 { return versusRest }
        for (index, difference) in zip(known, ShareDifference.versusRest(known.map { share(of: groups[$0]) })) where groups[index].isValue {
            let claim = groupClaims.indices.contains(index) ? groupClaims[index] : nil
            versusRest[index] = VersusRest(difference: difference, pValue: claim?.pValue, qValue: claim?.qValue)
        }
        return versusRest
    }

    /// The groups that differ from the rest, the surest first.
    package var findings: [(value: String, claim: Claim)] {
        Self.ranked(groupClaims).compactMap { index in groupClaims[index].map { (groups[index].value, $0) } }
    }
}

extension FunnelResult.Group {
    /// Whether it is the group of one value, not of none or of the rest.
    package var isValue: Bool { value != FunnelBreakdown.none && value != FunnelBreakdown.other }
}

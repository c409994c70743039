/// By how much groups differ, and for which of them the difference is significant.
extension FunnelResult {
    /// A group against all others together.
    package struct VersusRest: Sendable, Hashable {
        /// The difference of the shares that converted; `nil` where one side is empty.
        package let difference: ShareDifference?
        /// The interval of ``difference``. Where a user may count more than once, that of ``claim``: its own would be too narrow.
        /// The claim compares visits of the same day, so ``difference``, which does not, may lie outside its interval.
        package let interval: ConfidenceInterval?
        package let isOfDifference: Bool
        package let claim: Claim?
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
    /// The difference has nothing held equal. The others leave out keys without a value: such a key may lack it by not converting.
    package var versusRest: [VersusRest?] {
        let known = groups.filter { $0.value != FunnelBreakdown.none }.map { share(of: $0) }
        let all = known.reduce((count: 0, total: 0)) { ($0.count + $1.count, $0.total + $1.total) }
        let isIndependent = definition.counting == .users && definition.key != .session
        return groups.indices.map { index in
            guard known.count > 1, groups[index].isValue else { return nil }
            let (own, claim) = (share(of: groups[index]), groupClaims.indices.contains(index) ? groupClaims[index] : nil)
            let difference = ShareDifference(own, Share(all.count - own.count, of: all.total - own.total))
            let interval = isIndependent ? difference?.interval : claim?.interval
            return VersusRest(difference: difference, interval: interval, isOfDifference: isIndependent, claim: claim)
        }
    }

    /// The groups that differ from the rest, the surest first.
    package var findings: [(value: String, claim: Claim)] {
        Self.ranked(groupClaims).compactMap { index in groupClaims[index].map { (groups[index].value, $0) } }
    }
}

extension FunnelResult.Group { package var isValue: Bool { value != FunnelBreakdown.none && value != FunnelBreakdown.other } }

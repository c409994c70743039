/// By how much groups differ, and which differ for certain.
extension FunnelResult {
    /// A group against all others together.
    package struct VersusRest: Sendable, Hashable {
        /// Of the shares that converted; `nil` where one side is empty.
        package let difference: ShareDifference?
        /// `nil` where keys are not independent, or where their group depends on how far they got.
        package let pValue: Double?
        /// The p-value, corrected for how many groups are looked at.
        package let qValue: Double?
    }

    /// A group of which it can be said that it differs.
    package struct Finding: Sendable, Hashable {
        package let value: String
        package let difference: ShareDifference
        package let qValue: Double
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

    /// Whether each key counts once, in a group that does not depend on how far it got.
    package var groupsAreIndependent: Bool { definition.counting == .users && definition.breakdown?.attribution == .first }

    /// For each group how it differs from all others together; `nil` for keys without a value and for the rest, and where there is one group.
    ///
    /// Keys without a value are in no rest: where only later steps have the property, none of them has converted.
    package var versusRest: [VersusRest?] {
        let compared = groups.indices.filter { groups[$0].isValue }
        let differences = compared.map { index in difference(of: index, among: groups.indices) }
        let pValues = differences.map { groupsAreIndependent ? $0?.pValue : nil }
        let qValues = FalseDiscovery.qValues(pValues)
        var all = [VersusRest?](repeating: nil, count: groups.count)
        guard groups.count(where: { $0.value != FunnelBreakdown.none }) > 1 else { return all }
        for (rank, index) in compared.enumerated() {
            all[index] = VersusRest(difference: differences[rank], pValue: pValues[rank], qValue: qValues[rank])
        }
        return all
    }

    /// The groups that differ from the rest, one at a time: the surest, then the surest among the others, until there is none. So one bad group
    /// does not make all healthy ones look remarkable.
    package var findings: [Finding] {
        guard groupsAreIndependent else { return [] }
        var left = Array(groups.indices)
        var findings: [Finding] = []
        while true {
            let candidates = left.filter { groups[$0].isValue }
            let differences = candidates.map { difference(of: $0, among: left) }
            let qValues = FalseDiscovery.qValues(differences.map { $0?.pValue })
            let ranked = candidates.indices.filter { (qValues[$0] ?? 1) <= Self.significance }
                .min { (qValues[$0] ?? 1, differences[$0]?.pValue ?? 1) < (qValues[$1] ?? 1, differences[$1]?.pValue ?? 1) }
            guard let ranked, let difference = differences[ranked], let qValue = qValues[ranked] else { return findings }
            findings.append(Finding(value: groups[candidates[ranked]].value, difference: difference, qValue: qValue))
            left.removeAll { $0 == candidates[ranked] }
        }
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

import EventFiles

/// What can be said of the groups of breakdowns, each against all other visits with a value.
struct GroupClaims {
    /// A group whose share of visits changes this much from the first third of days to the last is a release: users are held equal, too.
    private static let releaseChange = 0.1
    /// No more groups of one breakdown are claimed: each claim takes another look at all visits, and nobody reads a long list.
    private static let mostFindings = 20

    /// - Parameters: how many visits of a group, and of all, are in the first and in the last third of days.
    static func isRelease(_ own: (first: Int, last: Int), of all: (first: Int, last: Int)) -> Bool {
        guard all.first > 0, all.last > 0 else { return false }
        return (Double(own.last) / Double(all.last) - Double(own.first) / Double(all.first)).magnitude >= releaseChange - 1e-12
    }

    private struct Question {
        let values: [Int]
        /// The visits with a value; strata are days.
        private(set) var visits: GroupedVisits
        /// For each group, whether it is a release by ``GroupClaims/isRelease(_:of:)``.
        let isRelease: [Bool]
        /// Groups that are asked about, and their q-values once ``shows(_:like:)`` needed them.
        var asked: [Int]
        private var qValues: [Double?] = []

        init(_ result: FunnelResult) {
            let cells = result.matureVisits
            values = result.groups.indices.filter { result.groups[$0].isValue }
            let none = result.groups.firstIndex { $0.value == FunnelBreakdown.none }
            let days = Set(cells.lazy.map(\.day)).sorted()
            var (rows, user, last) = ([AdjustedDifference.Row](), -1, Fingerprint.none)
            // For each group its visits in the first and in the last third of days.
            let third = max(days.count / 3, 1)
            var ends = result.groups.map { _ in (0, 0) }
            rows.reserveCapacity(cells.count)
            for cell in cells where cell.group != none {
                if cell.user != last || rows.isEmpty { (user, last) = (user + 1, cell.user) }
                let day = days.partitionPoint { $0 >= cell.day }
                rows.append(.init(user: user, stratum: day, group: cell.group, visits: cell.visits, converted: cell.converted))
                if day < third { ends[cell.group].0 += cell.visits } else if day >= days.count - third { ends[cell.group].1 += cell.visits }
            }
            let all = ends.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            isRelease = ends.map { GroupClaims.isRelease($0, of: all) }
            (visits, asked) = (GroupedVisits(rows), values)
        }

        /// The question with the visits of some groups set aside.
        func without(_ left: [Int]) -> Question {
            var question = self
            question.visits = GroupedVisits(visits.rows.filter { !left.contains($0.group) })
            question.asked.removeAll(where: left.contains)
            question.qValues = []
            return question
        }

        mutating func difference(_ group: Int) -> AdjustedDifference? { visits.difference(of: group, holdsUsers: isRelease[group]) }

        private static func pValue(_ difference: AdjustedDifference) -> Double? {
            difference.refused(expecting: Claim.leastExpected) == nil ? difference.estimate.pValue : nil
        }

        /// Whether a group differs from all others here, with the sign that its claim has.
        mutating func shows(_ group: Int, like claim: Claim?) -> Bool {
            guard let own = difference(group), let p = Self.pValue(own), own.estimate.value * (claim?.difference ?? 0) > 0
            else { return false }
            let most = FunnelResult.significance
            // A q-value lies between the p-value and the p-value times the number of groups: mostly the other groups need no look.
            if p > most || p * Double(asked.count) <= most { return p <= most }
            if qValues.isEmpty {
                qValues = FalseDiscovery.qValues(asked.map { difference($0).flatMap(Self.pValue) })
            }
            return zip(asked, qValues).contains { $0 == group && ($1 ?? 1) <= most }
        }
    }

    /// For each result a claim for each group. `nil` for the groups of no value and of all other values, and for a group that is alone.
    ///
    /// Over all groups of all results at most one in twenty claims is false on average.
    ///
    /// - Complexity: O(groups · visits), and as much again for each finding where claims hold only just.
    static func claims(of results: [FunnelResult]) -> [[Claim?]] {
        var claims = results.map { [Claim?](repeating: nil, count: $0.groups.count) }
        var questions: [(result: Int, question: Question)] = []
        var measured: [(result: Int, group: Int, difference: AdjustedDifference, isAsked: Bool)] = []
        for (index, result) in results.enumerated() where result.groups.count(where: { $0.value != FunnelBreakdown.none }) > 1 {
            var question = Question(result)
            let (refusal, differences) = (result.refusesGroups, question.values.map { question.difference($0) })
            // Of only two groups, one has the other's difference with the opposite sign. The claim is about the one that converts less.
            if differences.count == 2, Set(question.visits.rows.lazy.map(\.group)).count == 2, let first = differences[0]?.estimate.value {
                question.asked = [question.values[first <= 0 ? 0 : 1]]
            }
            for (group, difference) in zip(question.values, differences) {
                guard let difference else {
                    let own = question.visits.rows.count { $0.group == group }
                    let lack: Claim.Refusal = own == 0 || own == question.visits.rows.count ? .fewVisits : .noOverlap
                    claims[index][group] = Claim(refused: refusal ?? lack, countsVisits: result.definition.counting == .visits)
                    continue
                }
                let claim = Claim(
                    difference.estimate, adjustedFor: question.isRelease[group] ? [.user, .day] : [.day],
                    visits: difference.marked.visits, refused: refusal ?? difference.refused(expecting: Claim.leastExpected))
                claims[index][group] = claim
                let isAsked = claim.refused == nil && question.asked.contains(group)
                if claim.interval != nil { measured.append((index, group, difference, isAsked)) }
            }
            questions.append((index, question))
        }
        let asked = measured.filter(\.isAsked)
        for one in measured { claims[one.result][one.group]?.detectable = one.difference.estimate.detectable(looks: asked.count) }
        let qValues = FalseDiscovery.qValues(asked.map { claims[$0.result][$0.group]?.pValue })
        for (one, q) in zip(asked, qValues) {
            claims[one.result][one.group]?.qValue = q
            claims[one.result][one.group]?.conclude(q, crude: one.difference.crude)
        }
        for (index, question) in questions {
            // Two groups share one difference: what refuses one refuses the other, and one is as sure as the other.
            for mirror in question.values where !question.asked.contains(mirror) {
                let twin = claims[index][question.asked[0]]
                claims[index][mirror]?.refused = twin?.refused
                claims[index][mirror]?.qValue = twin?.qValue
                if twin?.difference == nil { claims[index][mirror]?.forgetError() }
            }
            keepFindings(&claims[index], question)
        }
        return claims
    }

    /// Lets a claim stand if it holds without the visits of surer groups, too: one bad group must not make healthy ones look remarkable.
    /// At most the ``mostFindings`` surest are claimed; of the others, however sure, nothing is concluded beside these.
    private static func keepFindings(_ claims: inout [Claim?], _ question: Question) {
        let ranked = FunnelResult.ranked(claims)
        var (found, others) = ([Int](), question)
        for group in ranked where found.isEmpty || found.count < mostFindings && others.shows(group, like: claims[group]) {
            found.append(group)
            others = question.without(found)
        }
        // The surer one may be the healthy one: each must hold without all others that were found.
        for group in found where found.count > 1 {
            others = question.without(found.filter { $0 != group })
            if !others.shows(group, like: claims[group]) { found.removeAll { $0 == group } }
        }
        for group in ranked where !found.contains(group) { claims[group]?.kind = .none }
    }
}

extension FunnelResult {
    fileprivate var matureVisits: [VisitTable.Cell] { visits?.cells.filter { $0.group != VisitTable.openGroup } ?? [] }

    /// Why groups allow no conclusion; `nil` if they may.
    fileprivate var refusesGroups: Claim.Refusal? {
        guard definition.breakdown?.attribution == .first, visits != nil else { return .unit }
        let (known, all) = matureVisits.reduce((0, 0)) { ($0.0 + $1.knownAtStart, $0.1 + $1.visits) }
        // 19 of 20 visits must have their value when they begin: a value that comes with a later step depends on the outcome.
        return known * 20 >= all * 19 ? nil : .unit
    }

    /// The indices of the claims that hold, the surest first.
    static func ranked(_ claims: [Claim?]) -> [Int] {
        func key(_ index: Int) -> (Double, Double, Double) {
            let claim = claims[index]
            return (claim?.qValue ?? 1, claim?.pValue ?? 1, -(claim?.weight ?? 0))
        }
        return claims.indices.filter { claims[$0]?.holds == true }.sorted { key($0) < key($1) }
    }
}

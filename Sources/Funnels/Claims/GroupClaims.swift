import EventFiles

/// What can be said of the groups of breakdowns, each against all other visits with a value.
struct GroupClaims {
    /// At least this many of 20 visits must have their value when they begin: a value that comes with a later step depends on the outcome.
    fileprivate static let knownOf20 = 19.0
    /// A group whose share of visits changes this much from the first third of days to the last is a release: users are held equal, too.
    private static let releaseChange = 0.1

    /// - Parameters: how many visits of a group, and of all, are in the first and in the last third of days.
    static func isRelease(_ own: (first: Int, last: Int), of all: (first: Int, last: Int)) -> Bool {
        guard all.first > 0, all.last > 0 else { return false }
        return (Double(own.last) / Double(all.last) - Double(own.first) / Double(all.first)).magnitude >= releaseChange - 1e-12
    }

    private struct Question {
        let values: [Int]
        /// The visits with a value; strata are days.
        var rows: [AdjustedDifference.Row] = []
        /// For each group, whether it is a release by ``GroupClaims/isRelease(_:of:)``.
        let isRelease: [Bool]
        /// Groups that are asked about.
        var asked: [Int]

        init(_ result: FunnelResult) {
            let cells = result.visits?.cells ?? []
            values = result.groups.indices.filter { result.groups[$0].isValue }
            let none = result.groups.firstIndex { $0.value == FunnelBreakdown.none }
            let days = Set(cells.lazy.map(\.day)).sorted()
            var (user, last) = (-1, Fingerprint.none)
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
            asked = values
        }

        /// The difference of each of some groups from all other visits, those of groups in `left` set aside.
        func differences(_ groups: [Int], without left: Set<Int> = []) -> [AdjustedDifference?] {
            let isLeft = isRelease.indices.map(left.contains)
            return AdjustedDifference.differences(
                of: groups.map { ($0, isRelease[$0]) }, left.isEmpty ? rows : rows.filter { !isLeft[$0.group] })
        }
    }

    /// For each result a claim for each group. `nil` for the groups of no value and of all other values, and for a group that is alone.
    ///
    /// Over all groups of all results at most one in twenty claims is false on average.
    ///
    /// - Complexity: O(groups · visits), and O(groups² · visits) where the claims of many groups hold only just.
    static func claims(of results: [FunnelResult]) -> [[Claim?]] {
        var claims = results.map { [Claim?](repeating: nil, count: $0.groups.count) }
        var questions: [(result: Int, question: Question)] = []
        var measured: [(result: Int, group: Int, estimate: Estimate)] = []
        var asked: [(result: Int, group: Int, crude: Double)] = []
        for (index, result) in results.enumerated()
        where result.groups.count(where: { $0.value != FunnelBreakdown.none }) > 1 {
            var question = Question(result)
            let (refusal, differences) = (result.refusesGroups, question.differences(question.values))
            // Of only two groups, one has the other's difference with the opposite sign. The claim is about the one that converts less.
            if differences.count == 2, Set(question.rows.lazy.map(\.group)).count == 2, let first = differences[0]?.estimate.value {
                question.asked = [question.values[first <= 0 ? 0 : 1]]
            }
            for (group, difference) in zip(question.values, differences) {
                guard let difference else {
                    claims[index][group] = Claim(refused: refusal ?? .noOverlap, countsVisits: result.definition.counting == .visits)
                    continue
                }
                let claim = Claim(
                    difference.estimate, adjustedFor: question.isRelease[group] ? [.user, .day] : [.day],
                    visits: difference.marked.visits, refused: refusal ?? difference.refused)
                claims[index][group] = claim
                if claim.interval != nil { measured.append((index, group, difference.estimate)) }
                if claim.refused == nil && question.asked.contains(group) { asked.append((index, group, difference.crude)) }
            }
            questions.append((index, question))
        }
        for one in measured { claims[one.result][one.group]?.detectable = one.estimate.detectable(looks: asked.count) }
        let qValues = FalseDiscovery.qValues(asked.map { claims[$0.result][$0.group]?.pValue })
        for (one, q) in zip(asked, qValues) {
            claims[one.result][one.group]?.qValue = q
            claims[one.result][one.group]?.conclude(q, crude: one.crude)
        }
        for (index, question) in questions {
            // Two groups share one difference: what refuses one refuses the other, and one is as sure as the other.
            for mirror in question.values where !question.asked.contains(mirror) {
                let twin = claims[index][question.asked[0]]
                claims[index][mirror]?.refused = twin?.refused
                claims[index][mirror]?.qValue = twin?.qValue
            }
            keepFindings(&claims[index], question)
        }
        return claims
    }

    /// Lets a claim stand if it holds without the visits of surer groups, too: one bad group must not make healthy ones look remarkable.
    private static func keepFindings(_ claims: inout [Claim?], _ question: Question) {
        let ranked = FunnelResult.ranked(claims)
        var found: Set<Int> = []
        for group in ranked {
            if found.isEmpty || isFound(group, like: claims[group]?.difference ?? 0, question, without: found) {
                found.insert(group)
            } else {
                claims[group]?.kind = .none
            }
        }
    }

    /// Whether a group differs from all others except those in `found`, in the same direction as from all others (`whole`).
    private static func isFound(_ group: Int, like whole: Double, _ question: Question, without found: Set<Int>) -> Bool {
        let left = question.asked.filter { !found.contains($0) }
        func differences(_ groups: [Int]) -> [AdjustedDifference?] { question.differences(groups, without: found) }
        guard let own = differences([group])[0], own.refused == nil, own.estimate.value * whole > 0 else { return false }
        // A q-value lies between the p-value and the p-value times the number of groups: mostly the other groups need no look.
        if own.estimate.pValue > FunnelResult.significance { return false }
        if own.estimate.pValue * Double(left.count) <= FunnelResult.significance { return true }
        let qValues = FalseDiscovery.qValues(differences(left).map { $0?.refused == nil ? $0?.estimate.pValue : nil })
        return zip(left, qValues).contains { $0 == group && ($1 ?? 1) <= FunnelResult.significance }
    }
}

extension FunnelResult {
    /// Why groups allow no conclusion; `nil` if they may.
    fileprivate var refusesGroups: Claim.Refusal? {
        guard definition.breakdown?.attribution == .first, let visits else { return .unit }
        let all = visits.cells.reduce(0) { $0 + $1.visits }
        let known = visits.cells.reduce(0) { $0 + $1.knownAtStart }
        return Double(known) * 20 >= Double(all) * GroupClaims.knownOf20 ? nil : .unit
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

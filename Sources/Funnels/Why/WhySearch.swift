/// Finds things and pairs of values that make a difference at the forks of a ``WhyDefinition``, each with earlier findings held equal.
struct WhySearch {
    /// One thing, or two values of different properties that a fork has both of.
    struct Candidate {
        var items: [Int]
        var forks: [UInt32]
        /// Whether its property's values come and go with time, as those of a release do.
        var isChanging = false
        /// Whether users are held equal and too few have forks with it and without it.
        var isFewOfBoth = false
    }

    struct Finding {
        var candidate: Candidate
        var same: [Int]
        var claim: Claim
    }

    private static let mostFindings = 5
    private static let mostSliced = 200
    /// Two candidates count as one if they share this part of the larger one's forks.
    private static let sameShare = 0.95
    /// A thing that changes with time may stand for anything else on its days, so its p-value is multiplied by this at least.
    private static let leastLooks = 60

    private var table: WhyTable
    private let minCount: Int
    private(set) var candidates: [Candidate] = []
    /// For an item that is no candidate by itself, the item that stands for it.
    private var nameOf: [Int: Int] = [:]
    private var same: [Int: [Int]] = [:]

    /// - Parameter items: what enough forks have and lack.
    init(_ table: WhyTable, _ definition: WhyDefinition, items: [Int], isSession: (Int) -> Bool) {
        self.table = table
        self.table.numberDays(definition.calendar.day)
        minCount = max(definition.minCount, Claim.leastVisits)
        let changing = changingPaths
        merge(items.filter(isSession) + items.filter { !isSession($0) })
        let better = betterSides
        for item in items where nameOf[item] == nil {
            let path = table.paths[item]
            var candidate = Candidate(items: [item], forks: table.forksOf[item], isChanging: path.map(changing.contains) ?? false)
            let sides = sides(of: candidate.forks)
            candidate.isFewOfBoth = candidate.isChanging && definition.countsVisits && sides.isFewOfBoth
            if better[item] == nil && sides.areLarge { candidates.append(candidate) }
        }
        let sliced = items.filter { item in nameOf[item] == nil && table.paths[item].map { !changing.contains($0) } ?? false }
        nameOf.merge(better) { $1 }
        if definition.depth > 1 {
            let frequent = sliced.sorted { (table.forksOf[$1].count, $0) < (table.forksOf[$0].count, $1) }.prefix(Self.mostSliced)
            slice(frequent.sorted())
        }
    }

    /// Whether both sides have enough forks and users, and whether too few users have forks on both.
    private func sides(of forks: [UInt32]) -> (areLarge: Bool, isFewOfBoth: Bool) {
        guard forks.count >= minCount, table.forks.count - forks.count >= minCount else { return (false, true) }
        var (own, whole, index) = (0, 0, 0)
        while index < forks.count {
            let user = table.users[Int(forks[index])]
            let start = index
            while index < forks.count, table.users[Int(forks[index])] == user { index += 1 }
            own += 1
            if index - start == table.ofUsers[user].converted + table.ofUsers[user].dropped { whole += 1 }
        }
        return (min(own, table.ofUsers.count - whole) >= Claim.leastUsers, own - whole < Claim.leastUsers)
    }

    /// Properties with a value whose share differs between the first and the last third of days as much as that of a release.
    private var changingPaths: Set<Int> {
        let third = max(table.dayCount / 3, 1)
        func sides(_ forks: some Sequence<Int>) -> (first: Int, last: Int) {
            forks.reduce(into: (0, 0)) { sides, fork in
                if table.days[fork] < third { sides.0 += 1 }
                if table.days[fork] >= table.dayCount - third { sides.1 += 1 }
            }
        }
        let all = sides(table.forks.indices)
        let moved = table.paths.indices.filter { GroupClaims.isRelease(sides(table.forksOf[$0].lazy.map { Int($0) }), of: all) }
        return Set(moved.compactMap { table.paths[$0] })
    }

    /// Merges items that nearly the same forks have: the first of them stands for all.
    private mutating func merge(_ items: [Int]) {
        var named: [Int] = []
        var shared = Array(repeating: 0, count: table.paths.count)
        for item in items {
            let own = table.forksOf[item]
            func isShare(_ part: Int, of other: Int) -> Bool {
                Double(part) >= Self.sameShare * Double(max(own.count, table.forksOf[other].count))
            }
            let near = named.filter { isShare(min(own.count, table.forksOf[$0].count), of: $0) }
            let forks = near.isEmpty ? [] : own
            for fork in forks { for had in table.forks[Int(fork)].had { shared[Int(had.item)] += 1 } }
            if let twin = near.first(where: { isShare(shared[$0], of: $0) }) {
                nameOf[item] = twin
                same[twin, default: []].append(item)
            } else {
                named.append(item)
            }
            for fork in forks { for had in table.forks[Int(fork)].had { shared[Int(had.item)] = 0 } }
        }
    }

    /// For each property with two values, of which nearly all forks have one: the value that converts more, with the other.
    private var betterSides: [Int: Int] {
        var values: [Int: [Int]] = [:]
        for (item, path) in table.paths.enumerated() where !table.forksOf[item].isEmpty {
            if let path { values[path, default: []].append(item) }
        }
        var better: [Int: Int] = [:]
        for pair in values.values where pair.count == 2 {
            let sizes = pair.map { Double(table.forksOf[$0].count) }
            guard sizes[0] + sizes[1] >= Self.sameShare * Double(table.forks.count) else { continue }
            let shares = zip(pair, sizes).map { Double(table.convertedOf(table.forksOf[$0])) / $1 }
            let more = shares[0] > shares[1] ? 0 : 1
            better[pair[more]] = pair[1 - more]
        }
        return better
    }

    private mutating func slice(_ items: [Int]) {
        var isThere = Array(repeating: false, count: table.forks.count)
        for (index, one) in items.enumerated() {
            for fork in table.forksOf[one] { isThere[Int(fork)] = true }
            for other in items[(index + 1)...] where table.paths[one] != table.paths[other] {
                let forks = table.forksOf[other].filter { isThere[Int($0)] }
                // If nearly all forks with one of the values have the pair, the pair says no more than that value.
                let smaller = min(table.forksOf[one].count, table.forksOf[other].count)
                if Double(forks.count) < Self.sameShare * Double(smaller), sides(of: forks).areLarge {
                    candidates.append(Candidate(items: [one, other], forks: forks))
                }
            }
            for fork in table.forksOf[one] { isThere[Int(fork)] = false }
        }
    }

    /// A model that holds equal what was found, and membership in each set of `forks`.
    ///
    /// - Parameter left: an event that the number of events before does not count.
    private func model(
        _ found: [Candidate], beside forks: [[UInt32]] = [], isChanging: Bool = false, without left: Candidate? = nil
    ) -> WhyModel {
        let indicators = (found.map(\.forks) + forks).map { forks in
            var indicator = Array(repeating: 0, count: table.forks.count)
            for fork in forks { indicator[Int(fork)] = 1 }
            return indicator
        }
        let events = (found + [left].compactMap(\.self)).filter(isEvent).map { UInt32($0.items[0]) }
        let strata = isChanging ? [table.users, table.days] : table.strata(withoutEvents: Set(events))
        return WhyModel(table.forks.map(\.isConverted), users: table.users, strata: strata + indicators)
    }

    private func isEvent(_ candidate: Candidate) -> Bool { candidate.items.count == 1 && table.paths[candidate.items[0]] == nil }

    /// The difference of an event where the number of events before does not count it. Of one or two kinds of events, that number tells
    /// which of them a fork had: the only one would have no difference, and the second the first one's with the other sign.
    private func ownDifference(_ candidate: Candidate, _ found: [Candidate] = []) -> Estimate? {
        isEvent(candidate) ? model(found, without: candidate).difference(candidate.forks) : nil
    }

    /// What the candidates show, with earlier findings held equal.
    private struct Round {
        var steady: WhyModel
        var changing: WhyModel?
        var differences: [Estimate?] = []
        var qValues: [Double?] = []

        func q(_ index: Int) -> Double { qValues[index] ?? 1 }
        func z(_ index: Int) -> Double { differences[index]?.z ?? 0 }
        func model(of candidate: Candidate) -> WhyModel { candidate.isChanging ? changing ?? steady : steady }
    }

    private func round(_ found: [Candidate]) -> Round {
        var round = Round(steady: model(found), changing: candidates.contains(where: \.isChanging) ? model(found, isChanging: true) : nil)
        round.differences = candidates.map { round.model(of: $0).difference($0.forks, screen: 2) ?? ownDifference($0, found) }
        let pValues = zip(candidates, round.differences).map { candidate, difference in difference.map { pValue($0, of: candidate) } }
        round.qValues = FalseDiscovery.qValues(pValues)
        return round
    }

    /// By how much the p-value of a candidate is multiplied.
    private func looks(_ candidate: Candidate) -> Int { candidate.isChanging ? max(Self.leastLooks, candidates.count) : 1 }

    private func pValue(_ difference: Estimate, of one: Candidate) -> Double { min(1, difference.pValue * Double(looks(one))) }

    private func detectable(_ difference: Estimate, of candidate: Candidate) -> Double? {
        difference.detectable(looks: looks(candidate) * candidates.count)
    }

    /// The findings; where there are none, how large a difference would have been found.
    func findings() -> (found: [Finding], silence: Claim) {
        guard !candidates.isEmpty else { return ([], Claim(refused: .fewVisits)) }
        let first = round([])
        var (found, settled, now): ([Finding], Set<Int>, Round) = ([], [], first)
        while found.count < Self.mostFindings {
            let holding = candidates.indices.filter { now.q($0) <= FunnelResult.significance && !settled.contains($0) }
            guard let best = holding.max(by: { now.z($0).magnitude < now.z($1).magnitude }) else { break }
            let chosen = preferred(best, holding, now, found.map(\.candidate))
            // Both are settled, whether they become findings or not.
            settled.formUnion([best, chosen ?? best])
            guard let chosen, let claim = claim(chosen, now, first) else { continue }
            let candidate = candidates[chosen]
            found.append(Finding(candidate: candidate, same: candidate.items.flatMap { same[$0] ?? [] }, claim: claim))
            now = round(found.map(\.candidate))
        }
        var silence = Claim()
        let single = zip(candidates, first.differences).filter { $0.0.items.count == 1 }
        let sizes = single.compactMap { one, difference in difference.flatMap { detectable($0, of: one) } }.sorted()
        // What would be seen of half of the candidates: the rarest one would need far more.
        silence.detectable = sizes.isEmpty ? nil : sizes[sizes.count / 2]
        silence.conclude(nil, crude: nil)
        return (found, silence)
    }

    /// What to claim for `best`: of a pair, itself or the surer part; of one thing, itself or a pair that explains its whole difference.
    private func preferred(_ best: Int, _ holding: [Int], _ now: Round, _ found: [Candidate]) -> Int? {
        let candidate = candidates[best]
        func pairs(of items: [Int]) -> [Int] {
            candidates.indices.filter { candidates[$0].items.count == 2 && candidates[$0].items.contains(where: items.contains) }
        }
        func pValue(of forks: [UInt32], beside others: [[UInt32]]) -> Double { model(found, beside: others).difference(forks)?.pValue ?? 1 }
        func interaction(of pair: Candidate) -> Double { pValue(of: pair.forks, beside: pair.items.map { table.forksOf[$0] }) }
        if candidate.items.count == 2 {
            if interaction(of: candidate) <= FunnelResult.significance / Double(pairs(of: candidate.items).count).squareRoot() {
                return best
            }
            let parts = holding.filter { one in
                candidates[one].items.count == 1 && candidate.items.contains { candidates[one].items[0] == nameOf[$0] ?? $0 }
            }
            return parts.max { now.z($0).magnitude < now.z($1).magnitude }
        }
        let own = pairs(of: candidate.items).filter { holding.contains($0) && now.z($0) * now.z(best) > 0 }
        let sharper = own.sorted { now.z($0).magnitude > now.z($1).magnitude }.first { pair in
            interaction(of: candidates[pair]) <= FunnelResult.significance / Double(own.count)
                && pValue(of: candidate.forks, beside: [candidates[pair].forks]) > FunnelResult.significance
        }
        return sharper ?? best
    }

    /// The claim about a candidate; `nil` if it does not hold, or too few users have both. Only its q-value holds earlier findings equal.
    private func claim(_ index: Int, _ now: Round, _ first: Round) -> Claim? {
        let candidate = candidates[index]
        if candidate.isFewOfBoth { return nil }
        let counted = first.model(of: candidate).difference(candidate.forks)
        guard let difference = counted ?? ownDifference(candidate), difference.value * now.z(index) > 0 else { return nil }
        let with = Share(table.convertedOf(candidate.forks), of: candidate.forks.count)
        let all = Share(table.converted, of: table.forks.count)
        let rest = Share(all.count - with.count, of: all.total - with.total)
        let adjusted: [Claim.Adjustment] = candidate.isChanging ? [.user, .day] : counted == nil ? [.day] : [.day, .eventsBefore]
        var claim = Claim(difference, adjustedFor: adjusted, visits: with.total)
        (claim.pValue, claim.qValue) = (pValue(difference, of: candidate), now.qValues[index])
        claim.detectable = detectable(difference, of: candidate)
        claim.conclude(max(claim.pValue ?? 1, now.q(index)), crude: (with.value ?? 0) - (rest.value ?? 0))
        guard claim.holds else { return nil }
        let own = ownDifference(candidate)?.value ?? difference.value
        return own * difference.value > 0 && own.magnitude >= difference.value.magnitude / 3 ? claim : nil
    }
}

/// The difference between the conversion rates of some visits and all others, adjusted for strata. Each claim about visits rests on one.
///
/// For visits with an indicator x, an outcome y and a stratum s: x̃ = x − mean(x in s), ỹ likewise, d = Σx̃ỹ / Σx̃².
struct AdjustedDifference: Sendable, Hashable {
    /// Visits of one user that are in the same stratum and group.
    struct Row: Sendable {
        /// The numbers of the user and of the stratum, from 0.
        var user: Int
        var stratum: Int
        /// The group of the visits. Where there are only two sides, 1 is the marked one, which is compared with the others.
        var group: Int
        var visits: Int
        var converted: Int
    }

    struct Side: Sendable, Hashable {
        var visits = 0
        var users = 0
        var converted = 0

        var share: Double { Double(converted) / Double(visits) }
    }

    /// The conversion rate of the marked visits less that of the others, −1…1, within strata.
    let estimate: Estimate
    /// The difference of the two rates over all strata together.
    let crude: Double
    let marked: Side
    let others: Side
    /// Why nothing is concluded where users are too few for it.
    let lack: Claim.Refusal
}

extension AdjustedDifference {
    /// - Parameters:
    ///   - rows: in any order, but the same in each run: floating-point sums depend on the order in their last digits.
    ///   - holdsUsers: whether users are strata, too. Values are then centred by user and by stratum in turn.
    /// - Returns: `nil` where a side is empty, or no stratum has both sides, or, if users are strata, too, no user has.
    /// - Complexity: O(rows), times the rounds of centring.
    init?(_ rows: [Row], holdsUsers: Bool = false) {
        var visits = GroupedVisits(rows)
        guard let difference = visits.difference(of: 1, holdsUsers: holdsUsers) else { return nil }
        self = difference
    }
}

/// Visits of groups, each of which is compared with all others. What does not depend on the group is computed once.
struct GroupedVisits {
    let rows: [AdjustedDifference.Row]
    /// For each user the number of visits.
    private var visits: [Int]
    /// For users held equal or not: the strata, and what they leave of each row's share that converted.
    private var centred: [Bool: (strata: Strata, y: [Double])] = [:]

    init(_ rows: [AdjustedDifference.Row]) {
        self.rows = rows
        visits = Array(repeating: 0, count: (rows.lazy.map(\.user).max() ?? -1) + 1)
        for row in rows { visits[row.user] += row.visits }
    }

    /// The difference of a group from all other visits; as ``AdjustedDifference/init(_:holdsUsers:)``.
    mutating func difference(of group: Int, holdsUsers: Bool) -> AdjustedDifference? {
        if centred[holdsUsers] == nil {
            let strata = Strata([rows.map(\.stratum)] + (holdsUsers ? [rows.map(\.user)] : []), rows.map { Double($0.visits) })
            var y = rows.map { $0.visits == 0 ? 0 : Double($0.converted) / Double($0.visits) }
            strata.centre(&y)
            centred[holdsUsers] = (strata, y)
        }
        guard let (strata, y) = centred[holdsUsers] else { return nil }
        var x = rows.map { $0.group == group ? 1.0 : 0.0 }
        strata.centre(&x)
        var sides = [AdjustedDifference.Side(), AdjustedDifference.Side()]
        var (square, product, own) = (0.0, 0.0, visits.map { _ in 0 })
        for (index, row) in rows.enumerated() {
            square += Double(row.visits) * x[index] * x[index]
            product += Double(row.visits) * x[index] * y[index]
            let side = row.group == group ? 0 : 1
            sides[side].visits += row.visits
            sides[side].converted += row.converted
            if side == 0 { own[row.user] += row.visits }
        }
        sides[0].users = own.count { $0 > 0 }
        sides[1].users = zip(own, visits).count { $0 < $1 }
        let ofBoth = zip(own, visits).count { 0 < $0 && $0 < $1 }
        // Where the strata determine the indicator, only rounding errors are left of it, and of centring in turn what the rounds left.
        guard sides[0].visits > 0, sides[1].visits > 0, square > 1e-6, !holdsUsers || ofBoth > 0 else { return nil }
        let slope = product / square
        var sums = visits.map { _ in 0.0 }
        for (index, row) in rows.enumerated() { sums[row.user] += Double(row.visits) * x[index] * (y[index] - slope * x[index]) }
        let estimate = Estimate(slope, ofUsers: sums, square: square)
        return AdjustedDifference(
            estimate: estimate, crude: sides[0].share - sides[1].share, marked: sides[0], others: sides[1],
            lack: holdsUsers && ofBoth < Claim.leastUsers ? .fewOfBoth : .fewUsers)
    }
}

/// The strata that differences are adjusted for. For each kind of strata, each row has the number of its stratum, from 0.
struct Strata {
    private let kinds: [[Int]]
    private let weights: [Double]
    private let totals: [[Double]]

    init(_ kinds: [[Int]], _ weights: [Double]) {
        (self.kinds, self.weights) = (kinds, weights)
        totals = kinds.map { strata in
            var totals = Array(repeating: 0.0, count: (strata.max() ?? -1) + 1)
            for index in weights.indices { totals[strata[index]] += weights[index] }
            return totals
        }
    }

    /// Subtracts the weighted mean of each stratum; with several kinds of strata, in turn until nothing changes (200 rounds at most).
    func centre(_ values: inout [Double]) {
        for _ in 0..<200 {
            var change = 0.0
            for (strata, totals) in zip(kinds, totals) {
                var means = Array(repeating: 0.0, count: totals.count)
                for index in values.indices { means[strata[index]] += weights[index] * values[index] }
                for stratum in means.indices where totals[stratum] > 0 {
                    means[stratum] /= totals[stratum]
                    change = max(change, means[stratum].magnitude)
                }
                for index in values.indices { values[index] -= means[strata[index]] }
            }
            if kinds.count == 1 || change < 1e-9 { return }
        }
    }
}

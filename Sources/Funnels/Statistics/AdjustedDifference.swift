import Basics

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

    /// - Parameters:
    ///   - rows: in any order, but the same in each run: floating-point sums depend on the order in their last digits.
    ///   - holdsUsers: whether users are strata, too. Values are then centred by user and by stratum in turn.
    /// - Returns: `nil` where a side is empty, or no stratum has both sides.
    /// - Complexity: O(rows), times the rounds of centring.
    init?(_ rows: [Row], holdsUsers: Bool = false) {
        guard let difference = Self.differences(of: [(1, holdsUsers)], rows)[0] else { return nil }
        self = difference
    }

    /// The difference of each of some groups from all other visits. What does not depend on the group is computed once.
    static func differences(of groups: [(group: Int, holdsUsers: Bool)], _ rows: [Row]) -> [AdjustedDifference?] {
        let (weights, users) = (rows.map { Double($0.visits) }, (rows.lazy.map(\.user).max() ?? -1) + 1)
        var centred: [Bool: (strata: Strata, y: [Double])] = [:]
        return groups.map { group, holdsUsers in
            if centred[holdsUsers] == nil {
                let strata = Strata([rows.map(\.stratum)] + (holdsUsers ? [rows.map(\.user)] : []), weights)
                var y = rows.map { $0.visits == 0 ? 0 : Double($0.converted) / Double($0.visits) }
                strata.centre(&y)
                centred[holdsUsers] = (strata, y)
            }
            return centred[holdsUsers].flatMap { AdjustedDifference(group, rows, weights, users, $0.strata, $0.y) }
        }
    }

    private init?(_ group: Int, _ rows: [Row], _ weights: [Double], _ users: Int, _ strata: Strata, _ y: [Double]) {
        (marked, others) = Self.sides(group, rows, users)
        guard marked.visits > 0, others.visits > 0 else { return nil }
        var x = rows.map { $0.group == group ? 1.0 : 0.0 }
        strata.centre(&x)
        var (square, product) = (0.0, 0.0)
        for index in rows.indices {
            square += weights[index] * x[index] * x[index]
            product += weights[index] * x[index] * y[index]
        }
        // Where the strata determine the indicator, only rounding errors are left of it.
        guard square > 1e-6 else { return nil }
        let slope = product / square
        var sums = Array(repeating: 0.0, count: users)
        for index in rows.indices { sums[rows[index].user] += weights[index] * x[index] * (y[index] - slope * x[index]) }
        estimate = Estimate(slope, ofUsers: sums, square: square)
        crude = marked.share - others.share
    }

    /// The sums over the group's visits, and those over all others.
    private static func sides(_ group: Int, _ rows: [Row], _ users: Int) -> (Side, Side) {
        var sides = [Side(), Side()]
        var isSeen = Array(repeating: false, count: 2 * users)
        for row in rows where row.visits > 0 {
            let side = row.group == group ? 0 : 1
            sides[side].visits += row.visits
            sides[side].converted += row.converted
            if !isSeen[2 * row.user + side] { sides[side].users += 1 }
            isSeen[2 * row.user + side] = true
        }
        return (sides[0], sides[1])
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
        var rounds = 0
        while true {
            var change = 0.0
            for kind in kinds.indices {
                let (strata, totals) = (kinds[kind], totals[kind])
                var means = Array(repeating: 0.0, count: totals.count)
                for index in values.indices { means[strata[index]] += weights[index] * values[index] }
                for stratum in means.indices where totals[stratum] > 0 {
                    means[stratum] /= totals[stratum]
                    change = max(change, means[stratum].magnitude)
                }
                for index in values.indices { values[index] -= means[strata[index]] }
            }
            rounds += 1
            if kinds.count == 1 || change < 1e-9 || rounds == 200 { return }
        }
    }
}

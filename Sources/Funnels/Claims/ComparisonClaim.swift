import EventFiles

extension Claim {
    /// The fewest pairs of weekdays that show how days differ, and the fewest visits on either side of a pair.
    private static let leastPairs = 3
    private static let leastOfDay = 10

    /// Whether the visits of one range convert as those of another do, weekday by weekday, on the days that the data cover.
    ///
    /// Two estimates of the difference have different errors: visits show the error by chance, pairs of equal weekdays show how much days
    /// differ by themselves. The claim takes the less certain estimate, with its interval. Days in both ranges count only for `other`.
    static func comparing(_ own: FunnelResult, with other: FunnelResult) -> Claim {
        // Whoever enters a funnel of one step converts.
        if own.definition.lastRequiredStep == 0 { return Claim() }
        guard own.definition.counting == .visits else { return comparing(usersOf: own, other) }
        guard let visits = own.visits, let others = other.visits, let coverage = own.coverage, let otherCoverage = other.coverage else {
            return Claim(refused: .unit)
        }
        let (theirs, shared) = (otherCoverage.wholeDays, Set(otherCoverage.wholeDays))
        let days = coverage.wholeDays.filter { !shared.contains($0) }
        // Days of the same weekday begin whole weeks apart, give or take an hour where clocks change.
        let first = visits.cells.first?.day ?? 0
        var (users, user, last) = (FingerprintNumbers(expecting: visits.cells.count), 0, Fingerprint.none)
        var (rows, seen) = ([AdjustedDifference.Row](), Array(repeating: [false, false], count: 7))
        for (side, table, whole) in [(1, visits, days), (0, others, theirs)] {
            let weekdays = whole.map { (Int((Double($0 - first) / Double(DayCounts.length)).rounded()) % 7 + 7) % 7 }
            for cell in table.cells where cell.group != VisitTable.openGroup {
                let index = whole.partitionPoint { $0 >= cell.day }
                guard index < whole.count, whole[index] == cell.day else { continue }
                if cell.user != last || rows.isEmpty { (user, last) = (users.number(of: cell.user), cell.user) }
                let weekday = weekdays[index]
                seen[weekday][side] = true
                rows.append(.init(user: user, stratum: weekday, group: side, visits: cell.visits, converted: cell.converted))
            }
        }
        let compared = rows.filter { !seen[$0.stratum].contains(false) }
        if days.isEmpty || theirs.isEmpty { return Claim(refused: .coverage) }
        guard let difference = AdjustedDifference(compared) else {
            return Claim(refused: compared.isEmpty && !rows.isEmpty ? .fewDays : .fewVisits)
        }
        let ofDays = ofDays(compared, around: difference.estimate.value)
        let estimates = [difference.estimate, ofDays].compactMap(\.self)
        let least = estimates.max { $0.pValue < $1.pValue } ?? difference.estimate
        var claim = Claim(
            least, adjustedFor: [.weekday], visits: difference.marked.visits,
            refused: difference.refused(expecting: leastExpected) ?? (ofDays == nil ? .fewDays : nil))
        if claim.interval != nil { claim.detectable = estimates.compactMap { $0.detectable() }.max() }
        claim.conclude(claim.pValue, crude: difference.crude, less: .fell, more: .rose, lack: least == ofDays ? .fewDays : .fewUsers)
        return claim
    }

    /// The difference `mean`, with an error estimated from how far paired weekdays lie from it; `nil` for fewer than three pairs.
    private static func ofDays(_ rows: [AdjustedDifference.Row], around mean: Double) -> Estimate? {
        var sides = Array(repeating: [(visits: 0, converted: 0), (visits: 0, converted: 0)], count: 7)
        for row in rows {
            sides[row.stratum][row.group].visits += row.visits
            sides[row.stratum][row.group].converted += row.converted
        }
        let pairs = sides.filter { $0.allSatisfy { $0.visits >= leastOfDay } }.map { pair -> (weight: Double, difference: Double) in
            let (other, own) = (Double(pair[0].visits), Double(pair[1].visits))
            return (own * other / (own + other), Double(pair[1].converted) / own - Double(pair[0].converted) / other)
        }
        guard pairs.count >= leastPairs else { return nil }
        let (whole, count) = (pairs.reduce(0) { $0 + $1.weight }, Double(pairs.count))
        let parts = pairs.map { $0.weight / whole * ($0.difference - mean) }
        let error = (parts.reduce(0) { $0 + $1 * $1 } * count / (count - 1)).squareRoot()
        return Estimate(value: mean, error: error, degrees: count - 1)
    }

    /// Compares users only if both ranges have as many days of each weekday, none missing and none shared: nothing can hold these equal.
    private static func comparing(usersOf own: FunnelResult, _ other: FunnelResult) -> Claim {
        guard own.definition.counting == .users, let found = ShareDifference(own.share, other.share) else {
            return Claim(refused: own.definition.counting == .users ? .fewVisits : .unit, countsVisits: false)
        }
        var claim = Claim(countsVisits: false)
        (claim.difference, claim.interval, claim.pValue) = (found.value, found.interval, found.pValue)
        let error = (found.interval.upper - found.interval.lower) / (2 * ConfidenceInterval.z)
        claim.detectable = Estimate(value: found.value, error: error, degrees: .infinity).detectable()
        claim.visits = own.entered
        if own.coverage?.isAsLong(as: other.coverage) != true || own.coverage?.overlaps(other.coverage) == true {
            claim.refused = .coverage
        } else if own.coverage?.hasWeekdays(of: other.coverage) != true {
            claim.refused = .fewDays
        } else if min(own.entered, other.entered) < leastVisits {
            claim.refused = .fewVisits
        }
        claim.conclude(claim.pValue, crude: nil, less: .fell, more: .rose)
        return claim
    }
}

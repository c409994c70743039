/// What can be said of a trend: whether it fell or rose, from which day on, and by how much.
package struct TrendClaim: Sendable, Hashable {
    package var claim: Claim
    /// The first day after the change, in milliseconds since 1970 UTC.
    package var atMilliseconds: Int64?
    /// The difference as a fraction of the share that is expected without the change.
    package var relative: Double?

    /// The fewest days for a verdict: with fewer, some weekday has only one day.
    static let leastDays = 14
    /// How many days are looked at on each side of a mark.
    private static let markDays = 14

    /// The surest step of all days. Its p-value is corrected for how many days were looked at.
    static func verdict(of trend: FunnelTrend) -> TrendClaim {
        guard trend.definition.counting == .visits else { return unasked }
        let daily = DailyTrend(trend)
        guard daily.days.count >= leastDays else { return TrendClaim(claim: Claim(refused: .fewDays, .unsettled)) }
        let steps = (2..<daily.days.count - 1).compactMap(daily.step(at:))
        guard let best = steps.min(by: { $0.size.pValue < $1.size.pValue }) else { return TrendClaim(claim: Claim(refused: .fewDays)) }
        var verdict = TrendClaim(best, in: daily, of: trend, looks: daily.days.count - 3)
        if !verdict.claim.holds && verdict.claim.refused == nil { verdict.claim.kind = .steady }
        return verdict
    }

    /// For each mark, whether something changed on its day.
    ///
    /// - Parameter marks: times, in milliseconds since 1970 UTC.
    static func marks(_ marks: [Int64], in trend: FunnelTrend) -> [TrendClaim] {
        let all = DailyTrend(trend).days
        return marks.map { mark in
            guard trend.definition.counting == .visits else { return unasked }
            let split = all.firstIndex { $0.start >= mark } ?? all.count
            let (before, after) = (all[..<split].suffix(markDays), all[split...].prefix(markDays))
            let daily = DailyTrend(Array(before + after))
            guard before.count > 1, after.count > 1, let step = daily.step(at: before.count) else {
                return TrendClaim(claim: Claim(refused: .fewDays))
            }
            return TrendClaim(step, in: daily, of: trend, looks: marks.count)
        }
    }

    /// A trend of users, or of attempts, says nothing.
    private static var unasked: TrendClaim { TrendClaim(claim: Claim(refused: .unit, countsVisits: false)) }
}

extension TrendClaim {
    /// - Parameter looks: how many steps were looked at; the p-value is multiplied by it.
    private init(_ step: DailyTrend.Step, in daily: DailyTrend, of trend: FunnelTrend, looks: Int) {
        claim = Claim()
        let ofUsers = daily.difference(ofUsersAt: step.day, trend.whole.visits?.cells ?? [])
        // One error includes how days differ, the other how often one purchase converts several visits. The less certain estimate counts.
        let sizes = [step.size, ofUsers.map { daily.size(step.size.value, like: $0) }].compactMap(\.self)
        let size = sizes.max { $0.pValue < $1.pValue } ?? step.size
        let (none, interval) = (daily.share(with: 0, step), size.interval)
        func points(_ size: Double) -> Double { daily.share(with: size, step) - none }
        claim.difference = points(size.value)
        claim.interval = ConfidenceInterval(points(interval.lower), points(interval.upper))
        claim.pValue = min(1, Double(looks) * size.pValue)
        claim.adjustedFor = [.weekday]
        claim.detectable = points(Claim.seenEightInTen * (sizes.map(\.error).max() ?? 0))
        claim.visits = daily.days[step.day...].reduce(0) { $0 + $1.visits }
        claim.refused = ofUsers == nil ? .fewVisits : ofUsers?.refused
        claim.conclude(claim.pValue, crude: ofUsers?.crude, less: .fell, more: .rose)
        atMilliseconds = daily.days[step.day].start
        relative = (claim.difference ?? 0) / none
    }
}

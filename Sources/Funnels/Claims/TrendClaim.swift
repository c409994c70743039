/// What can be said of a trend: whether it fell or rose, from which day on, and by how much.
package struct TrendClaim: Sendable, Hashable {
    package var claim: Claim
    /// The first day after the change, in milliseconds since 1970 UTC.
    package var atMilliseconds: Int64?
    /// The difference as a part of what would have been.
    package var relative: Double?

    /// So many days a verdict needs: with fewer, every weekday is one day.
    static let leastDays = 14
    /// How many days a mark looks at on either side.
    private static let markDays = 14

    /// The surest step of all days.
    static func verdict(of trend: FunnelTrend) -> TrendClaim {
        guard trend.definition.counting == .visits else { return TrendClaim(claim: .unasked(trend)) }
        let daily = DailyTrend(trend)
        guard daily.days.count >= leastDays else {
            var claim = Claim(refused: .fewDays)
            claim.kind = .unsettled
            return TrendClaim(claim: claim)
        }
        let steps = (2..<daily.days.count - 1).compactMap(daily.step(at:))
        guard let best = steps.min(by: { $0.pValue < $1.pValue }) else { return TrendClaim(claim: Claim(refused: .fewDays)) }
        var verdict = TrendClaim(best, in: daily, of: trend, looks: daily.days.count - 3)
        if !verdict.claim.holds && verdict.claim.refused == nil { verdict.claim.kind = .steady }
        return verdict
    }

    /// Whether something changed on the day of each of some marks.
    ///
    /// - Parameter marks: times, in milliseconds since 1970 UTC.
    static func marks(_ marks: [Int64], in trend: FunnelTrend) -> [TrendClaim] {
        let all = DailyTrend(trend).days
        return marks.map { mark in
            guard trend.definition.counting == .visits else { return TrendClaim(claim: .unasked(trend)) }
            let split = all.firstIndex { $0.start >= mark } ?? all.count
            let (before, after) = (all[..<split].suffix(markDays), all[split...].prefix(markDays))
            let daily = DailyTrend(Array(before + after))
            guard before.count > 1, after.count > 1, let step = daily.step(at: before.count) else {
                return TrendClaim(claim: Claim(refused: .fewDays))
            }
            return TrendClaim(step, in: daily, of: trend, looks: marks.count)
        }
    }

    private init(claim: Claim) { self.claim = claim }

    /// - Parameter looks: how many steps were looked at.
    private init(_ step: DailyTrend.Step, in daily: DailyTrend, of trend: FunnelTrend, looks: Int) {
        claim = Claim()
        claim.difference = daily.points(of: step.size, step)
        let reach = StudentT.quantile(degrees: step.degrees) * step.error
        claim.interval = ConfidenceInterval(daily.points(of: step.size - reach, step), daily.points(of: step.size + reach, step))
        claim.pValue = min(1, Double(looks) * step.pValue)
        claim.adjustedFor = [.weekday]
        claim.detectable = daily.points(of: Claim.seenEightInTen * step.error, step)
        let (before, after) = (daily.days[..<step.day], daily.days[step.day...])
        let visits = [before, after].map { $0.reduce(0) { $0 + $1.visits } }
        let shares = zip([before, after], visits).map { days, visits in Double(days.reduce(0) { $0 + $1.converted }) / Double(visits) }
        claim.visits = visits[1]
        let users = [before, after].map { days in
            let starts = Set(days.map(\.start))
            return Set((trend.whole.visits?.cells ?? []).lazy.filter { starts.contains($0.day) }.map(\.user)).count
        }
        if visits.contains(where: { $0 < Claim.leastVisits }) || users.contains(where: { $0 < Claim.leastUsers }) {
            claim.refused = .fewVisits
        }
        claim.conclude(claim.pValue, crude: shares[1] - shares[0], less: .fell, more: .rose)
        atMilliseconds = daily.days[step.day].start
        relative = (claim.difference ?? 0) / daily.expected(step)
    }
}

extension Claim {
    /// Of users, or attempts, no trend says anything.
    fileprivate static func unasked(_ trend: FunnelTrend) -> Claim {
        var claim = Claim(refused: .unit)
        claim.countsVisits = false
        return claim
    }
}

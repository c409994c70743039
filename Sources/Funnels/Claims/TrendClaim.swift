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
        let steps = (2..<daily.days.count - 1).filter(daily.hasVisits(aroundDay:)).compactMap(daily.step(at:))
        guard let best = steps.min(by: { $0.size.pValue < $1.size.pValue }),
            var verdict = TrendClaim(best, in: daily, of: trend, looks: steps.count)
        else { return TrendClaim(claim: Claim(refused: .fewVisits)) }
        if !verdict.claim.holds && verdict.claim.refused == nil { verdict.claim.kind = .steady }
        if verdict.claim.refused == .fewDays { verdict.claim.kind = .unsettled }
        return verdict
    }

    /// For each mark, whether something changed on its day. A mark whose day the data do not cover wholly has no claim. It does not take
    /// the next day's, which may be another mark's. The p-values are corrected for how many days were looked at.
    ///
    /// - Parameter marks: when days begin, in milliseconds since 1970 UTC.
    static func marks(_ marks: [Int64], in trend: FunnelTrend) -> [TrendClaim] {
        guard trend.definition.counting == .visits else { return marks.map { _ in unasked } }
        let all = DailyTrend(trend).days
        var steps: [Int64: (step: DailyTrend.Step, daily: DailyTrend)] = [:]
        for split in all.indices where marks.contains(all[split].start) {
            let (before, after) = (all[..<split].suffix(markDays), all[split...].prefix(markDays))
            let daily = DailyTrend(Array(before + after))
            if before.count > 1, after.count > 1, let step = daily.step(at: before.count) { steps[all[split].start] = (step, daily) }
        }
        let looks = steps.values.count { $0.daily.hasVisits(aroundDay: $0.step.day) }
        return marks.map { mark in
            let change = steps[mark].flatMap { TrendClaim($0.step, in: $0.daily, of: trend, looks: max(looks, 1)) }
            return change ?? TrendClaim(claim: Claim(refused: all.contains { $0.start == mark } ? .fewDays : .coverage))
        }
    }

    /// A trend of users, or of attempts, says nothing.
    private static var unasked: TrendClaim { TrendClaim(claim: Claim(refused: .unit, countsVisits: false)) }
}

extension TrendClaim {
    /// - Parameter looks: how many steps were looked at; the p-value is multiplied by it.
    private init?(_ step: DailyTrend.Step, in daily: DailyTrend, of trend: FunnelTrend, looks: Int) {
        guard let found = daily.difference(ofUsersAt: step.day, trend.whole.visits?.cells ?? []) else { return nil }
        atMilliseconds = daily.days[step.day].start
        let (ofUsers, before) = (found.estimate, found.marked.share - found.estimate.value)
        claim = Claim(ofUsers, adjustedFor: [.weekday], visits: found.marked.visits, refused: found.refused())
        relative = claim.difference != nil && before > 1e-9 ? ofUsers.value / before : nil
        if claim.interval == nil { return }
        // One error includes how days differ, the other how often one purchase converts several visits. The less certain estimate counts.
        let ofDays = daily.difference(ofUsers.value, at: step)
        func isOfDays(_ looks: Int) -> Bool { ofDays.reach(looks: looks) > ofUsers.reach(looks: looks) }
        claim.interval = (isOfDays(looks) ? ofDays : ofUsers).interval(looks: looks)
        claim.pValue = min(1, Double(looks) * max(ofDays.pValue, ofUsers.pValue))
        // Near 0 and 1 the error of these visits is not that of a changed share.
        let (visits, converted) = daily.days.reduce((0, 0)) { ($0.0 + $1.visits, $0.1 + $1.converted) }
        let isRare = 20 * min(converted, visits - converted) < visits
        claim.detectable = isRare ? nil : [ofDays, ofUsers].compactMap { $0.detectable(looks: looks) }.max()
        claim.conclude(claim.pValue, crude: found.crude, less: .fell, more: .rose, lack: isOfDays(looks) ? .fewDays : .fewUsers)
        if claim.difference == nil { relative = nil }
        // A change that holds has the interval of its own day. Otherwise the interval allows for all days that were looked at.
        if claim.holds { claim.interval = (isOfDays(1) ? ofDays : ofUsers).interval() }
    }
}

import Basics
import Funnels

/// What can be said of a trend, and its numbers for a dashboard.
extension FunnelTrendResult {
    /// The verdict, then each mark, then the alert.
    var findings: [ReportFinding] {
        guard trend.definition.counting == .visits else { return [] }
        var findings: [ReportFinding] = []
        if let verdict {
            var words = words(of: verdict)
            // The verdict names a mark within a day of it.
            if verdict.claim.holds, let near = marks.first(where: { isNear($0.mark, verdict) }) {
                words = "\(words.dropLast()), at the mark \(near.mark.label)."
            }
            findings.append(ReportFinding(words, verdict.claim, from: .trend))
        }
        findings += marks.map { ReportFinding("\($0.label): \(words(of: $1))", $1.claim, from: .trend) }
        if let alert { findings.append(finding(of: alert)) }
        return findings
    }

    private func words(of change: TrendClaim) -> String { change.claim.words(.trend(at: label(of: change), relative: change.relative)) }

    /// What the alert says if it holds; `nil` if it does not.
    package var alarm: String? { alert.flatMap { $0.holds ? finding(of: $0).words : nil } }

    func label(of change: TrendClaim) -> String { change.atMilliseconds.map { unit.label(of: $0, in: zone) } ?? "" }

    private func isNear(_ mark: Mark, _ change: TrendClaim) -> Bool {
        // A day is an hour longer where clocks change.
        change.atMilliseconds.map { abs($0 - mark.milliseconds) <= 90_000_000 } ?? false
    }

    private func finding(of alert: TrendAlert) -> ReportFinding {
        let drop = NumberFormat.percent(alert.drop)
        guard let last = alert.days.last else {
            return ReportFinding("Alert: nothing can be expected, as fewer than 14 whole days end a week before.", isDifference: false)
        }
        let day = unit.label(of: last.startMilliseconds, in: zone)
        guard alert.holds, let since = alert.sinceMilliseconds,
            let point = trend.points.first(where: { $0.startMilliseconds == last.startMilliseconds })
        else {
            let seen = alert.shownInTwoDays ?? 0
            let least = seen > 1 ? "none of any size" : "one of \(NumberFormat.percent(seen))"
            let shown = seen > alert.drop ? "; two days of as many visits can show \(least)" : ""
            return ReportFinding("Alert: no fall of \(drop) holds on \(day)\(shown).", isDifference: false)
        }
        var claim = Claim()
        claim.kind = .fell
        (claim.difference, claim.visits) = (min(0, (point.rate ?? 0) - last.expected), point.entered)
        claim.adjustedFor = [.weekday]
        return ReportFinding(
            "Alert: a fall of \(drop) holds on \(day), since \(unit.label(of: since, in: zone)): \(NumberFormat.percent(last.expected)) "
                + "was to be expected.", claim, from: .alert)
    }

    func json(_ verdict: TrendClaim) -> JSONObject {
        verdict.claim.json(.trend(at: label(of: verdict), relative: verdict.relative))
            + ["at_ms": verdict.atMilliseconds, "relative": verdict.relative]
    }

    public var gauges: [ReportGauge] {
        guard let alert, let last = alert.days.last,
            let point = trend.points.first(where: { $0.startMilliseconds == last.startMilliseconds }), let rate = point.rate
        else { return [] }
        return [
            ("conversion_ratio", "Share of the last whole day's visits that converted, 0 to 1.", rate),
            ("expected_ratio", "Share of the last whole day's visits that was to be expected, 0 to 1.", last.expected),
            ("alarm", "1 while a fall holds at the last whole day, else 0.", last.holds ? 1 : 0),
            ("day_timestamp_seconds", "When the last whole day began, in seconds since 1970 UTC.", Double(last.startMilliseconds) / 1000),
        ].map { ReportGauge("looptrail_trend_\($0)", $1, of: trend.definition.title, $2) }
    }
}

extension TrendAlert {
    var json: JSONObject {
        [
            "drop": drop, "threshold": Self.threshold, "holds": holds, "since_ms": sinceMilliseconds,
            "days": JSONRows(days) { ["start_ms": $0.startMilliseconds, "score": $0.score, "expected": $0.expected, "holds": $0.holds] },
        ]
    }
}

extension FunnelDefinition {
    /// What gauges call it.
    var title: String { name ?? steps.map(\.description).joined(separator: " > ") }
}

import Basics
import Funnels

/// What can be said of a trend, and its numbers for a dashboard.
extension FunnelTrendResult {
    /// The verdict, then each mark, then the alert.
    var findings: [ReportFinding] {
        let ofVerdict = verdict.map { verdict in
            let words = words(ofVerdict: verdict, beside: marks.map(\.change))
            // The verdict names a mark within a day of it. A day is an hour longer where clocks change.
            let day = verdict.claim.holds ? verdict.atMilliseconds : nil
            let near = day.flatMap { day in marks.first { abs(day - $0.mark.milliseconds) <= 90_000_000 } }
            let named = near.map { "\(words.dropLast()), at the mark \($0.mark.label)." } ?? words
            return ReportFinding(named, verdict.claim, from: .trend)
        }
        let ofMarks = marks.map { ReportFinding("\($0.label): \(words(of: $1))", $1.claim, from: .trend) }
        return [ofVerdict].compactMap(\.self) + ofMarks + (alert.map { [finding(of: $0)] } ?? [])
    }

    func words(of change: TrendClaim) -> String { change.claim.words(.trend(at: label(of: change), relative: change.relative)) }

    /// What is said of the whole trend: it must not deny what a mark shows.
    func words(ofVerdict verdict: TrendClaim, beside marks: [TrendClaim]) -> String {
        let words = words(of: verdict)
        return marks.contains(where: \.claim.holds) ? words.replacing("Steady: no", with: "Steady but for the marks: no other") : words
    }

    /// What the alert says if it holds; `nil` if it does not.
    package var alarm: String? { alert.flatMap { $0.holds ? finding(of: $0).words : nil } }

    func label(of change: TrendClaim) -> String { change.atMilliseconds.map { unit.label(of: $0, in: zone) } ?? "" }

    private func point(of day: TrendAlert.Day) -> FunnelTrend.Point? {
        trend.points.first { $0.startMilliseconds == day.startMilliseconds }
    }

    private func finding(of alert: TrendAlert) -> ReportFinding {
        let drop = NumberFormat.percent(alert.drop)
        guard let last = alert.days.last else {
            return ReportFinding("Alert: nothing can be said yet; it takes 14 whole days that end a week before the last.", from: .alert)
        }
        let day = unit.label(of: last.startMilliseconds, in: zone)
        guard alert.holds, let since = alert.sinceMilliseconds, let point = point(of: last) else {
            let seen = alert.shownInTwoDays ?? 0
            let least = seen > 1 ? "none of any size" : "one of \(NumberFormat.percent(seen))"
            let shown = seen > alert.drop ? "; two days of as many visits can show \(least)" : ""
            return ReportFinding("Alert: no fall of \(drop) holds on \(day)\(shown).", from: .alert)
        }
        var claim = Claim()
        claim.kind = .fell
        (claim.difference, claim.visits) = (min(0, (point.rate ?? 0) - last.expected), point.entered)
        claim.adjustedFor = [.weekday]
        return ReportFinding(
            "Alert: a fall of \(drop) holds on \(day), since \(unit.label(of: since, in: zone)): \(NumberFormat.percent(last.expected)) "
                + "was to be expected.", claim, from: .alert)
    }

    func json(_ change: TrendClaim, _ words: String) -> JSONObject {
        change.claim.json(sentence: words) + ["at_ms": change.atMilliseconds, "relative": change.relative]
    }

    public var gauges: [ReportGauge] {
        guard let alert, let last = alert.days.last, let rate = point(of: last)?.rate else { return [] }
        return [
            ("conversion_ratio", "Share of the last whole day's visits that converted, 0 to 1.", rate),
            ("expected_ratio", "Share of the last whole day's visits that was to be expected, 0 to 1.", last.expected),
            ("alarm", "1 while a fall holds at the last whole day, else 0.", last.holds ? 1 : 0),
            ("day_timestamp_seconds", "When the last whole day began, in seconds since 1970 UTC.", Double(last.startMilliseconds) / 1000),
        ].map { ReportGauge(name: "looptrail_trend_\($0)", help: $1, subject: trend.definition.title, value: $2) }
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
    var title: String { name ?? steps.map(\.description).joined(separator: " > ") }
}

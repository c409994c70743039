import Basics
import Funnels

extension TimeRange {
    /// Which times count, for results that have no other definition.
    func facts(of what: String) -> [ReportFact] {
        [since.map { ReportFact("\(what) since", .moment($0)) }, until.map { ReportFact("\(what) before", .moment($0)) }].compactMap(\.self)
    }

    var json: JSONObject { ["since_ms": since, "until_ms": until] }
}

extension TableReport {
    /// Whose events counted, and of which times; empty where all did.
    func limits(_ range: TimeRange, _ cohort: CohortFilter, of what: String) -> [String] {
        let limits = [times(range, what: what)].compactMap(\.self) + cohort.words(in: self)
        return limits.isEmpty ? [] : [limits.joined(separator: ", ")]
    }

    /// `events since 2026-01-01 00:00:00`; `nil` for all times.
    func times(_ range: TimeRange, what: String) -> String? { times(range.since, range.until, what: what) }

    /// `starts 2026-01-01 00:00:00 – 2026-02-01 00:00:00`; `nil` for all times.
    func times(_ since: Int64?, _ until: Int64?, what: String) -> String? {
        let (first, last) = (since.map { DateFormat.exact($0, in: style.zone) }, until.map { DateFormat.exact($0, in: style.zone) })
        return switch (first, last) {
        case (nil, nil): nil
        case (let first?, nil): "\(what) since \(first)"
        case (nil, let last?): "\(what) until \(last)"
        case (let first?, let last?): "\(what) \(first) \(style.dash) \(last)"
        }
    }
}

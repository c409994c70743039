import Basics
import Funnels

/// What may be said of a difference, and how it is written.
extension Claim {
    /// What a claim is about, as far as sentences differ by it.
    enum Subject {
        /// One group against all other visits with a value.
        case group
        /// Visits at a fork that have something against those that have not.
        case fork
        /// A range of time against another one.
        case range
        /// A trend from one day on, with the difference as a fraction of the expected share.
        case trend(at: String, relative: Double?)
    }

    /// The sentence, with its full stop. Of a group or a fork that ``isNamed``, it lacks the subject, which goes in front.
    func words(_ subject: Subject) -> String {
        if let refused { return "\(isNamed ? "allows no conclusion" : "Nothing is concluded"): \(reason(refused, subject))." }
        if case .group = subject, isSaidElsewhere { return "Nothing is concluded beside what is found of another group." }
        guard holds, let difference, let interval else {
            let whose = if case .fork = subject { "for half of the candidates " } else { "" }
            let size = detectable.map { NumberFormat.points(max($0, Claim.leastDifference), plus: "") }
            let seen = size.map { "; \(whose)one of \($0) points would be seen 8 times in 10" } ?? ""
            let none = kind == .steady ? "Steady: no lasting change" : "No difference"
            let least = self.interval.map { $0.lower * $0.upper > 0 } == true && kind == .steady ? " of half a point or more" : ""
            return "\(none)\(least) that these \(unit) could show\(seen)."
        }
        // Only a bound on the other side of 0 has a sign.
        let bounds = (difference < 0 ? [-interval.upper, -interval.lower] : [interval.lower, interval.upper])
            .map { NumberFormat.points($0, plus: "") }
        let size = "\(NumberFormat.points(difference.magnitude, plus: "")) points"
        let claim =
            switch subject {
            case .group: "converts \(size) \(kind.rawValue) than the rest"
            case .fork: "go on \(size) \(kind.rawValue) than other visits"
            case .range: "Conversion \(kind.rawValue) by \(size) against the other time"
            case .trend(let day, let relative):
                "Conversion \(kind.rawValue) on \(day) by \(size)" + (relative.map { " (\(NumberFormat.percent($0.magnitude)))" } ?? "")
            }
        if case .fork = subject {
            let before = adjustedFor.contains(.eventsBefore) ? " with as many events before" : ""
            let same = adjustedFor.contains(.user) ? "by the same user on the same day" : "of the same day\(before)"
            return "\(claim) \(same), 95% \(bounds[0]) to \(bounds[1])."
        }
        return "\(claim)\(adjustedFor.reversed().map { ", same \($0.words)" }.joined()), 95% \(bounds[0]) to \(bounds[1]) (\(unit))."
    }

    var unit: String { countsVisits ? "visits" : "users" }

    /// Whether the sentence begins with the name of one group or candidate: it differs, or it is refused by name.
    var isNamed: Bool { holds || refused == .fewOfBoth }

    /// The claim with its fixed keys; if it ``isNamed``, its sentence begins with `name`.
    func json(_ subject: Subject, of name: String? = nil) -> JSONObject {
        json(sentence: (isNamed ? name.map { $0 + " " } ?? "" : "") + words(subject))
    }

    func json(sentence: String) -> JSONObject {
        [
            "holds": holds, "kind": kind.rawValue, "difference": difference, "ci95": interval, "p_value": pValue, "q_value": qValue,
            "unit": unit, "adjusted_for": adjustedFor.map(\.rawValue),
            "refused": (refused == .fewUsers || refused == .fewOfBoth ? Refusal.fewVisits : refused)?.rawValue,
            "detectable": detectable, "sentence": sentence,
        ]
    }

    /// The claim as a finding: that something differs, or that nothing can be shown.
    func finding(_ subject: Subject, of name: String? = nil, from origin: ReportFinding.Origin) -> ReportFinding {
        ReportFinding(words(subject), of: name, self, from: origin)
    }

    /// The difference as a table shows it beside a crude one: only where it is half a point or more apart.
    func adjusted(beside crude: Double?) -> Double? {
        guard let difference, let crude, (difference - crude).magnitude >= 0.005 else { return nil }
        return difference
    }

    private func reason(_ refused: Refusal, _ subject: Subject) -> String {
        switch (refused, subject) {
        case (.coverage, .trend): "that day has no visit, is not wholly covered, or has open windows"
        case (.coverage, _):
            countsVisits
                ? "one of the two times has no day of its own that the data cover"
                : "users are compared only over times that are equally long, wholly covered and apart; --count visits compares any"
        case (.fewDays, _) where !countsVisits:
            "users are compared only over times with as many days of each weekday; --count visits compares any"
        case (.fewDays, _): "too few days to tell a change from how days differ"
        case (.noOverlap, _):
            "it shares no day with the others, or its share of visits changes and no user has visits with two values; "
                + "`looptrail trend --mark DAY=NAME` compares before and after"
        case (.fewOfBoth, _): "too few users came both with it and without it; `looptrail trend --mark DAY=NAME` compares before and after"
        case (.opposed, _):
            "with \(adjustedFor.map(\.words).joined(separator: " and ")) held equal the difference has the other sign"
                + (adjustedFor.contains(.user) ? ", or is more than three times as large" : "")
        case (.fewVisits, _) where !countsVisits: "it takes 30 users on either side"
        case (.fewVisits, .group), (.fewVisits, .range):
            "it takes 30 mature visits of 20 users on either side, 5 of them expected to convert and 5 not"
        case (.fewVisits, _): "it takes 30 visits of 20 users on either side"
        case (.fewUsers, _): "too few users decide what is compared; `--not-users FILE` leaves out one with many visits, if there is one"
        case (.unit, .group) where countsVisits: "it takes visits that have their group when they begin"
        case (.unit, _): "only visits are compared; where they can be counted, --count visits does"
        }
    }
}

extension Claim.Adjustment { fileprivate var words: String { self == .eventsBefore ? "number of events before" : "\(rawValue)s" } }

extension Coverage {
    var json: JSONObject {
        [
            "since_ms": sinceMilliseconds, "until_ms": untilMilliseconds, "covered_ms": coveredMilliseconds,
            "holes": holes.map { [$0.lowerBound, $0.upperBound] }, "whole_days": wholeDays.count,
        ]
    }

    var words: String { "\(wholeDays.count) of \(GroupedNumber.counted(days, "day"))" }
}

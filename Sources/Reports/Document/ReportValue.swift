import Basics

/// A value in a report. It knows what it is, so that each format writes it its own way: `89.9%` for people, `0.899…` for programs.
public enum ReportValue: Sendable, Hashable {
    /// Text from data or from whoever asks: never trusted.
    case data(String)
    /// Looptrail's own text.
    case words(String)
    case count(Int64)
    /// A part of a whole, 0…1; `nil` where the whole is nothing.
    case share(Double?)
    /// By how much a share differs from another, -1…1; `nil` where one of them is a share of nothing.
    case points(Double?)
    /// A probability, 0…1; `nil` where there is none.
    case probability(Double?)
    /// A number without a unit, shown in three digits; `nil` where there is none.
    case number(Double?)
    /// A length of time in milliseconds; `nil` where there is none.
    case duration(Double?)
    /// A short length of time in nanoseconds.
    case nanoseconds(UInt64)
    /// A time in milliseconds since 1970 UTC; `nil` where there is none.
    case moment(Int64?)
    case bytes(Int64)
    case flag(Bool)
    case none

    static func count(_ count: Int?) -> ReportValue { count.map { .count(Int64($0)) } ?? .none }

    static func data(_ text: String?) -> ReportValue { text.map { .data($0) } ?? .none }

    static func words(_ text: String?) -> ReportValue { text.map { .words($0) } ?? .none }

    /// Whether it is a quantity, which stands at the right of its column.
    var isNumber: Bool {
        switch self {
        case .count, .share, .points, .probability, .number, .duration, .nanoseconds, .bytes: true
        case .data, .words, .moment, .flag, .none: false
        }
    }

    /// The share, if the value is one; `nil` for other values and for a share of nothing.
    var shareOfAll: Double? { if case .share(let share) = self { share } else { nil } }

    /// The value as people read it. Only ``data(_:)`` holds text that is not Looptrail's own, and it is shown just as it came.
    ///
    /// - Parameter zone: the zone in which a time is shown; the heading names it.
    func shown(in zone: TimeZoneRules = .utc) -> String {
        switch self {
        case .data(let text), .words(let text): text
        case .count(let count): NumberFormat.count(count)
        case .share(let share): share.map(NumberFormat.percent) ?? "–"
        case .points(let difference): difference.map { NumberFormat.points($0) } ?? "–"
        case .probability(let probability): probability.map(NumberFormat.probability) ?? "–"
        case .number(let number): number.map(NumberFormat.number) ?? "–"
        case .duration(let milliseconds): milliseconds.map(NumberFormat.duration) ?? "–"
        case .nanoseconds(let nanoseconds): NanosecondText.of(nanoseconds)
        case .moment(let milliseconds): milliseconds.map { DateFormat.exact($0, in: zone) } ?? "–"
        case .bytes(let bytes): NumberFormat.bytes(bytes)
        case .flag(let flag): flag ? "yes" : "no"
        case .none: ""
        }
    }
}

/// A value and what it is called.
public struct ReportFact: Sendable, Hashable {
    /// Looptrail's own words.
    public let label: String
    public let value: ReportValue
    /// Whether it is something to look into.
    public let isAlarm: Bool

    init(_ label: String, _ value: ReportValue, isAlarm: Bool = false) { (self.label, self.value, self.isAlarm) = (label, value, isAlarm) }

    static func known(_ facts: [ReportFact]) -> [ReportFact] { facts.filter { $0.value != .none } }

    static func fault(_ label: String, _ count: some BinaryInteger) -> ReportFact {
        ReportFact(label, .count(Int64(count)), isAlarm: count > 0)
    }

    /// The value as people read it; a time is followed by the name of its zone.
    func shown(in zone: TimeZoneRules) -> String {
        if case .moment(_?) = value { "\(value.shown(in: zone)) \(zone.name)" } else { value.shown(in: zone) }
    }
}

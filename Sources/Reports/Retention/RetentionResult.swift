public import Funnels

/// Who came back, with the calendar of its cohorts.
public struct RetentionResult: Sendable, Hashable {
    public let retention: Retention
    public let unit: CalendarUnit
    public let zone: TimeZoneRules

    /// - Parameters:
    ///   - retention: counted in the periods of this calendar: ``CalendarUnit/periods(in:)``.
    ///   - unit: how long a period is.
    ///   - zone: whose midnights count.
    public init(_ retention: Retention, every unit: CalendarUnit, in zone: TimeZoneRules) {
        (self.retention, self.unit, self.zone) = (retention, unit, zone)
    }

    var periods: Int { retention.definition.periods }
    var average: [Double?] { Retention.average(retention.cohorts, periods: periods) }

    func label(_ cohort: Retention.Cohort) -> String { unit.label(of: cohort.startMilliseconds, in: zone) }
}

/// What a question about coming back counts: everything that could change a number, except the calendar.
///
/// 1. **Key**, **duplicates** and **identified users** as in a ``FunnelDefinition``.
/// 2. **Cohort**: the keys whose first event that matches ``start``, in all data read, lies in one period. Keys whose first start lies
///    outside ``range`` do not count.
/// 3. **Cell** k of a cohort, 0 … ``periods``: its keys with an event that matches ``returning``, later than that first start, in the
///    k-th period after the cohort's; 0 is the cohort's own. Other products show 100 % for 0; here only a *later* event counts.
/// 4. **Incomplete**: a cell has no number if its period ends after the data.
public struct RetentionDefinition: Sendable, Hashable {
    /// The most periods that a cohort is followed.
    public static let mostPeriods = 366

    /// A key's first event that matches this puts the key into its cohort.
    public let start: EventPattern
    /// What counts as coming back.
    public let returning: EventPattern
    /// How many periods after its own a cohort is followed.
    public let periods: Int
    public let key: FunnelKey
    /// Divides the keys by a property: by the first or the last value among the events that match, or by the value of the first start.
    public let breakdown: FunnelBreakdown?
    /// Which first starts count.
    public let range: TimeRange
    /// Whether `identified` meta lines join an anonymous id to its user. Only a ``key`` of users is joined.
    public let identify: Bool
    /// Whose events count; everybody's, unless it is set.
    public var cohort = CohortFilter.everyone

    /// - Parameters:
    ///   - periods: 0 to ``mostPeriods``.
    ///   - breakdown: by the first value, the last, or that of step 1, which is the start.
    /// - Throws: ``RetentionDefinitionError``.
    public init(
        start: EventPattern, returning: EventPattern, periods: Int, key: FunnelKey = .user, breakdown: FunnelBreakdown? = nil,
        range: TimeRange = .all, identify: Bool = true
    ) throws(RetentionDefinitionError) {
        guard (0...Self.mostPeriods).contains(periods) else { throw .periods(periods) }
        switch breakdown?.attribution {
        case .all?: throw .breakdownByEach
        case .step(let step)? where step != 1: throw .breakdownBeyondStart(step: step)
        default: break
        }
        self.start = start
        self.returning = returning
        self.periods = periods
        self.key = key
        self.breakdown = breakdown
        self.range = range
        self.identify = identify
    }

    /// A funnel that keeps the events of both patterns. The retention is counted from its records.
    package func scanned() throws(FunnelDefinitionError) -> FunnelDefinition {
        var definition = try FunnelDefinition(
            steps: [FunnelStep(start), FunnelStep(returning)], key: key, breakdown: breakdown, identify: identify)
        definition.cohort = cohort
        return definition
    }
}

/// Why a question about coming back makes no sense.
public enum RetentionDefinitionError: Error, Sendable, Hashable, CustomStringConvertible {
    case periods(Int)
    /// A breakdown in which a key is in several groups.
    case breakdownByEach
    /// A breakdown by a step other than the start.
    case breakdownBeyondStart(step: Int)

    public var description: String {
        switch self {
        case .periods(let count): "a cohort is followed for 0 to \(RetentionDefinition.mostPeriods) periods, here are \(count)"
        case .breakdownByEach: "a breakdown by :all puts a key into several groups, and a cohort has it once: take :first or :last"
        case .breakdownBeyondStart(let step): "a breakdown by step \(step): the start is step 1, and nothing else is a step here"
        }
    }
}

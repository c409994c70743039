import TrackingEvents

/// Which properties the events of one name have.
///
/// Memory: some tens of megabytes for keys and values, more if many are long. A key with too many values to keep is estimated and says so.
public struct PropertyRun: EventQuestion {
    /// The name of the events, compared byte for byte.
    public let name: String
    /// Whether the properties are those of the lines that begin sessions, each session once, instead of an event's.
    public internal(set) var isOfSessions = false
    /// How many of a key's most frequent values are listed; 0 or more.
    public var top = 5
    /// The times of events that count, or of the lines that begin sessions.
    public var range = TimeRange.all
    /// Events of all others are left out. Each event's own line is asked for its user, or for whatever else the cohort's list holds.
    public var cohort = CohortFilter.everyone

    /// The context of sessions: the properties of the lines that begin them.
    public static let sessions = PropertyRun(name: MetaEventName.sessionStarted, isOfSessions: true)

    public var pass: EventPass<PropertyCatalogue> {
        var needs = SummaryNeeds(allPropertiesOf: [Array(name.utf8)], cohort: cohort)
        if isOfSessions { needs.session = true }
        return EventPass(needs, into: { PropertyBatch(self, expecting: $0) }) { PropertyAccumulator(self) }
    }
}

extension PropertyRun { public init(name: String) { self.init(name: name, isOfSessions: false) } }

/// Which events there are: what can be asked about.
public struct EventCatalogue: Sendable, Hashable {
    /// One event name.
    public struct Entry: Sendable, Hashable {
        public let name: String
        /// Events of this name; those with the same id count once.
        public internal(set) var count = 0
        /// Distinct users among them.
        public internal(set) var users = 0
        /// Time of the earliest and the latest, in milliseconds since 1970 UTC.
        public internal(set) var firstMilliseconds = Int64.max
        public internal(set) var lastMilliseconds = Int64.min
    }

    /// The most frequent first, then by name.
    public let entries: [Entry]
    /// How many meta lines and timing lines there are, whenever they were written.
    public let metaLines: Int
    public let timingLines: Int
    /// The times whose events count.
    public internal(set) var range = TimeRange.all
    /// Whose events count. Each event is judged by its own key, of the kind that the list names. Anonymous ids are not joined to users.
    public var cohort = CohortFilter.everyone
    /// ``InputQuality/withoutKey`` counts events without a user.
    public let input: InputQuality
}

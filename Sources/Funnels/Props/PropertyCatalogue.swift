/// The properties that one event comes with: what its tests and breakdowns can ask about.
public struct PropertyCatalogue: Sendable, Hashable {
    /// The type of a value in JSON; a number with a point or an exponent is a double.
    public enum Kind: String, Sendable, Hashable, CaseIterable { case string, int, double, bool, null, object, array }

    /// One value of a key.
    public struct Value: Sendable, Hashable {
        /// A string as it is, a number as on the line, `true` or `false`. At most ``PropertyCatalogue/textLimit`` bytes.
        public let text: String
        public let kind: Kind
        /// Events with it; where ``Key/areTopExact`` is false, at least this many.
        public internal(set) var count: Int
    }

    /// One key of `props`, or of an object in there.
    public struct Key: Sendable, Hashable {
        /// The keys from `props` inwards.
        public let path: [String]
        /// Events that have it, whatever its value.
        public let present: Int
        /// How many of these have a value of each kind; kinds that do not occur are left out.
        public let kinds: [Kind: Int]
        /// How many different strings, numbers and truth values it has.
        public let distinct: Int
        /// Whether ``distinct`` is counted; else it is estimated, with a standard error of 1 % (up to 4 % where there are many keys).
        public let isDistinctExact: Bool
        /// The smallest and largest number; `nil` without numbers.
        public let minimum: Double?
        public let maximum: Double?
        /// The most frequent values, by falling count, then by text.
        public let top: [Value]
        public let areTopExact: Bool

        /// The path as the step grammar writes it.
        public var title: String { GrammarText.path(path) }
    }

    /// The longest text that is kept of a value, in bytes.
    public static let textLimit = 1024
    /// The most keys that are counted.
    public static let keyLimit = 1000

    public let name: String
    /// Events of that name; those with the same id count once.
    public let events: Int
    /// By falling number of events that have the key, then by path.
    public let keys: [Key]
    /// Whether there were more than ``keyLimit`` keys; those that came later are then missing.
    public let hasMoreKeys: Bool
    public let range: TimeRange
    /// Whose events count.
    public var cohort = CohortFilter.everyone
    /// ``InputQuality/withoutKey`` counts events without a user.
    public let input: InputQuality
    /// The name, if no event had it.
    public let unseenName: UnseenName?
}

public import TrackingPlans

/// How events in files differ from a tracking plan.
public struct PlanCheckResult: Sendable, Hashable {
    /// One way in which some events differ.
    public struct Violation: Sendable, Hashable {
        public let kind: PlanChecker.Violation.Kind
        /// The event's name; `session_started` for the context of sessions.
        public let event: String
        public let property: String?
        /// How many events differ in this way.
        public internal(set) var count = 0
        /// How many events of the name there are.
        public internal(set) var events = 0
        public internal(set) var firstMilliseconds = Int64.max
        public internal(set) var lastMilliseconds = Int64.min
        /// The file in which it was met first.
        public let file: String
        /// The number of the line there, from 1.
        public let line: Int
        /// The value at that place.
        public let example: String?
        /// Whether that value is a string.
        package internal(set) var isString = false
        /// The events that differ, by the `app_version` of their session; `(none)` where no line says one. By falling count, then by name.
        public internal(set) var versions: [Version] = []

        /// The share of the events of this name that differ, 0…1.
        public var share: Double { events == 0 ? 0 : Double(count) / Double(events) }
    }

    /// A version of the app and how many events of it differ.
    public struct Version: Sendable, Hashable {
        public let name: String
        public let count: Int
    }

    /// The name that stands for no version.
    public static let noVersion = "(none)"

    /// The plan's name.
    public let plan: String
    /// The most frequent first, then by event, property and kind.
    public let violations: [Violation]
    public let range: TimeRange
    /// Whose events were compared with the plan.
    public var cohort = CohortFilter.everyone
    /// ``InputQuality/withoutKey`` counts events without a user.
    public let input: InputQuality

    /// Whether the files are as planned. Deprecated events count as planned.
    public var isClean: Bool { violations.allSatisfy { $0.kind == .deprecatedEvent } }
}

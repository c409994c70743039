/// How long a loop took to handle its events, from the `timing` lines of event files.
public struct TimingCatalogue: Sendable, Hashable {
    /// One phase of the events of one name. All times are in nanoseconds.
    public struct Entry: Sendable, Hashable {
        /// The name of the loop; `nil` if it had none.
        public internal(set) var system: String?
        public let event: String
        /// `queue_wait`, `reduce`, `effect`, `bindings` …, and `total` for all of them together.
        public let phase: String
        /// How many values were measured.
        public let count: UInt64
        /// The sum of the values, their shortest and their longest: exact.
        public let total: UInt64
        public let minimum: UInt64
        public let maximum: UInt64
        /// By nearest rank, within 1.6 %.
        public let p50: UInt64
        public let p90: UInt64
        public let p99: UInt64

        /// The arithmetic mean, rounded.
        public var mean: UInt64 { count == 0 ? 0 : UInt64(exactly: (Double(total) / Double(count)).rounded()) ?? total / count }
    }

    /// The most events and phases that are counted separately; later ones are counted together as `(other)`.
    public static let entryLimit = 4096

    /// The events that took the most time in sum come first; the phases of each are in the order in which it passes them.
    public let entries: [Entry]
    /// How many names of events were left out because only the first were wanted.
    public internal(set) var leftOut = 0
    /// Lines that were added up: each once, whatever file it stands in, and only of the wanted time and system.
    public let lines: Int
    /// Timing lines that say nothing that can be understood.
    public internal(set) var unreadableLines = 0
    /// Time of the earliest and the latest of the lines, in milliseconds since 1970 UTC; `nil` without lines.
    public internal(set) var firstMilliseconds: Int64?
    public internal(set) var lastMilliseconds: Int64?
    /// The times that were asked for.
    public internal(set) var range = TimeRange.all
    /// The loop that was asked for; `nil` for all.
    public internal(set) var system: String?
    /// Whose lines were asked for.
    public var cohort = CohortFilter.everyone
    /// ``InputQuality/events`` and what belongs to it count events; timing lines are not events.
    public let input: InputQuality
}

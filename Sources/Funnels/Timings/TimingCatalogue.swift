/// How long a loop took to handle its events, from the `timing` lines of event files.
public struct TimingCatalogue: Sendable, Hashable {
    /// One phase of the events of one name. All times are in nanoseconds.
    public struct Entry: Sendable, Hashable {
        /// The name of the loop; `nil` if it had none.
        public internal(set) var system: String?
        public let event: String
        /// `queue_wait`, `reduce`, `effect`, `bindings`, `middleware`, or `total` for these together; `feedback` is not part of the total.
        public let phase: String
        /// How many values were measured.
        public let count: UInt64
        /// The sum of the values, the smallest and the largest. All are exact; the sum stops at 2⁶⁴ − 1.
        public let total: UInt64
        public let minimum: UInt64
        public let maximum: UInt64
        /// The percentiles, by nearest rank, within 1.6 %.
        public let p50: UInt64
        public let p90: UInt64
        public let p99: UInt64

        /// The arithmetic mean, rounded.
        public var mean: UInt64 { count == 0 ? 0 : UInt64(exactly: (Double(total) / Double(count)).rounded()) ?? total / count }
    }

    /// The most pairs of an event and a phase that are counted separately. The events of all later pairs are counted together as `(other)`.
    public static let entryLimit = 4096

    /// The events that took the most time in sum come first; the phases of each are in the order in which it passes them.
    public let entries: [Entry]
    /// How many events ``TimingRun/top`` left out. Events of one name in two systems are two.
    public internal(set) var leftOut = 0
    /// The entries of these events.
    package internal(set) var leftOutEntries: [Entry] = []
    /// How many lines were added up: those of the wanted times, system and cohort, each once, even if it stands in several files.
    public let lines: Int
    /// How many of the wanted timing lines have properties that cannot be read.
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
    /// What was read. Timing lines are not among its events.
    public let input: InputQuality
}

/// What a funnel counts. Everything that could change a number stands here and is printed with every result.
///
/// 1. **Key**: events are grouped by ``key``; events without it are left out and counted. An empty text counts as missing.
/// 2. **Duplicates**: events with the same `id` count once; events without `id` are never duplicates.
/// 3. **Order**: by `t_ms` and nothing else. If events of one key share a millisecond, the order that is best for the key counts.
/// 4. **Attempt**: each event that matches step 1 starts one. An attempt takes the first event that matches its next step, in the
///    millisecond of the step before or later, and at most ``windowMilliseconds`` after its step 1. One event fills at most one
///    step of an attempt; if it fits several, the deepest takes it.
/// 5. **Result of a key**: its deepest attempt. Among equally deep ones the first to get there counts, and if one millisecond
///    brought several there, the one with the later start. All times come from that one attempt, the key's *chain*.
/// 6. **Optional steps** do not block: an attempt takes its next required step or an optional step before that, whichever an
///    event matches first. Shares and times of a step refer to the last required step before it.
/// 7. **Exclusions** end an attempt where it stands, or spoil it. A spoilt attempt is still credited with its next step if that comes in
///    time. A key whose deepest attempt is spoilt is not counted, unless a clean attempt is as deep, whichever started first. Within a
///    millisecond exclusions come before other events, and those that spoil before those that end.
/// 8. `order`: other events may come between the steps, or none may, or the steps come in any order.
/// 9. ``stepWindowMilliseconds``, ``hold`` and ``counting``: see each. A step window changes which attempt counts, so times may differ,
///    not only counts.
/// 10. ``breakdown`` divides the keys into groups.
///
/// ``since`` and ``until`` choose starts, or, where visits are counted, visits by their first start. Later steps may lie after `until`, as
/// far as the window reaches. A start is *mature* if its window has ended when the data ends; a window that ends exactly with the data has
/// ended. By session a start is mature, too, if its session has been silent for ``sessionTimeoutMilliseconds``. A visit is mature if its
/// last start is. ``starts`` says whether only mature starts count.
public struct FunnelDefinition: Sendable, Hashable {
    /// What is counted.
    public enum Counting: String, Sendable, Hashable, CaseIterable {
        /// Each key once, with its best attempt.
        case users
        /// Each attempt: every event of step 1 opens one, and the oldest open attempt that wants an event takes it.
        case attempts
        /// Each visit of a key, with its best attempt. A visit is the starts of one session, or, without sessions, starts that are less
        /// than ``sessionTimeoutMilliseconds`` apart. It belongs to the time of its first start; later steps may lie in later sessions.
        /// Shares of visits can be compared: they do not depend on how long somebody is watched.
        case visits
    }

    /// Half an hour, the usual default of products that count sessions.
    public static let defaultSessionTimeoutMilliseconds: Int64 = 1_800_000

    /// Seven days: long enough for somebody who buys days after the first look.
    public static let defaultWindowMilliseconds: Int64 = 7 * 86_400_000

    /// The heading of its reports.
    public let name: String?
    /// 1 to 32 of them.
    public let steps: [FunnelStep]
    /// The longest time from step 1 to any later step, inclusive, in milliseconds.
    public let windowMilliseconds: Int64
    /// The longest time from a step to the next one taken, inclusive, in milliseconds; `nil` for no such limit.
    public let stepWindowMilliseconds: Int64?
    public let key: FunnelKey
    public let order: Order
    /// A property whose value must be the same at all steps of an attempt, as keys into `props`. Events without it do not count.
    public let hold: [String]?
    public internal(set) var counting: Counting
    /// At most 32.
    public let exclusions: [FunnelExclusion]
    public internal(set) var breakdown: FunnelBreakdown?
    /// The earliest start that counts, in milliseconds since 1970 UTC.
    public internal(set) var since: Int64?
    /// Starts at or after this, in milliseconds since 1970 UTC, do not count.
    public internal(set) var until: Int64?
    /// Whether `identified` meta lines join an anonymous id to its user: in a ``key`` of users, the users of visits, and lists of users.
    public let identify: Bool
    public let compat: FunnelCompat?
    /// Whose events count; everybody's, unless it is set.
    public var cohort = CohortFilter.everyone
    /// Which starts count: all, or only those that had all their time before the data ended.
    public var starts = Starts.all
    /// In milliseconds: how long a session has to be silent to be over. Starts without a session that lie less apart are one visit.
    public var sessionTimeoutMilliseconds = defaultSessionTimeoutMilliseconds
    /// When the data ends, in milliseconds since 1970 UTC; `nil` to find it as ``DataEnd`` says.
    public var dataEnd: Int64?

    /// - Parameters:
    ///   - steps: 1 to 32, the first not optional.
    ///   - windowMilliseconds: 0 or more; 0 keeps a chain within one millisecond.
    ///   - stepWindowMilliseconds: 0 or more.
    ///   - since: the first millisecond since 1970 UTC in which an attempt may start.
    ///   - until: the first millisecond since 1970 UTC in which no attempt may start; after `since`.
    /// - Throws: ``FunnelDefinitionError``.
    public init(
        name: String? = nil, steps: [FunnelStep], windowMilliseconds: Int64 = defaultWindowMilliseconds,
        stepWindowMilliseconds: Int64? = nil, key: FunnelKey = .user, order: Order = .ordered, hold: [String]? = nil,
        counting: Counting = .users, exclusions: [FunnelExclusion] = [], breakdown: FunnelBreakdown? = nil, since: Int64? = nil,
        until: Int64? = nil, identify: Bool = true, compat: FunnelCompat? = nil
    ) throws(FunnelDefinitionError) {
        self.name = name
        self.steps = steps
        self.windowMilliseconds = windowMilliseconds
        self.stepWindowMilliseconds = stepWindowMilliseconds
        self.key = key
        self.order = order
        self.hold = hold
        self.counting = counting
        self.exclusions = exclusions
        self.breakdown = breakdown
        self.since = since
        self.until = until
        self.identify = identify
        self.compat = compat
        try check()
    }

    /// The index of the last required step, from 0: who reaches it has converted.
    public var lastRequiredStep: Int { steps.lastIndex { !$0.isOptional } ?? 0 }

    /// The index of the last required step before the one at `step`, both from 0; 0 for the first.
    public func requiredStep(before step: Int) -> Int { steps[..<step].lastIndex { !$0.isOptional } ?? 0 }
}

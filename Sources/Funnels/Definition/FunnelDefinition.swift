/// What a funnel counts, complete: everything that could change a number stands here and is printed with every result.
///
/// 1. **Key**: events are grouped by ``key``; events without it are left out and counted. An empty text counts as missing.
/// 2. **Duplicates**: events with the same `id` count once; events without `id` are never duplicates.
/// 3. **Order**: by `t_ms` and nothing else; events of one key that share a millisecond stand in whatever order is the most
///    favourable.
/// 4. **Attempt**: each event that matches step 1 starts one. An attempt takes the first event that matches its next step,
///    after the step before or in its millisecond, within ``windowMilliseconds`` of its step 1, inclusive. One event fills at
///    most one step of an attempt; when it fits several, the deepest takes it.
/// 5. **Result of a key**: its deepest attempt; among equally deep ones the first to get there, and if one millisecond brought
///    several there, the one with the later start. All times come from that one chain.
/// 6. **Optional steps** do not block: an attempt takes its next required step or an optional step before that, whichever an
///    event matches first. Shares and times of a step refer to the last required step before it.
/// 7. **Exclusions** end an attempt where it stands, or spoil it. A spoilt attempt still counts as reaching the next step that it
///    would have reached. A key whose deepest attempt is spoilt is removed, unless a clean attempt is as deep, whichever started first.
///    Within a millisecond exclusions come first, those that spoil before those that end.
/// 8. `order`: other events may come between, or none, or the steps stand in any order.
/// 9. ``stepWindowMilliseconds``, ``hold`` and ``counting``. A step window changes which chain is taken, so times may differ, not only
///   counts.
/// 10. ``breakdown``.
///
/// ``since`` and ``until`` choose starts, or visits by their first start; later steps may lie after `until`, up to the window. A start is
/// *mature* if its window has ended when the data ends; a window that ends exactly with the data has ended. By session it is mature, too,
/// if its session has been silent for ``sessionTimeoutMilliseconds``. A visit is mature if its last start is. ``starts`` says whether
/// only mature starts count.
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

    /// Half an hour, as products that count sessions have it.
    public static let defaultSessionTimeoutMilliseconds: Int64 = 1_800_000

    /// Seven days: long enough for a purchase that is slept over.
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
    /// A property that has one value along a chain, as keys into `props`. Events without it take no part.
    public let hold: [String]?
    public internal(set) var counting: Counting
    /// At most 32.
    public let exclusions: [FunnelExclusion]
    public internal(set) var breakdown: FunnelBreakdown?
    /// The earliest start that counts, in milliseconds since 1970 UTC.
    public internal(set) var since: Int64?
    /// Starts at or after this, in milliseconds since 1970 UTC, do not count.
    public internal(set) var until: Int64?
    /// Whether `identified` meta lines join an anonymous id to its user. Only a ``key`` of users is joined.
    public let identify: Bool
    public let compat: FunnelCompat?
    /// Whose events count; everybody's, unless it is set.
    public var cohort = CohortFilter.everyone
    /// Whether starts count whose window was still open when the data ended.
    public var starts = Starts.all
    /// In milliseconds: how long a session has to be silent at the end of the data to be over. Two starts without a session are one visit
    /// if they lie less than this apart.
    public var sessionTimeoutMilliseconds = defaultSessionTimeoutMilliseconds
    /// When the data ends, in milliseconds since 1970 UTC; `nil` for the time of the last event, as ``DataEnd`` says.
    public var dataEnd: Int64?

    /// - Parameters:
    ///   - steps: 1 to 32, the first not optional.
    ///   - windowMilliseconds: 0 or more; 0 keeps a chain within one millisecond.
    ///   - stepWindowMilliseconds: 0 or more.
    ///   - since: the first millisecond since 1970 UTC in which an attempt may start.
    ///   - until: the first millisecond since 1970 UTC in which none may start any more; after `since`.
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

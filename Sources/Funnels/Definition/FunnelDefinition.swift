/// What a funnel counts, complete: everything that could change a number stands here and is printed with every result.
///
/// 1. **Key**: events are grouped by ``key``; events without it are left out and counted. An empty text is no key.
/// 2. **Duplicates**: events with the same `id` count once; events without `id` are never duplicates.
/// 3. **Order**: by `t_ms` and nothing else; events of one key that share a millisecond stand in whatever order is the most
///    favourable.
/// 4. **Attempt**: each event that matches step 1 starts one. An attempt takes the first event that matches its next step,
///    after the step before or in its millisecond, within ``windowMilliseconds`` of its step 1, inclusive. One event fills at
///    most one step of an attempt. A later start replaces an earlier one on each step that it reaches.
/// 5. **Result of a key**: its deepest attempt; among equally deep ones the first to get there, and if one millisecond brought
///    several there, the one with the later start. All times come from that one chain.
///
/// ``since`` and ``until`` choose starts; later steps may lie after `until`, up to the window.
public struct FunnelDefinition: Sendable, Hashable {
    /// How the steps have to follow each other.
    public enum Order: String, Sendable, Hashable {
        /// In the order given, with any other events between.
        case ordered
    }

    /// Seven days: long enough for a purchase that is slept over.
    public static let defaultWindowMilliseconds: Int64 = 7 * 86_400_000

    /// The heading of its reports.
    public let name: String?
    /// 1 to 32 of them.
    public let steps: [FunnelStep]
    /// The longest time from step 1 to any later step, inclusive, in milliseconds.
    public let windowMilliseconds: Int64
    public let key: FunnelKey
    public let order: Order
    /// The earliest start that counts, in milliseconds since 1970 UTC.
    public let since: Int64?
    /// Starts at or after this, in milliseconds since 1970 UTC, do not count.
    public let until: Int64?

    /// - Parameters:
    ///   - steps: 1 to 32, the first not optional.
    ///   - windowMilliseconds: 0 or more; 0 keeps a chain within one millisecond.
    ///   - since: the first millisecond since 1970 UTC in which an attempt may start.
    ///   - until: the first millisecond since 1970 UTC in which none may start any more; after `since`.
    /// - Throws: ``FunnelDefinitionError``.
    public init(
        name: String? = nil, steps: [FunnelStep], windowMilliseconds: Int64 = defaultWindowMilliseconds, key: FunnelKey = .user,
        order: Order = .ordered, since: Int64? = nil, until: Int64? = nil
    ) throws(FunnelDefinitionError) {
        guard (1...StepGrammar.mostSteps).contains(steps.count) else { throw .stepCount(steps.count) }
        if steps[0].isOptional { throw .firstStepOptional }
        if let place = steps.firstIndex(where: \.isOptional) { throw .optionalStepsNotAvailable(step: place + 1) }
        guard windowMilliseconds >= 0 else { throw .negativeWindow(windowMilliseconds) }
        if let since, let until, since >= until { throw .emptyTimeRange(since: since, until: until) }
        self.name = name
        self.steps = steps
        self.windowMilliseconds = windowMilliseconds
        self.key = key
        self.order = order
        self.since = since
        self.until = until
    }
}

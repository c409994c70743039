import TrackingEvents

/// What is counted of the ways that lead on from an event: everything that could change a number.
///
/// 1. **Key**, **duplicates** and **identified users** as of a ``FunnelDefinition``.
/// 2. **Order**: by `t_ms`. Of events in one millisecond the start comes first, the others follow by name, so that the order of
///    the data changes nothing.
/// 3. **Start**: of each key the first event of the name ``from`` within ``range``, or each of them (``Count/attempts``).
/// 4. **Path**: the events of the key after its start, whatever their name, up to ``depth`` of them, none later than ``windowMilliseconds``
///    after the start, inclusive. A path with fewer ends with `(end)`.
/// 5. **Backwards** (``Direction/before``): the same from the start into the past. Of events in one millisecond the start then comes
///    last, and a path with fewer events begins with `(start)`.
public struct PathsDefinition: Sendable, Hashable {
    /// How many starts a key can have.
    public enum Count: String, Sendable, Hashable, CaseIterable {
        /// One: its first.
        case users
        /// Each event of the name is one; paths may overlap.
        case attempts
    }

    /// Which way a path leads from its start.
    public enum Direction: String, Sendable, Hashable {
        /// To what comes next.
        case after = "from"
        /// To what came before.
        case before = "to"
    }

    /// A day: a path is what happens next, not what happens some time.
    public static let defaultWindowMilliseconds: Int64 = 86_400_000

    /// The name of the events that start a path, compared byte for byte.
    public let from: String
    public let direction: Direction
    public let windowMilliseconds: Int64
    /// How many events a path has besides its start, at most.
    public let depth: Int
    public let key: FunnelKey
    public let count: Count
    /// Whether an event of the same name as the one before it is passed over.
    public let mergesRepeats: Bool
    public let range: TimeRange
    /// Whether `identified` meta lines join an anonymous id to its user. Only a ``key`` of users is joined.
    public let identify: Bool
    /// The most events listed after each; the rest are `(other)`.
    public let top: Int
    /// The smallest share of all starts that is listed by name, 0…1; less is `(other)`.
    public let leastShare: Double
    /// Whose events count; everybody's, unless it is set.
    public var cohort = CohortFilter.everyone

    /// - Parameters:
    ///   - from: the name of the events that paths start from.
    ///   - direction: which way they lead.
    ///   - windowMilliseconds: 0 or more.
    ///   - depth: 1 or more.
    ///   - top: 1 or more.
    ///   - leastShare: 0…1.
    public init(
        from: String, direction: Direction = .after, windowMilliseconds: Int64 = defaultWindowMilliseconds, depth: Int = 3,
        key: FunnelKey = .user, count: Count = .users, mergesRepeats: Bool = false, range: TimeRange = .all, identify: Bool = true,
        top: Int = 5, leastShare: Double = 0
    ) {
        self.direction = direction
        self.from = from
        self.windowMilliseconds = max(windowMilliseconds, 0)
        self.depth = max(depth, 1)
        self.key = key
        self.count = count
        self.mergesRepeats = mergesRepeats
        self.range = range
        self.identify = identify
        self.top = max(top, 1)
        self.leastShare = min(max(leastShare, 0), 1)
    }
}

extension PathsDefinition {
    /// Whether anonymous ids are joined to users.
    var joins: Bool { identify && key == .user }
}

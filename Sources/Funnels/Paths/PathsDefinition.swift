/// Which paths from an event are counted, and how: everything that could change a number.
///
/// 1. **Key**, **duplicates** and **identified users** as in a ``FunnelDefinition``, except that ``FunnelKey/context(_:)`` is no key here.
/// 2. **Order**: by `t_ms`. Of events in one millisecond the start comes first, the others follow by name, so that the order of
///    the data changes nothing.
/// 3. **Start**: for each key the first event of the name ``from`` within ``range``, or each such event (``Count/attempts``).
/// 4. **Path**: the events of the key after its start, of any name: at most ``depth`` of them, and at most ``windowMilliseconds`` after the
///    start. A path with fewer than ``depth`` ends with `(end)`.
/// 5. **Backwards** (``Direction/before``): the same from the start into the past. Of events in one millisecond the start then comes
///    last, and a path with fewer events begins with `(start)`.
///
/// Memory: about 36 bytes for each event with a key, 8 for each event of a path. Time: O(bytes + events + starts × depth), if in order.
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

    /// One day: a path is about what happens next, not about what happens some day.
    public static let defaultWindowMilliseconds: Int64 = 86_400_000

    /// The name of the events that start a path, compared byte for byte.
    public let from: String
    public var direction = Direction.after
    /// 0 or more.
    public var windowMilliseconds = defaultWindowMilliseconds
    /// How many events a path has besides its start, at most; 1 or more.
    public var depth = 3
    public var key = FunnelKey.user
    public var count = Count.users
    /// Whether an event of the same name as the one before it is passed over.
    public var mergesRepeats = false
    public var range = TimeRange.all
    /// Whether `identified` meta lines join an anonymous id to its user. Only a ``key`` of users is joined.
    public var identify = true
    /// How many event names are listed after each event at most, 1 or more; the rest are `(other)`.
    public var top = 5
    /// Events with a smaller share of all starts than this, 0…1, are not listed by name: they are `(other)`.
    public var leastShare = 0.0
    /// Whose events count; everybody's, unless it is set.
    public var cohort = CohortFilter.everyone

    var cohortTest: CohortTest { CohortTest(cohort, countedBy: key, joins: identify) }
    var joins: Bool { identify && (key == .user || cohortTest.asksUsers) }
}

extension PathsDefinition: EventQuestion {
    /// Asks what comes after events of this name.
    public init(from: String) { self.init(from: from, direction: .after) }

    public var pass: EventPass<EventPaths> {
        let (reader, joins, test) = (KeyReader(key), joins, cohortTest)
        return EventPass(
            SummaryNeeds(key: key, joins: joins, cohort: cohort),
            into: { CatalogueBatch(reader, joins: joins, cohort: test, expecting: $0) }
        ) { PathsAccumulator(self) }
    }
}

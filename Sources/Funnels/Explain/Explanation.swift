/// Why one key did not convert: a change after which the funnel counts it as converted, and where none suffices alone, several that do.
public struct Explanation: Sendable, Hashable {
    /// What keeps a key from converting, the nearest first.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The attempt began outside the range of starts.
        case range
        /// Another id of the same session has what is lacking, and was never identified.
        case alias
        /// A property of an event has another value than a step, or the held property, asks for.
        case filter
        /// An event that an exclusion names came between.
        case excluded
        /// Another event came between.
        case interrupted
        /// An event came too late.
        case late
        /// An event came too early.
        case order
        /// An event never came.
        case missing
    }

    /// An event of the data.
    public struct Event: Sendable, Hashable {
        /// `nil` where the line has none.
        public let id: String?
        public let name: String
        /// In milliseconds since 1970 UTC.
        public let timeMilliseconds: Int64
    }

    /// One change. Steps are numbered from 1, times are in milliseconds since 1970 UTC.
    public enum Edit: Sendable, Hashable {
        /// Starts count at any time.
        case range
        /// Another id is the key's.
        case join(alias: String)
        /// A property has another value: `path` is `props.price`, or `session.platform` of the line that began the session.
        case set(Event, path: String, was: String?, to: String)
        case remove(Event)
        case move(Event, to: Int64)
        case add(step: Int, name: String, at: Int64)
    }

    /// What the nearest change says of the key.
    public struct Verdict: Sendable, Hashable {
        public let kind: Kind
        /// The step that the key does not reach without the change; 1 for the first.
        public let step: Int
        /// How far an event, or the start, lies from where it had to be, in milliseconds; `nil` for other kinds, and without a start.
        public let byMilliseconds: Int64?
        /// What the step asks of the property, `>=5`; `nil` for other kinds.
        public let wanted: String?
    }

    /// A step that the best attempt took, and with which event.
    public struct Taken: Sendable, Hashable {
        public let step: Int
        public let event: Event
    }

    public let definition: FunnelDefinition
    /// The key; the user, if it is an anonymous id that became one.
    public let key: String
    /// Whether the key has an event with the name of a step or an exclusion.
    public let hasEvents: Bool
    public let converted: Bool
    /// The step that the key's best attempt reached; 0 for none.
    public let reached: Int
    /// The events of that attempt, each with its step, 1 for the first.
    public let chain: [Taken]
    /// The steps that some event of the key fits, whenever it came: bit 0 is set for the first.
    public let hadSteps: UInt32
    /// How long the attempt can still wait for its next step after the data's end, in milliseconds; `nil` where it cannot.
    public let openMilliseconds: Int64?
    /// `nil` for a key that converted, for one that no changes make convert, and where the search did not end.
    public let verdict: Verdict?
    /// Changes that suffice together; a single one wherever one does.
    public let edits: [Edit]
    /// How many events the key has, if these were too many to be searched to the end; `nil` where the search ended.
    public let unsearchedEvents: Int?
    public let input: InputQuality
    /// Names in the steps and exclusions that no event had, in the definition's order.
    public let unseenNames: [UnseenName]
}

/// What kept keys from converting, added up.
public struct DropReasons: Sendable, Hashable {
    /// Keys with one kind of verdict at one step.
    public struct Count: Sendable, Hashable {
        /// `nil` for keys that need more than one change.
        public let kind: Explanation.Kind?
        /// The step that they do not reach; 1 for the first.
        public let step: Int
        public let count: Int
        /// The median of ``Explanation/Verdict/byMilliseconds``; `nil` for kinds without.
        public let medianMilliseconds: Double?
    }

    /// If more keys than this did not convert, only a sample of them is explained, chosen by hash.
    public static let mostKeys = 10_000

    public let definition: FunnelDefinition
    /// How many keys entered, and how many of them converted.
    public let entered: Int
    public let converted: Int
    /// How many of the keys that entered and did not convert were explained.
    public let asked: Int
    /// How many of the explained keys have too many events to be searched to the end.
    public let unsearched: Int
    /// How many of the explained keys can still go on after the data's end.
    public let windowOpen: Int
    /// The most frequent first, then by step.
    public let counts: [Count]
    public let input: InputQuality
    /// Names in the steps and exclusions that no event had, in the definition's order.
    public let unseenNames: [UnseenName]
}

/// Why a funnel's keys cannot be explained.
public enum ExplainError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The funnel counts in a way that has no single attempt to explain.
    case notTogether(FunnelDefinition.Part)
    /// A list of users leaves the key out.
    case leftOut(String)

    public var description: String {
        switch self {
        case .notTogether(let part): "explain does not go with \(part): it asks for each key's best attempt"
        case .leftOut(let key): "the lists of users leave `\(key)` out, so that the funnel does not count it"
        }
    }
}

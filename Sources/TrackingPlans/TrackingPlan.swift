import Basics

/// Which events exist, with which properties: the content of a `tracking-plan.json`.
///
/// One plan serves the compiler (``SwiftGenerator``), the files (``PlanChecker``) and the reports.
public struct TrackingPlan: Sendable, Hashable {
    /// How many names a property's path may have: event files cut what lies deeper.
    public static let maxDepth = 4

    /// What the generated type is named after: `Shop` gives `ShopEvent`.
    public let name: String

    /// The plan's own version, a text for people.
    public let version: String?

    /// The access level of the generated type.
    public let access: Access

    /// In the order of the file.
    public let events: [PlannedEventDeclaration]

    /// Properties that any event may carry and no function takes.
    public let shared: [PlannedProperty]

    /// Properties of the `session_started` line.
    public let session: [PlannedProperty]

    /// Named lists of values, in the order of the file.
    public let lists: [NamedList]

    public enum Access: String, Sendable, Hashable, CaseIterable { case `internal`, `public` }

    /// Values that several properties share.
    public struct NamedList: Sendable, Hashable {
        public let name: String
        public let values: [String]
    }

    /// Reads a plan.
    ///
    /// - Parameter bytes: UTF-8 JSON of at most 1 MiB.
    /// - Throws: the first thing that is wrong, with its line and column.
    public init(_ bytes: [UInt8]) throws(PlanError) {
        let text = try PlanText(bytes)
        self = try PlanReader(text: text).plan(PlanJSONReader.read(text))
    }

    init(
        name: String, version: String? = nil, access: Access = .internal, events: [PlannedEventDeclaration], shared: [PlannedProperty] = [],
        session: [PlannedProperty] = [], lists: [NamedList] = []
    ) {
        self.name = name
        self.version = version
        self.access = access
        self.events = events
        self.shared = shared
        self.session = session
        self.lists = lists
    }

    /// The declaration of an event; `nil` for a name that the plan does not have.
    ///
    /// - Complexity: O(n) in the number of events.
    public func event(named name: String) -> PlannedEventDeclaration? { events.first { $0.name.isExactly(name) } }
}

/// One event of a plan.
public struct PlannedEventDeclaration: Sendable, Hashable {
    public let name: String
    public let about: String?
    /// Why the event is not to be used any more, and what instead.
    public let deprecated: String?
    public let since: String?
    public let owner: String?
    public let tags: [String]
    /// Its own and those of its groups, in the order of the file, groups last.
    public let properties: [PlannedProperty]

    init(
        name: String, about: String? = nil, deprecated: String? = nil, since: String? = nil, owner: String? = nil, tags: [String] = [],
        properties: [PlannedProperty] = []
    ) {
        self.name = name
        self.about = about
        self.deprecated = deprecated
        self.since = since
        self.owner = owner
        self.tags = tags
        self.properties = properties
    }
}

/// One property of an event or a session.
public struct PlannedProperty: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable { case string, int, number, bool, object, array }

    /// The values that a string may have.
    public enum Values: Sendable, Hashable {
        case own([String])
        /// The plan's list of that name.
        case list(TrackingPlan.NamedList)

        public var all: [String] {
            switch self {
            case .own(let values): values
            case .list(let list): list.values
            }
        }
    }

    /// Dots go deeper: `order.id` is the key `id` of the object `order`.
    public let path: String
    public let kind: Kind
    public let isOptional: Bool
    public let values: Values?
    public let min: Double?
    public let max: Double?
    public let isSensitive: Bool
    public let about: String?

    init(
        path: String, kind: Kind, isOptional: Bool = false, values: Values? = nil, min: Double? = nil, max: Double? = nil,
        isSensitive: Bool = false, about: String? = nil
    ) {
        self.path = path
        self.kind = kind
        self.isOptional = isOptional
        self.values = values
        self.min = min
        self.max = max
        self.isSensitive = isSensitive
        self.about = about
    }

    /// The keys of the path, outermost first.
    public var keys: [String] { path.partsBetweenDots }
}

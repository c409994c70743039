import Basics

/// Which events exist, with which properties: the content of a `tracking-plan.json`.
///
/// One plan serves the compiler (`SwiftGenerator` of PlanAuthoring), the files (``PlanChecker``) and the reports.
public struct TrackingPlan: Sendable, Hashable {
    /// How many names a property's path may have: event files cut what lies deeper.
    public static let maxDepth = 4

    /// What the generated type is named after: `Shop` gives `ShopEvent`.
    public let name: String

    /// The plan's own version, a text for people.
    public package(set) var version: String?

    /// The access level of the generated type.
    public package(set) var access: Access = .internal

    /// In the order of the file.
    public let events: [PlannedEventDeclaration]

    /// Properties that any event may carry and no function takes.
    public package(set) var shared: [PlannedProperty] = []

    /// Properties of the `session_started` line.
    public package(set) var session: [PlannedProperty] = []

    /// Named lists of values, in the order of the file.
    public package(set) var lists: [NamedList] = []

    public enum Access: String, Sendable, Hashable, CaseIterable { case `internal`, `public` }

    /// Values that several properties share.
    public struct NamedList: Sendable, Hashable {
        public let name: String
        public let values: [String]
    }

    /// The declaration of an event; `nil` for a name that the plan does not have.
    ///
    /// - Complexity: O(n) in the number of events.
    public func event(named name: String) -> PlannedEventDeclaration? { events.first { $0.name.isExactly(name) } }
}

extension TrackingPlan {
    /// Reads a plan.
    ///
    /// - Parameter bytes: UTF-8 JSON of at most 1 MiB.
    /// - Throws: the first thing that is wrong, with its line and column; faults of the JSON come before faults of the plan.
    public init(_ bytes: [UInt8]) throws(PlanError) {
        let text = try PlanText(bytes)
        var reader = PlanReader(text: text)
        self = try reader.plan(PlanJSON.read(text))
    }
}

/// One event of a plan.
public struct PlannedEventDeclaration: Sendable, Hashable {
    public let name: String
    public package(set) var about: String?
    /// Why the event is not to be used any more, and what instead.
    public package(set) var deprecated: String?
    public package(set) var since: String?
    public package(set) var owner: String?
    public package(set) var tags: [String] = []
    /// Its own and those of its groups, in the order of the file, groups last.
    public package(set) var properties: [PlannedProperty] = []
}

extension PlannedEventDeclaration {
    package init(_ name: String, _ properties: [PlannedProperty]) { self.init(name: name, properties: properties) }
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
    public package(set) var isOptional: Bool = false
    public package(set) var values: Values?
    public package(set) var min: Double?
    public package(set) var max: Double?
    public package(set) var isSensitive: Bool = false
    public package(set) var about: String?

    /// The keys of the path, outermost first.
    public var keys: [String] { path.partsBetweenDots }
}

extension PlannedProperty {
    package init(_ path: String, _ kind: Kind, isOptional: Bool, values: [String]?) {
        self.init(path: path, kind: kind, isOptional: isOptional, values: values.map { .own($0) })
    }

    /// `1 to 9`, `at least 1` or `at most 9`; `nil` without a bound.
    package var range: String? {
        switch (min, max) {
        case (let low?, let high?): "\(PlanText.number(low)) to \(PlanText.number(high))"
        case (let low?, nil): "at least \(PlanText.number(low))"
        case (nil, let high?): "at most \(PlanText.number(high))"
        case (nil, nil): nil
        }
    }
}

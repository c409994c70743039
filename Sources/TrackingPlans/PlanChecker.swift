import Basics

/// Compares events with a plan.
///
/// - Complexity: O(properties) for each event, beside one look-up by name.
public struct PlanChecker: Sendable {
    /// A value as a line of an event file has it.
    public enum Value: Sendable, Hashable {
        /// Counts as missing.
        case null
        case bool(Bool)
        case integer(Int64)
        /// A number with a point or an exponent, and an integer beyond 64 bits.
        case number(Double)
        case string(String)
        case object, array
    }

    /// One way in which an event differs from the plan.
    public struct Violation: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            case unplannedEvent = "unplanned_event"
            case missingProperty = "missing_property"
            case wrongType = "wrong_type"
            case unknownValue = "unknown_value"
            case outOfRange = "out_of_range"
            case unplannedProperty = "unplanned_property"
            case deprecatedEvent = "deprecated_event"
        }

        public let kind: Kind
        public let event: String
        public let property: String?
        /// The value in question, as text.
        public let example: String?
        /// Whether that value is a string.
        package var isString = false
    }

    /// Keys that the writer and the tracker add by themselves. No plan has them.
    public static let reservedKeys: Set<String> = ["_cut", "sample_rate", "previous_session"]

    /// The name of the line that carries a session's context. No event of a plan has it.
    public static let sessionEvent = "session_started"

    /// Whether a path is a reserved key or lies in one.
    package static func isReserved(_ path: String) -> Bool { path.partsBetweenDots.first.map(reservedKeys.contains) ?? false }

    fileprivate struct Expected: Sendable {
        let isDeprecated: Bool
        /// The paths of the required properties, those in ``sensitive`` left out.
        let required: [String]
        /// Paths whose values may be dropped, masked or hashed, alone or with the object they are in.
        let sensitive: Set<ExactText>
        let byPath: [ExactText: PlannedProperty]
        /// Objects that properties lie inside of; `true` for those that may hold anything.
        let objects: [ExactText: Bool]

        init(_ properties: [PlannedProperty], optional shared: [PlannedProperty] = [], isDeprecated: Bool = false) {
            self.isDeprecated = isDeprecated
            let all = properties + shared
            let hidden = all.filter { $0.kind == .object && $0.isSensitive }.map { $0.path + "." }
            sensitive = Set(
                all.filter { each in each.isSensitive || hidden.contains { each.path.begins(exactly: $0) } }.map { ExactText($0.path) })
            required = properties.filter { [sensitive] in !$0.isOptional && !sensitive.contains(ExactText($0.path)) }.map(\.path)
            byPath = Dictionary(all.map { (ExactText($0.path), $0) }) { first, _ in first }
            let outer = all.flatMap { property in property.path.outerPaths.map { ($0, false) } }
            objects = Dictionary(outer + all.filter { $0.kind == .object }.map { (ExactText($0.path), true) }) { $0 || $1 }
        }

        /// Whether an event may have a path that is no property of the plan.
        func allows(_ path: String) -> Bool {
            isReserved(path) || path.outerPaths.contains { objects[$0] == true || sensitive.contains($0) }
        }
    }

    private let events: [ExactText: Expected]
    private let session: Expected

    public init(_ plan: TrackingPlan) {
        events = Dictionary(
            plan.events.map { (ExactText($0.name), Expected($0.properties, optional: plan.shared, isDeprecated: $0.deprecated != nil)) }
        ) { first, _ in first }
        session = Expected(plan.session)
    }

    /// What is wrong with one event.
    ///
    /// - Parameters:
    ///   - properties: every value by its path, dots going deeper; an object stands for itself, before what is in it.
    ///   - isSession: whether the event is the line with the session's context.
    public func violations(of event: String, _ properties: [(path: String, value: Value)], isSession: Bool = false) -> [Violation] {
        var violations: [Violation] = []
        func add(_ kind: Violation.Kind, _ property: String? = nil, _ example: Value? = nil) {
            let isString = if case .string = example { true } else { false }
            violations.append(Violation(kind: kind, event: event, property: property, example: example?.text, isString: isString))
        }
        guard let expected = isSession ? session : events[ExactText(event)] else {
            add(.unplannedEvent)
            return violations
        }
        if expected.isDeprecated { add(.deprecatedEvent) }
        var present: Set<ExactText> = []
        // Where an object is reported, what lies in it is not.
        var unreported: String?
        for (path, value) in properties where value != .null {
            let exact = ExactText(path)
            if let property = expected.byPath[exact] {
                present.insert(exact)
                guard !expected.sensitive.contains(exact), let kind = Self.fault(of: value, property) else { continue }
                add(kind, path, value)
                if value == .object { unreported = path + "." }
            } else if expected.objects[exact] == false {
                if value != .object { add(.wrongType, path, value) }
            } else if !expected.allows(path), unreported.map({ !path.begins(exactly: $0) }) ?? true {
                add(.unplannedProperty, path, value)
                if value == .object { unreported = path + "." }
            }
        }
        for path in expected.required where !present.contains(ExactText(path)) { add(.missingProperty, path) }
        return violations
    }

    /// Whether a text is an integer of at least ±2⁵³: writers keep larger ones as text.
    package static func isLargeInteger(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        guard digits.count + 1 >= text.utf8.count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        return Double(text).map { $0.magnitude >= 9_007_199_254_740_992 } ?? false
    }

    private static func fault(of value: Value, _ property: PlannedProperty) -> Violation.Kind? {
        switch (property.kind, value) {
        case (.string, .string(let text)):
            if let values = property.values?.all, !values.contains(where: { $0.isExactly(text) }) { return .unknownValue }
            return nil
        case (.int, .string(let text)), (.number, .string(let text)):
            // The writer turns whole numbers beyond ±2⁵³ into text.
            guard isLargeInteger(text), let number = Double(text) else { return .wrongType }
            return property.contains(number) ? nil : .outOfRange
        case (.int, .integer(let number)), (.number, .integer(let number)): return property.contains(Double(number)) ? nil : .outOfRange
        case (.number, .number(let number)): return property.contains(number) ? nil : .outOfRange
        case (.bool, .bool), (.object, .object), (.array, .array): return nil
        default: return .wrongType
        }
    }
}

extension PlanChecker.Violation: CustomStringConvertible {
    /// One line, such as "wrong_type: items of cart_added is two", with names and values in backticks.
    public var description: String {
        let subject = property.map { "\(PlanText.quoted($0)) of \(PlanText.quoted(event))" } ?? PlanText.quoted(event)
        return "\(kind.rawValue): \(subject)" + (example.map { " is \(PlanText.quoted($0))" } ?? "")
    }
}

extension PlannedProperty {
    fileprivate func contains(_ number: Double) -> Bool { (min.map { number >= $0 } ?? true) && (max.map { number <= $0 } ?? true) }
}

extension PlanChecker.Value {
    /// As a person reads it.
    public var text: String {
        switch self {
        case .null: "null"
        case .bool(let truth): "\(truth)"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .string(let text): text
        case .object: "{…}"
        case .array: "[…]"
        }
    }
}

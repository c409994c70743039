import Basics
public import TrackingPlans

/// Writes the Swift type of a plan: a struct around one `TrackingEvent` with a static function or property for each event.
///
/// Functions, not cases: an enum of 300 events costs ten times the compile time and a kilobyte a value. Equal plans give equal bytes.
public struct SwiftGenerator {
    private let plan: TrackingPlan
    private var lines: [String] = []

    /// The source of the plan's type, its line feed at the end included.
    public static func source(of plan: TrackingPlan) -> String {
        var generator = SwiftGenerator(plan: plan)
        generator.write()
        return generator.lines.joined(separator: "\n") + "\n"
    }

    /// The plan was read, so its names are names of Swift.
    private var typeName: String { (SwiftName.type(plan.name) ?? "") + "Event" }

    private var access: String { plan.access.rawValue }

    private mutating func line(_ text: String, _ depth: Int = 0) { lines.append(String(repeating: "    ", count: depth) + text) }

    private mutating func write() {
        line("// Generated from a tracking plan. Change the plan, not this file.")
        line("// swift-format-ignore-file")
        line("")
        // `internal import` does not go together with the plain imports of a target without the feature InternalImportsByDefault.
        line(plan.access == .public ? "public import TrackingEvents" : "import TrackingEvents")
        line("")
        comment("The events of \(plan.name)\(plan.version.map { ", version \($0)" } ?? ""), as its tracking plan has them.", 0)
        line("nonisolated \(access) struct \(typeName): PlannedEvent, Equatable {")
        line("/// What is tracked.", 1)
        line("\(access) let trackingEvent: TrackingEvent", 1)
        line("")
        line("private init(_ name: String, _ properties: TrackingProperties) { trackingEvent = TrackingEvent(name, properties) }", 1)
        for list in plan.lists {
            type(SwiftName.nestedType(list.name), of: list.values, isEnum: true, "The values of the list \(PlanText.quoted(list.name)).")
        }
        for event in plan.events { write(event) }
        if plan.events.contains(where: { !$0.properties.isEmpty }) { writeAdders() }
        line("}")
    }

    private mutating func write(_ event: PlannedEventDeclaration) {
        for property in event.properties {
            guard case .own(let values) = property.values else { continue }
            type(
                SwiftName.nestedType(event.name, property.path), of: values, isEnum: false,
                "A value of \(PlanText.quoted(property.path)) in the event \(PlanText.quoted(event.name)).")
        }
        line("")
        comment(event.about ?? "The event \(PlanText.quoted(event.name)).", 1)
        let described = event.properties.compactMap { property in words(about: property).map { (property, $0) } }
        if !described.isEmpty {
            line("///", 1)
            line("/// - Parameters:", 1)
            for (property, words) in described {
                line("///   - \(SwiftName.member(property.path) ?? ""): \(Self.commented(words).joined(separator: " "))", 1)
            }
        }
        if let deprecated = event.deprecated { line("@available(*, deprecated, message: \(SwiftName.literal(deprecated)))", 1) }
        let name = SwiftName.declared(SwiftName.function(event.name) ?? "")
        if event.properties.isEmpty {
            line("\(access) static var \(name): \(typeName) { \(typeName)(\(SwiftName.literal(event.name)), [:]) }", 1)
            return
        }
        line("\(access) static func \(name)(", 1)
        for (index, property) in event.properties.enumerated() {
            let (type, end) = (type(of: property, in: event), index + 1 < event.properties.count ? "," : "")
            line("\(parameter(property)): \(type)\(property.isOptional ? "? = nil" : "")\(end)", 2)
        }
        line(") -> \(typeName) {", 1)
        for property in event.properties { assertion(property) }
        build(event)
        line("}", 1)
    }

    /// Writes for each property one call of a function that is not inlined: 3,000 properties compile in seconds that way.
    private mutating func build(_ event: PlannedEventDeclaration) {
        let tree = PropertyTree(event.properties)
        // No parameter begins with `_` and a small letter.
        line("var _made = Made(\(tree.children.count))", 2)
        for child in tree.children { add(child, to: "_made", depth: 0) }
        line("return \(typeName)(\(SwiftName.literal(event.name)), _made.properties)", 2)
    }

    /// Adds one key to an object. An object inside it is made first, and left out if it is empty.
    private mutating func add(_ node: PropertyTree, to target: String, depth: Int) {
        let key = SwiftName.literal(node.key)
        if node.children.isEmpty {
            guard let property = node.property else { return }
            return line("\(target).\(adder(property.kind, property.isSensitive))(\(key), \(value(property)))", 2)
        }
        let inner = "_inner\(depth + 1)"
        line("do {", 2)
        line("var \(inner) = Made(\(node.children.count))", 2)
        for child in node.children { add(child, to: inner, depth: depth + 1) }
        let object = "\(inner).filled(\(node.property.map { "over: " + parameter($0) } ?? ""))"
        line("\(target).\(node.property?.isSensitive == true ? "sensitiveObject" : "object")(\(key), \(object))", 2)
        line("}", 2)
    }

    private func adder(_ kind: PlannedProperty.Kind, _ isSensitive: Bool) -> String {
        isSensitive ? "sensitive" + SwiftName.capitalised(kind.rawValue) : kind.rawValue
    }

    /// Writes the type that collects an event's properties. It has a function for each kind of value in the plan, and for objects always.
    private mutating func writeAdders() {
        line("")
        line("/// The properties of an event while they are put together.", 1)
        line("private nonisolated struct Made {", 1)
        line("var entries: [TrackingProperties.Entry] = []", 2)
        line("var properties: TrackingProperties { TrackingProperties(uniqueKeys: entries) }", 2)
        line("")
        line("init(_ count: Int) { entries.reserveCapacity(count) }", 2)
        line("")
        line("/// What was added, over what an object has already; `nil` where there is nothing.", 2)
        line("func filled(over object: TrackingProperties? = nil) -> TrackingProperties? {", 2)
        line("guard var all = object else { return entries.isEmpty ? nil : properties }", 3)
        line("for entry in entries { all[entry.key] = entry.value }", 3)
        line("return all.isEmpty ? nil : all", 3)
        line("}", 2)
        let used = Set(plan.events.flatMap(\.properties).map { adder($0.kind, $0.isSensitive) })
        for kind in PlannedProperty.Kind.allCases {
            let wrap = ".\(kind == .number ? "double" : kind.rawValue)(value)"
            for isSensitive in [false, true] {
                let name = adder(kind, isSensitive)
                // Objects also stand around properties whose names have dots.
                guard used.contains(name) || kind == .object else { continue }
                line("")
                line("@inline(never)", 2)
                line("mutating func \(name)(_ key: String, _ value: \(kind.swiftType)?) {", 2)
                line("if let value { entries.append(.init(key: key, value: \(isSensitive ? ".sensitive(\(wrap))" : wrap))) }", 3)
                line("}", 2)
            }
        }
        line("}", 1)
    }

    private func parameter(_ property: PlannedProperty) -> String { SwiftName.declared(SwiftName.member(property.path) ?? "") }

    private func type(of property: PlannedProperty, in event: PlannedEventDeclaration) -> String {
        switch property.values {
        case .own: SwiftName.nestedType(event.name, property.path) ?? ""
        case .list(let list): SwiftName.nestedType(list.name) ?? ""
        case nil: property.kind.swiftType
        }
    }

    private func value(_ property: PlannedProperty) -> String {
        parameter(property) + (property.values == nil ? "" : property.isOptional ? "?.rawValue" : ".rawValue")
    }

    /// Asserts a property's range: a value beyond it is a fault of the program. In release builds `plan check` finds it.
    private mutating func assertion(_ property: PlannedProperty) {
        let name = parameter(property)
        for (bound, comparison, word) in [(property.min, ">=", "at least"), (property.max, "<=", "at most")] {
            guard let bound else { continue }
            let limit = PlanText.number(bound)
            let subject = property.isOptional ? "\(name).map { $0 \(comparison) \(limit) } ?? true" : "\(name) \(comparison) \(limit)"
            let message = SwiftName.literal("The plan has \(property.path) \(word) \(limit).")
            line("Swift.assert(\(subject), \(message))", 2)
        }
    }

    /// A list's values are an enum. One property's values are a struct, never read back: 300 enums with raw values take 15 s to compile.
    private mutating func type(_ name: String?, of values: [String], isEnum: Bool, _ about: String) {
        line("")
        comment(about, 1)
        let head = isEnum ? "enum \(name ?? ""): String, Sendable, CaseIterable" : "struct \(name ?? ""): Sendable"
        line("nonisolated \(access) \(head) {", 1)
        if !isEnum { line("fileprivate let rawValue: String", 2) }
        for value in values {
            let (member, literal) = (SwiftName.member(value) ?? "", SwiftName.literal(value))
            let declared = SwiftName.declared(member)
            let enumCase = "case \(declared)\(member.isExactly(value) ? "" : " = \(literal)")"
            line(isEnum ? enumCase : "\(access) static var \(declared): Self { Self(rawValue: \(literal)) }", 2)
        }
        line("}", 1)
    }

    private func words(about property: PlannedProperty) -> String? {
        let range = property.range.map { SwiftName.capitalised(property.min != nil && property.max != nil ? "from \($0)" : $0) + "." }
        let parts = [property.about, range, property.isSensitive ? "Sensitive." : nil].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    private mutating func comment(_ text: String, _ depth: Int) {
        for each in Self.commented(text) { line(each.isEmpty ? "///" : "/// \(each)", depth) }
    }

    /// The lines of a text, none of which can end the comment.
    private static func commented(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { line in
            String(String.UnicodeScalarView(line.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        }
    }
}

/// The properties of an event as the object that they make.
private struct PropertyTree {
    let key: String
    private(set) var property: PlannedProperty?
    private(set) var children: [PropertyTree] = []

    init(_ properties: [PlannedProperty]) {
        self.init(key: "")
        for property in properties { add(property, at: property.keys[...]) }
    }

    private init(key: String) { self.key = key }

    private mutating func add(_ property: PlannedProperty, at keys: ArraySlice<String>) {
        guard let first = keys.first else {
            self.property = property
            return
        }
        let known = children.firstIndex { $0.key.isExactly(first) }
        if known == nil { children.append(PropertyTree(key: first)) }
        children[known ?? children.count - 1].add(property, at: keys.dropFirst())
    }
}

extension PlannedProperty.Kind {
    fileprivate var swiftType: String {
        switch self {
        case .string: "String"
        case .int: "Int"
        case .number: "Double"
        case .bool: "Bool"
        case .object: "TrackingProperties"
        case .array: "[TrackingValue]"
        }
    }
}

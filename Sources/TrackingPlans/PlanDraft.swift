import Basics

/// A plan that is put together from what events look like, and its file.
///
/// The file is a plan: what no plan can hold is left out, with a note.
package struct PlanDraft: Sendable {
    package struct Property: Sendable, Hashable {
        package let path: String
        package let kind: PlannedProperty.Kind
        package let isOptional: Bool
        package let values: [String]?

        package init(path: String, kind: PlannedProperty.Kind, isOptional: Bool, values: [String]? = nil) {
            self.path = path
            self.kind = kind
            self.isOptional = isOptional
            self.values = values
        }
    }

    package struct Event: Sendable, Hashable {
        package let name: String
        package let properties: [Property]

        package init(name: String, properties: [Property]) {
            self.name = name
            self.properties = properties
        }
    }

    private let name: String
    private let events: [Event]
    private let session: [Property]

    /// - Parameters:
    ///   - name: what the type is named after.
    ///   - events: in the order of the file; no name stands twice.
    ///   - session: properties of the sessions' lines.
    package init(name: String, events: [Event], session: [Property]) {
        self.name = name
        self.events = events
        self.session = session
    }

    /// The file's text, its line feed at the end included, and a sentence about each name that it leaves out.
    package func written() -> (text: String, notes: [String]) {
        var notes: [String] = []
        var functions: Set<String> = []
        var enums: Set<String> = [(SwiftName.type(name) ?? "") + "Event"]
        var entries: [String] = []
        for event in events {
            if let why = Self.refusal(of: event.name, &functions) {
                notes.append("event \(PlanText.quoted(event.name)) is left out, and `plan check` reports it: \(why)")
                continue
            }
            let properties = usable(event.properties, of: event.name, &enums, &notes)
            entries.append("  \(Self.quoted(event.name)):{\"props\":\(Self.object(properties, indent: "    "))}")
        }
        var text = "{\"plan\":1,\"name\":\(Self.quoted(name)),\n \"events\":{"
        text += entries.isEmpty ? "}" : "\n" + entries.joined(separator: ",\n") + "}"
        let context = usable(session, of: PlanChecker.sessionEvent, &enums, &notes)
        if !context.isEmpty { text += ",\n \"session\":\(Self.object(context, indent: "  "))" }
        return (text + "}\n", notes)
    }

    /// Why an event cannot stand in a plan beside those before it; `nil` if it can.
    ///
    /// - Parameter functions: the names in Swift that are taken; gets this one's.
    private static func refusal(of event: String, _ functions: inout Set<String>) -> String? {
        if event == PlanChecker.sessionEvent { return "this name belongs to the line at the head of a session" }
        if event.utf8.count > PlanNames.maxEventBytes { return "a name has at most \(PlanNames.maxEventBytes) bytes" }
        guard let function = SwiftName.function(event) else { return noLetter }
        return functions.insert(function).inserted ? nil : "it is `\(function)` in Swift, as another event is"
    }

    /// Why a property cannot stand in a plan beside those before it.
    package struct Refusal: Sendable {
        /// Among the event's properties.
        package let index: Int
        /// A clause.
        package let why: String
        /// The one that it collides with.
        package let other: Int?

        package init(index: Int, why: String, other: Int?) {
            self.index = index
            self.why = why
            self.other = other
        }
    }

    /// The properties of one event that cannot stand in a plan, in their order.
    ///
    /// - Parameter paths: each once.
    package static func refusals(of paths: [String]) -> [Refusal] {
        var parameters: [String: Int] = [:]
        return paths.enumerated().compactMap { index, path in
            func refusal(_ why: String, _ other: Int? = nil) -> Refusal { Refusal(index: index, why: why, other: other) }
            let keys = path.partsBetweenDots
            if keys.contains("") { return refusal("a name has no empty parts between dots") }
            if keys.count > TrackingPlan.maxDepth { return refusal("a name has at most \(TrackingPlan.maxDepth) parts between dots") }
            guard let member = SwiftName.member(path) else { return refusal(noLetter) }
            if let earlier = parameters[member] {
                return refusal("it is `\(member)` in Swift, as \(PlanText.quoted(paths[earlier])) is", earlier)
            }
            parameters[member] = index
            return nil
        }
    }

    private static let noLetter = "without a letter or digit it has no name in Swift"

    /// Properties that can stand beside one another, with values that can name cases.
    private func usable(_ properties: [Property], of event: String, _ enums: inout Set<String>, _ notes: inout [String]) -> [Property] {
        var refused = Self.refusals(of: properties.map(\.path))[...]
        var usable: [Property] = []
        for (index, property) in properties.enumerated() {
            if let refusal = refused.first, refusal.index == index {
                notes.append(Self.note(leavingOut: property.path, of: event, refusal.why))
                refused.removeFirst()
                continue
            }
            usable.append(
                Property(
                    path: property.path, kind: property.kind, isOptional: property.isOptional,
                    values: values(of: property, in: event, &enums)))
        }
        return usable
    }

    /// What people read of a property that the plan does not have.
    package static func note(leavingOut path: String, of event: String, _ why: String) -> String {
        "property \(PlanText.quoted(path)) of \(PlanText.quoted(event)) is left out, and `plan check` reports it: \(why)"
    }

    private func values(of property: Property, in event: String, _ enums: inout Set<String>) -> [String]? {
        guard let values = property.values, let type = SwiftName.nestedType(event, property.path) else { return nil }
        let cases = values.compactMap(SwiftName.member)
        guard cases.count == values.count, Set(cases).count == cases.count else { return nil }
        // A session's values are no type.
        return event == PlanChecker.sessionEvent || enums.insert(type).inserted ? values : nil
    }

    private static func object(_ properties: [Property], indent: String) -> String {
        let lines = properties.map { property in
            var entry = "\(quoted(property.path)):{\"type\":\"\(property.kind.rawValue)\""
            if property.isOptional { entry += ",\"optional\":true" }
            if let values = property.values { entry += ",\"values\":[\(values.map(quoted).joined(separator: ","))]" }
            return "\n\(indent)\(entry)}"
        }
        return "{\(lines.joined(separator: ","))}"
    }

    private static func quoted(_ text: String) -> String {
        let bytes = ByteBuffer(capacity: text.utf8.count + 2)
        JSONText.append(text, to: bytes)
        return bytes.text
    }
}

import Basics

/// A plan that is put together from what events look like, and its file.
///
/// The file is a plan: names that Swift could not tell apart are left out, with a note.
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
        var functions: Set<String> = PlanNames.takenMembers
        var enums: Set<String> = PlanNames.takenTypes.union([(SwiftName.type(name) ?? "") + "Event"])
        var entries: [String] = []
        for event in events {
            guard event.name.utf8.count <= PlanNames.maxEventBytes, let member = SwiftName.member(event.name) else {
                notes.append("event \(PlanText.quoted(event.name)) is left out: its name gives none in Swift")
                continue
            }
            guard functions.insert(member).inserted else {
                notes.append("event \(PlanText.quoted(event.name)) is left out: another event is `\(member)` in Swift")
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

    /// Properties whose names differ in Swift, too, and values that can name cases.
    private func usable(_ properties: [Property], of event: String, _ enums: inout Set<String>, _ notes: inout [String]) -> [Property] {
        var parameters: Set<String> = []
        var usable: [Property] = []
        for property in properties {
            let words = "property \(PlanText.quoted(property.path)) of \(PlanText.quoted(event))"
            guard let member = SwiftName.member(property.path) else {
                notes.append("\(words) is left out: its name gives none in Swift")
                continue
            }
            guard parameters.insert(member).inserted else {
                notes.append("\(words) is left out: another property is `\(member)` in Swift")
                continue
            }
            usable.append(
                Property(
                    path: property.path, kind: property.kind, isOptional: property.isOptional,
                    values: values(of: property, in: event, &enums)))
        }
        return usable
    }

    private func values(of property: Property, in event: String, _ enums: inout Set<String>) -> [String]? {
        guard let values = property.values, let type = SwiftName.type(event, property.path) else { return nil }
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

import Basics
package import TrackingPlans

/// A plan that is put together from what events look like, and its file.
///
/// The file is a plan: what no plan can hold is left out, with a note.
package struct PlanDraft: Sendable {
    private let name: String
    private let events: [PlannedEventDeclaration]
    private let session: [PlannedProperty]

    /// The type is named after `name`. Events stand in the order of the file, and no name stands twice.
    package init(name: String, events: [PlannedEventDeclaration], session: [PlannedProperty]) {
        (self.name, self.events, self.session) = (name, events, session)
    }

    /// The file's text, its line feed at the end included, and a sentence about each name that it leaves out.
    package func written() -> (text: String, notes: [String]) {
        var notes: [String] = []
        var names: Set<String> = [(SwiftName.type(name) ?? "") + "Event"]
        var entries: [String] = []
        for event in events {
            if let why = Self.refusal(of: event.name, &names) {
                notes.append("event \(PlanText.quoted(event.name)) is left out, and `plan check` reports it: \(why)")
                continue
            }
            let properties = usable(event.properties, of: event.name, &names, &notes)
            entries.append("  \(JSONText.quoted(event.name)):{\"props\":\(Self.object(properties, indent: "    "))}")
        }
        var text = "{\"plan\":1,\"name\":\(JSONText.quoted(name)),\n \"events\":{"
        text += entries.isEmpty ? "}" : "\n" + entries.joined(separator: ",\n") + "}"
        let context = usable(session, of: PlanChecker.sessionEvent, &names, &notes)
        if !context.isEmpty { text += ",\n \"session\":\(Self.object(context, indent: "  "))" }
        return (text + "}\n", notes)
    }

    /// Why an event cannot stand in a plan beside those before it; `nil` if it can. Its Swift name is then added to `functions`.
    private static func refusal(of event: String, _ functions: inout Set<String>) -> String? {
        if event == PlanChecker.sessionEvent { return "this name belongs to the line at the head of a session" }
        if event.utf8.count > PlanNames.maxEventBytes { return "a name has at most \(PlanNames.maxEventBytes) bytes" }
        guard let function = SwiftName.function(event) else { return noLetter }
        return functions.insert(function).inserted ? nil : "it is `\(function)` in Swift, as another event is"
    }

    /// A property that cannot stand in a plan beside those before it: its index, why (as a clause), and the index of the one in its way.
    package typealias Refusal = (index: Int, why: String, other: Int?)

    /// Those of an event's properties that cannot stand in a plan, in their order. `paths` has those of the whole event, each path once.
    package static func refusals(of paths: [String]) -> [Refusal] {
        var parameters: [String: Int] = [:]
        return paths.enumerated().compactMap { index, path in
            func refusal(_ why: String, _ other: Int? = nil) -> Refusal { (index, why, other) }
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
    private func usable(
        _ properties: [PlannedProperty], of event: String, _ enums: inout Set<String>, _ notes: inout [String]
    ) -> [PlannedProperty] {
        let refused = Self.refusals(of: properties.map(\.path))
        notes += refused.map { Self.note(leavingOut: properties[$0.index].path, of: event, $0.why) }
        let indices = Set(refused.map(\.index))
        return properties.indices.filter { !indices.contains($0) }.map { index in
            var property = properties[index]
            property.values = values(of: property, in: event, &enums)
            return property
        }
    }

    package static func note(leavingOut path: String, of event: String, _ why: String) -> String {
        "property \(PlanText.quoted(path)) of \(PlanText.quoted(event)) is left out, and `plan check` reports it: \(why)"
    }

    private func values(of property: PlannedProperty, in event: String, _ enums: inout Set<String>) -> PlannedProperty.Values? {
        guard let values = property.values?.all, let type = SwiftName.nestedType(event, property.path) else { return nil }
        let cases = values.compactMap(SwiftName.member)
        guard cases.count == values.count, Set(cases).count == cases.count else { return nil }
        // The values of a session's properties make no Swift type that could collide.
        return event == PlanChecker.sessionEvent || enums.insert(type).inserted ? property.values : nil
    }

    private static func object(_ properties: [PlannedProperty], indent: String) -> String {
        let lines = properties.map { property in
            var entry = "\(JSONText.quoted(property.path)):{\"type\":\"\(property.kind.rawValue)\""
            if property.isOptional { entry += ",\"optional\":true" }
            if let values = property.values?.all { entry += ",\"values\":[\(values.map(JSONText.quoted).joined(separator: ","))]" }
            return "\n\(indent)\(entry)}"
        }
        return "{\(lines.joined(separator: ","))}"
    }
}

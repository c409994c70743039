import Basics

/// Makes a plan of the file's JSON, strictly: a misspelt key must not make a plan that says something else.
struct PlanReader {
    let text: PlanText
    private var names: PlanNames { PlanNames(text: text) }
    private var lists: [TrackingPlan.NamedList] = []
    /// Sets of properties that events include by their names.
    private var groups: [ExactText: [Placed]] = [:]

    /// The most properties in all events together. Groups multiply them: a file of a megabyte could ask for a hundred million.
    static let maxProperties = 100_000

    init(text: PlanText) { self.text = text }

    mutating func plan(_ json: PlanJSON) throws(PlanError) -> TrackingPlan {
        let top = try json.object(
            "the plan", keys: ["plan", "name", "access", "version", "$schema", "events", "shared", "session", "lists", "groups"])
        func required(_ key: String, _ expected: String) throws(PlanError) -> PlanJSON {
            guard let value = top[key] else { throw json.failure("no key `\(key)`", expected: expected) }
            return value
        }
        let version = try required("plan", "`\"plan\":1`, the version of the format")
        guard version.number == "1" else { throw version.failure(expected: "1, the version of the format") }
        let nameValue = try required("name", "`\"name\":\"Shop\"`, what the type is named after")
        let name = try nameValue.string()
        try names.checkType(name, at: nameValue)
        let listMembers = try top["lists"]?.members("an object: the lists by name") ?? []
        for member in listMembers { lists.append(TrackingPlan.NamedList(name: member.key, values: try values(member.value))) }
        for member in try top["groups"]?.members("an object: the groups by name") ?? [] {
            groups[ExactText(member.key)] = try properties(member.value)
        }
        let events = try required("events", "`\"events\":{}`, the events by name").members("an object: the events by name")
        _ = try top["$schema"]?.string()
        let plan = TrackingPlan(
            name: name, version: try top["version"]?.string(), access: try top["access"]?.word(TrackingPlan.Access.self) ?? .internal,
            events: try self.events(events), shared: try properties(top["shared"]).map(\.property),
            session: try properties(top["session"]).map(\.property), lists: lists)
        try names.check(events: events, plan: plan, lists: listMembers)
        return plan
    }

    private func values(_ value: PlanJSON) throws(PlanError) -> [String] {
        let values = try value.strings()
        if values.isEmpty { throw value.failure("an empty array", expected: "at least one value") }
        var seen: [ExactText: Int] = [:]
        for (value, offset) in values {
            if let earlier = seen.updateValue(offset, forKey: ExactText(value)) {
                throw text.failure(at: offset, "the value \(PlanText.quoted(value)) again", "each value once", other: earlier)
            }
        }
        try names.checkValues(values)
        return values.map(\.text)
    }

    private func events(_ members: [PlanJSON.Member]) throws(PlanError) -> [PlannedEventDeclaration] {
        var count = 0
        return try members.map { member throws(PlanError) in
            try names.checkEvent(member)
            let event = try event(member)
            count += event.properties.count
            if count <= Self.maxProperties { return event }
            throw text.failure(at: member.keyOffset, "\(count) properties in all events up to here", "at most \(Self.maxProperties)")
        }
    }

    private func event(_ member: PlanJSON.Member) throws(PlanError) -> PlannedEventDeclaration {
        let entry = try member.value.object("an event", keys: ["about", "deprecated", "since", "owner", "tags", "groups", "props"])
        var all = try placed(entry["props"])
        var included: [ExactText: Int] = [:]
        for (name, offset) in try entry["groups"]?.strings() ?? [] {
            guard let group = groups[ExactText(name)] else {
                throw text.failure(
                    at: offset, "the group \(PlanText.quoted(name))", Self.oneOf(groups.keys.map(\.text).sorted(), in: "groups"))
            }
            // At once: a file of a megabyte could name a group a hundred thousand times.
            if !group.isEmpty, let earlier = included.updateValue(offset, forKey: ExactText(name)) {
                throw text.failure(at: offset, "the group \(PlanText.quoted(name)) again", "each group once", other: earlier)
            }
            all += group.map { Placed(property: $0.property, offset: $0.offset, included: offset) }
        }
        try names.checkPaths(all)
        return PlannedEventDeclaration(
            name: member.key, about: try entry["about"]?.string(), deprecated: try entry["deprecated"]?.string(),
            since: try entry["since"]?.string(), owner: try entry["owner"]?.string(),
            tags: try entry["tags"]?.strings().map(\.text) ?? [], properties: all.map(\.property))
    }

    struct Placed {
        let property: PlannedProperty
        let offset: Int
        /// Where an event names the group that the property comes from.
        var included: Int?
    }

    /// The properties of one object, checked against each other; none without an object.
    private func properties(_ value: PlanJSON?) throws(PlanError) -> [Placed] {
        let placed = try placed(value)
        try names.checkPaths(placed)
        return placed
    }

    private func placed(_ value: PlanJSON?) throws(PlanError) -> [Placed] {
        try (value?.members("an object: properties by name") ?? []).map { member throws(PlanError) in
            Placed(property: try property(member), offset: member.keyOffset)
        }
    }

    private func property(_ member: PlanJSON.Member) throws(PlanError) -> PlannedProperty {
        let entry = try member.value.object("a property", keys: ["type", "optional", "values", "list", "min", "max", "sensitive", "about"])
        guard let kind = try entry["type"]?.word(PlannedProperty.Kind.self) else {
            let kinds = PlanText.quoted(PlannedProperty.Kind.allCases.map(\.rawValue))
            throw member.value.failure("no key `type`", expected: "`\"type\"` with one of \(kinds)")
        }
        let (low, high) = (try bound(entry["min"], kind), try bound(entry["max"], kind))
        if let low, let high, low > high, let max = entry["max"] {
            throw max.failure(expected: "at least the `min` of \(PlanText.number(low))")
        }
        return PlannedProperty(
            path: member.key, kind: kind, isOptional: try entry["optional"]?.flag() ?? false, values: try values(entry, kind), min: low,
            max: high, isSensitive: try entry["sensitive"]?.flag() ?? false, about: try entry["about"]?.string())
    }

    private func values(_ entry: [String: PlanJSON], _ kind: PlannedProperty.Kind) throws(PlanError) -> PlannedProperty.Values? {
        for key in ["values", "list"] where kind != .string {
            if let value = entry[key] {
                throw value.failure("`\(key)` of the type `\(kind)`", expected: "`\(key)` only of the type `string`")
            }
        }
        if let list = entry["list"] {
            if let values = entry["values"] { throw values.failure("`values` beside `list`", expected: "one of the two") }
            let name = try list.string()
            guard let named = lists.first(where: { $0.name.isExactly(name) }) else {
                throw list.failure("the list \(PlanText.quoted(name))", expected: Self.oneOf(lists.map(\.name), in: "lists"))
            }
            return .list(named)
        }
        return try entry["values"].map { value throws(PlanError) in .own(try values(value)) }
    }

    private static func oneOf(_ names: [String], in key: String) -> String {
        names.isEmpty ? "a name in `\(key)`, which the plan does not have" : "one of \(PlanText.quoted(names))"
    }

    /// A bound of a range, which has to be whole for the type `int`.
    private func bound(_ value: PlanJSON?, _ kind: PlannedProperty.Kind) throws(PlanError) -> Double? {
        guard let value else { return nil }
        guard kind == .int || kind == .number else {
            throw value.failure("a range of the type `\(kind)`", expected: "a range only of `int` or `number`")
        }
        guard let number = value.number.flatMap({ Double($0) }), number.isFinite else { throw value.failure(expected: "a number") }
        if kind == .int, number.rounded() != number || number.magnitude > 9_007_199_254_740_992 {
            throw value.failure(expected: "a whole number up to 2⁵³")
        }
        return number
    }
}

import Basics

/// Makes a plan of the file's JSON, strictly: a key that is misspelt must not be a plan that says something else.
struct PlanReader {
    let text: PlanText
    private let names: PlanNames

    /// Groups multiply: a file of a megabyte could ask for a hundred million properties.
    static let maxProperties = 100_000

    init(text: PlanText) {
        self.text = text
        names = PlanNames(text: text)
    }

    func plan(_ json: PlanJSON) throws(PlanError) -> TrackingPlan {
        let top = try PlanObject(
            json, of: "the plan",
            keys: ["plan", "name", "access", "version", "$schema", "events", "shared", "session", "lists", "groups"], text)
        guard let version = top["plan"] else { throw failure(json, "no key `plan`", "`\"plan\":1`, the version of the format") }
        guard case .number("1") = version.kind else { throw failure(version, version.words, "1, the version of the format") }
        guard let nameValue = top["name"] else { throw failure(json, "no key `name`", "`\"name\":\"Shop\"`, what the type is named after") }
        let name = try string(nameValue)
        try names.checkType(name, at: nameValue)
        let lists = try lists(top["lists"])
        let groups = try groups(top["groups"], lists)
        guard let events = top["events"] else { throw failure(json, "no key `events`", "`\"events\":{}`, the events by name") }
        _ = try top["$schema"].map { value throws(PlanError) in try string(value) }
        let plan = TrackingPlan(
            name: name, version: try text(top, "version"), access: try access(top["access"]),
            events: try self.events(events, lists, groups),
            shared: try properties(top["shared"], of: "shared", lists), session: try properties(top["session"], of: "session", lists),
            lists: lists)
        try names.check(events: events, plan: plan, lists: top["lists"])
        return plan
    }

    // MARK: Parts

    private func access(_ value: PlanJSON?) throws(PlanError) -> TrackingPlan.Access {
        guard let value else { return .internal }
        return try word(value, TrackingPlan.Access.self)
    }

    private func lists(_ value: PlanJSON?) throws(PlanError) -> [TrackingPlan.NamedList] {
        guard let value else { return [] }
        var lists: [TrackingPlan.NamedList] = []
        for member in try members(value, "the lists by name") {
            lists.append(TrackingPlan.NamedList(name: member.key, values: try values(member.value)))
        }
        return lists
    }

    private func values(_ value: PlanJSON) throws(PlanError) -> [String] {
        let places = try strings(value)
        if places.isEmpty { throw failure(value, "an empty array", "at least one value") }
        var seen: [ExactText: Int] = [:]
        for (text, place) in places {
            if let earlier = seen.updateValue(place, forKey: ExactText(text)) {
                throw PlanError(
                    at: self.text.place(of: place), found: "the value \(PlanText.quoted(text)) again", expected: "each value once",
                    other: self.text.place(of: earlier))
            }
        }
        try names.checkValues(places)
        return places.map(\.text)
    }

    /// A group is a set of properties that events include by its name.
    private typealias Groups = [ExactText: [Placed]]

    private func groups(_ value: PlanJSON?, _ lists: [TrackingPlan.NamedList]) throws(PlanError) -> Groups {
        guard let value else { return [:] }
        var groups: Groups = [:]
        for member in try members(value, "the groups by name") {
            let placed = try placed(member.value, lists)
            try names.checkPaths(placed)
            groups[ExactText(member.key)] = placed
        }
        return groups
    }

    private func events(
        _ value: PlanJSON, _ lists: [TrackingPlan.NamedList], _ groups: Groups
    ) throws(PlanError) -> [PlannedEventDeclaration] {
        var events: [PlannedEventDeclaration] = []
        var count = 0
        for member in try members(value, "the events by name") {
            try names.checkEvent(member)
            let event = try event(member, lists, groups)
            count += event.properties.count
            if count > Self.maxProperties {
                throw PlanError(
                    at: text.place(of: member.keyPlace), found: "\(count) properties in all events up to here",
                    expected: "at most \(Self.maxProperties)")
            }
            events.append(event)
        }
        return events
    }

    private func event(
        _ member: PlanJSON.Member, _ lists: [TrackingPlan.NamedList], _ groups: Groups
    ) throws(PlanError) -> PlannedEventDeclaration {
        let entry = try PlanObject(
            member.value, of: "an event", keys: ["about", "deprecated", "since", "owner", "tags", "groups", "props"], text)
        var all = try entry["props"].map { value throws(PlanError) in try placed(value, lists) } ?? []
        for (name, place) in try strings(entry, "groups") {
            guard let group = groups[ExactText(name)] else {
                throw PlanError(
                    at: text.place(of: place), found: "the group \(PlanText.quoted(name))",
                    expected: groups.isEmpty
                        ? "a name in `groups`, which the plan does not have" : "one of \(words(groups.keys.map(\.text).sorted()))")
            }
            all += group.map { Placed(property: $0.property, place: $0.place, included: place) }
        }
        try names.checkPaths(all)
        return PlannedEventDeclaration(
            name: member.key, about: try text(entry, "about"), deprecated: try text(entry, "deprecated"), since: try text(entry, "since"),
            owner: try text(entry, "owner"), tags: try strings(entry, "tags").map(\.text),
            properties: all.map(\.property))
    }

    private func properties(
        _ value: PlanJSON?, of place: String, _ lists: [TrackingPlan.NamedList]
    ) throws(PlanError) -> [PlannedProperty] {
        guard let value else { return [] }
        let placed = try placed(value, lists)
        try names.checkPaths(placed)
        return placed.map(\.property)
    }

    /// A property and where it is declared.
    struct Placed {
        let property: PlannedProperty
        let place: Int
        /// Where an event names the group that it comes from.
        var included: Int?
    }

    private func placed(_ value: PlanJSON, _ lists: [TrackingPlan.NamedList]) throws(PlanError) -> [Placed] {
        var placed: [Placed] = []
        for member in try members(value, "properties by name") {
            placed.append(Placed(property: try property(member, lists), place: member.keyPlace))
        }
        return placed
    }

    private func property(_ member: PlanJSON.Member, _ lists: [TrackingPlan.NamedList]) throws(PlanError) -> PlannedProperty {
        let entry = try PlanObject(
            member.value, of: "a property", keys: ["type", "optional", "values", "list", "min", "max", "sensitive", "about"], text)
        guard let type = entry["type"] else {
            throw failure(member.value, "no key `type`", "`\"type\"` with one of \(words(PlannedProperty.Kind.allCases.map(\.rawValue)))")
        }
        let kind = try word(type, PlannedProperty.Kind.self)
        let (low, high) = (try bound(entry["min"], kind), try bound(entry["max"], kind))
        if let low, let high, low > high, let max = entry["max"] {
            throw failure(max, max.words, "at least the `min` of \(PlanText.number(low))")
        }
        return PlannedProperty(
            path: member.key, kind: kind, isOptional: try flag(entry["optional"]), values: try values(entry, kind, lists), min: low,
            max: high, isSensitive: try flag(entry["sensitive"]), about: try text(entry, "about"))
    }

    private func values(
        _ entry: PlanObject, _ kind: PlannedProperty.Kind, _ lists: [TrackingPlan.NamedList]
    ) throws(PlanError) -> PlannedProperty.Values? {
        for key in ["values", "list"] where kind != .string {
            if let value = entry[key] { throw failure(value, "`\(key)` of the type `\(kind)`", "`\(key)` only of the type `string`") }
        }
        if let list = entry["list"] {
            if let values = entry["values"] { throw failure(values, "`values` beside `list`", "one of the two") }
            let name = try string(list)
            guard let named = lists.first(where: { $0.name.isExactly(name) }) else {
                throw failure(
                    list, "the list \(PlanText.quoted(name))",
                    lists.isEmpty ? "a name in `lists`, which the plan does not have" : "one of \(words(lists.map(\.name)))")
            }
            return .list(named)
        }
        return try entry["values"].map { value throws(PlanError) in .own(try values(value)) }
    }

    /// A bound of a range. Whole for whole numbers.
    private func bound(_ value: PlanJSON?, _ kind: PlannedProperty.Kind) throws(PlanError) -> Double? {
        guard let value else { return nil }
        guard kind == .int || kind == .number else {
            throw failure(value, "a range of the type `\(kind)`", "a range only of `int` or `number`")
        }
        guard case .number(let spelling) = value.kind, let number = Double(spelling), number.isFinite else {
            throw failure(value, value.words, "a number")
        }
        if kind == .int, number.rounded() != number || number.magnitude > 9_007_199_254_740_992 {
            throw failure(value, value.words, "a whole number up to 2⁵³")
        }
        return number
    }

    // MARK: Values

    private func failure(_ value: PlanJSON, _ found: String, _ expected: String) -> PlanError {
        PlanError(at: text.place(of: value.place), found: found, expected: expected)
    }

    private func words(_ names: [String]) -> String { names.map { PlanText.quoted($0) }.joined(separator: ", ") }

    private func members(_ value: PlanJSON, _ expected: String) throws(PlanError) -> [PlanJSON.Member] {
        guard case .object(let members) = value.kind else { throw failure(value, value.words, "an object: \(expected)") }
        return members
    }

    private func string(_ value: PlanJSON) throws(PlanError) -> String {
        guard case .string(let text) = value.kind else { throw failure(value, value.words, "a text") }
        return text
    }

    private func text(_ entry: PlanObject, _ key: String) throws(PlanError) -> String? {
        guard let value = entry[key] else { return nil }
        return try string(value)
    }

    private func strings(_ value: PlanJSON) throws(PlanError) -> [(text: String, place: Int)] {
        guard case .array(let elements) = value.kind else { throw failure(value, value.words, "an array of texts") }
        var texts: [(text: String, place: Int)] = []
        for element in elements { texts.append((try string(element), element.place)) }
        return texts
    }

    private func strings(_ entry: PlanObject, _ key: String) throws(PlanError) -> [(text: String, place: Int)] {
        guard let value = entry[key] else { return [] }
        return try strings(value)
    }

    private func flag(_ value: PlanJSON?) throws(PlanError) -> Bool {
        guard let value else { return false }
        guard case .bool(let truth) = value.kind else { throw failure(value, value.words, "`true` or `false`") }
        return truth
    }

    private func word<Word: RawRepresentable & CaseIterable>(_ value: PlanJSON, _ type: Word.Type) throws(PlanError) -> Word
    where Word.RawValue == String {
        let text = try string(value)
        guard let word = Word(rawValue: text) else { throw failure(value, value.words, "one of \(words(Word.allCases.map(\.rawValue)))") }
        return word
    }
}

/// An object that has known keys only.
struct PlanObject {
    private let values: [String: PlanJSON]

    init(_ json: PlanJSON, of owner: String, keys: [String], _ text: PlanText) throws(PlanError) {
        guard case .object(let members) = json.kind else {
            throw PlanError(at: text.place(of: json.place), found: json.words, expected: "an object for \(owner)")
        }
        for member in members where !keys.contains(member.key) {
            throw PlanError(
                at: text.place(of: member.keyPlace), found: "the key \(PlanText.quoted(member.key))",
                expected: "for \(owner) one of \(keys.map { "`\($0)`" }.joined(separator: ", "))")
        }
        values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    subscript(key: String) -> PlanJSON? { values[key] }
}

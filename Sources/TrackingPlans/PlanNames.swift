import Basics

/// Refuses names that collide, in the plan or in the Swift that is generated from it.
///
/// Names of Swift collide where they look the same: the compiler tells an "é" of one scalar from one of two, and its readers do not.
struct PlanNames {
    let text: PlanText

    /// The longest name of an event, in bytes, as on the line of an event file.
    static let maxEventBytes = 200

    private func failure(_ offset: Int, _ found: String, _ expected: String, other: Int? = nil) -> PlanError {
        text.failure(at: offset, found, expected, other: other)
    }

    func checkType(_ name: String, at value: PlanJSON) throws(PlanError) {
        guard let type = SwiftName.type(name) else { throw value.failure(expected: "a name with a letter or digit") }
        if SwiftName.takenTypes.contains(type + "Event") {
            throw value.failure(expected: "another name, as the library has a type `\(type)Event`")
        }
    }

    func checkEvent(_ member: PlanJSON.Member) throws(PlanError) {
        let bytes = member.key.utf8.count
        guard (1...Self.maxEventBytes).contains(bytes) else {
            throw failure(member.keyOffset, "an event's name of \(bytes) bytes", "1 to \(Self.maxEventBytes) bytes")
        }
        if member.key == PlanChecker.sessionEvent {
            throw failure(
                member.keyOffset, "the event \(PlanText.quoted(member.key))",
                "a name of your own: this is the line at the head of a session, whose properties stand in `session`")
        }
    }

    /// The values of a property or list are cases of one enum.
    func checkValues(_ values: [(text: String, offset: Int)]) throws(PlanError) {
        var seen: [String: Int] = [:]
        for (value, offset) in values {
            guard let name = SwiftName.member(value) else {
                throw failure(offset, "the value \(PlanText.quoted(value))", "a value with a letter or digit, as it names a case in Swift")
            }
            if let earlier = seen.updateValue(offset, forKey: name) {
                throw failure(
                    offset, "the value \(PlanText.quoted(value)), in Swift `\(name)`", "another name than its neighbours'", other: earlier)
            }
        }
    }

    /// The properties of one event are keys of one object and parameters of one function.
    func checkPaths(_ placed: [PlanReader.Placed]) throws(PlanError) {
        var paths: [ExactText: PlanReader.Placed] = [:]
        var parameters: [String: PlanReader.Placed] = [:]
        for each in placed {
            let property = each.property
            let offset = each.included ?? each.offset
            let words = "the property \(PlanText.quoted(property.path))"
            if property.keys.count > TrackingPlan.maxDepth {
                throw failure(offset, words, "at most \(TrackingPlan.maxDepth) names between dots, as event files keep no more")
            }
            if property.keys.contains("") { throw failure(offset, words, "a name without empty parts between dots") }
            if PlanChecker.isReserved(property.path) {
                throw failure(offset, words, "a name of your own: event files have this key for themselves")
            }
            if let earlier = paths.updateValue(each, forKey: ExactText(property.path)) {
                throw failure(offset, "\(words) again", "each property once", other: earlier.offset)
            }
            guard let name = SwiftName.member(property.path) else {
                throw failure(offset, words, "a name with a letter or digit, as it names a parameter in Swift")
            }
            if let earlier = parameters.updateValue(each, forKey: name) {
                throw failure(
                    offset, "\(words), in Swift `\(name)`", "another name than \(PlanText.quoted(earlier.property.path)) has",
                    other: earlier.offset)
            }
        }
        for each in placed {
            let keys = each.property.keys
            for depth in 1..<max(keys.count, 1) {
                let outer = keys[..<depth].joined(separator: ".")
                if let above = paths[ExactText(outer)], above.property.kind != .object {
                    throw failure(
                        each.included ?? each.offset, "the property \(PlanText.quoted(each.property.path))",
                        "\(PlanText.quoted(outer)) to be an `object`, as \(above.property.kind.article) `\(above.property.kind)` holds no others",
                        other: above.offset)
                }
            }
        }
    }

    /// Functions and enums of the generated type.
    func check(events: [PlanJSON.Member], plan: TrackingPlan, lists: [PlanJSON.Member]) throws(PlanError) {
        var functions: [String: Int] = [:]
        var enums: [String: Int] = [:]
        let own = (SwiftName.type(plan.name) ?? "") + "Event"
        for member in lists { try add(SwiftName.nestedType(member.key), of: "the list", member.key, member.keyOffset, own, to: &enums) }
        for (member, event) in zip(events, plan.events) {
            guard let name = SwiftName.function(member.key) else {
                throw failure(
                    member.keyOffset, "the event \(PlanText.quoted(member.key))",
                    "a name with a letter or digit, as it names a function in Swift")
            }
            if let earlier = functions.updateValue(member.keyOffset, forKey: name) {
                throw failure(
                    member.keyOffset, "the event \(PlanText.quoted(member.key)), in Swift `\(name)`",
                    "another name than its neighbours'", other: earlier)
            }
            for property in event.properties {
                guard case .own = property.values else { continue }
                try add(
                    SwiftName.nestedType(event.name, property.path), of: "the values of \(PlanText.quoted(property.path)) in", event.name,
                    member.keyOffset, own, to: &enums)
            }
        }
    }

    private func add(
        _ name: String?, of what: String, _ key: String, _ offset: Int, _ own: String, to enums: inout [String: Int]
    ) throws(PlanError) {
        let subject = "\(what) \(PlanText.quoted(key))"
        guard let name else { throw failure(offset, subject, "a name with a letter or digit, as it names a type in Swift") }
        let found = "\(subject), in Swift `\(name)`"
        if name == own { throw failure(offset, found, "another name, as the type uses `\(name)` itself") }
        if let earlier = enums.updateValue(offset, forKey: name) {
            throw failure(offset, found, "another name than its neighbours'", other: earlier)
        }
    }
}

extension PlannedProperty.Kind {
    fileprivate var article: String { self == .int || self == .object || self == .array ? "an" : "a" }
}

import Basics

/// Refuses names that collide, in the plan or in the Swift that is generated from it.
///
/// Names of Swift collide where they look the same: the compiler tells an "é" of one scalar from one of two, and its readers do not.
package struct PlanNames {
    let text: PlanText

    /// The longest name of an event, in bytes, as on the line of an event file.
    package static let maxEventBytes = 200

    func checkType(_ name: String, at value: PlanJSON) throws(PlanError) {
        guard let type = SwiftName.type(name) else { throw value.failure(expected: "a name with a letter or digit") }
        if SwiftName.takenTypes.contains(type + "Event") {
            throw value.failure(expected: "another name, as the library has a type `\(type)Event`")
        }
    }

    func checkEvent(_ member: PlanJSON.Member) throws(PlanError) {
        let bytes = member.key.utf8.count
        guard (1...Self.maxEventBytes).contains(bytes) else {
            throw text.failure(at: member.keyOffset, "an event's name of \(bytes) bytes", "1 to \(Self.maxEventBytes) bytes")
        }
        if member.key == PlanChecker.sessionEvent {
            throw text.failure(
                at: member.keyOffset, "the event \(PlanText.quoted(member.key))",
                "a name of your own: this is the line at the head of a session, whose properties stand in `session`")
        }
    }

    /// The values of a property, or of a list, name members of one Swift type.
    func checkValues(_ values: [(text: String, offset: Int)]) throws(PlanError) {
        var cases: [String: Int] = [:]
        for (value, offset) in values {
            let subject = "the value \(PlanText.quoted(value))"
            let name = try spelled(SwiftName.member(value), subject, at: offset, "a value", "a case")
            try add(name, of: subject, at: offset, to: &cases)
        }
    }

    private func spelled(_ name: String?, _ subject: String, at offset: Int, _ what: String, _ role: String) throws(PlanError) -> String {
        if let name { return name }
        throw text.failure(at: offset, subject, "\(what) with a letter or digit, as it names \(role) in Swift")
    }

    /// Notes where a name of Swift comes from. Nothing else may have that name.
    private func add(_ name: String, of subject: String, at offset: Int, to names: inout [String: Int]) throws(PlanError) {
        guard let earlier = names.updateValue(offset, forKey: name) else { return }
        throw text.failure(at: offset, "\(subject), in Swift `\(name)`", "another name than its neighbours'", other: earlier)
    }

    /// The properties of one event name the keys of one object and the parameters of one function.
    func checkPaths(_ placed: [PlanReader.Placed]) throws(PlanError) {
        var paths: [ExactText: PlanReader.Placed] = [:]
        var parameters: [String: PlanReader.Placed] = [:]
        for each in placed {
            let property = each.property
            let offset = each.included ?? each.offset
            let words = "the property \(PlanText.quoted(property.path))"
            if property.keys.count > TrackingPlan.maxDepth {
                throw text.failure(at: offset, words, "at most \(TrackingPlan.maxDepth) names between dots, as event files keep no more")
            }
            if property.keys.contains("") { throw text.failure(at: offset, words, "a name without empty parts between dots") }
            if PlanChecker.isReserved(property.path) {
                throw text.failure(at: offset, words, "a name of your own: event files have this key for themselves")
            }
            if let earlier = paths.updateValue(each, forKey: ExactText(property.path)) {
                throw text.failure(at: offset, "\(words) again", "each property once", other: earlier.offset)
            }
            let name = try spelled(SwiftName.member(property.path), words, at: offset, "a name", "a parameter")
            if let earlier = parameters.updateValue(each, forKey: name) {
                throw text.failure(
                    at: offset, "\(words), in Swift `\(name)`", "another name than \(PlanText.quoted(earlier.property.path)) has",
                    other: earlier.offset)
            }
        }
        for each in placed {
            for outer in each.property.path.outerPaths {
                guard let above = paths[outer], above.property.kind != .object else { continue }
                let article = above.property.kind == .int || above.property.kind == .array ? "an" : "a"
                throw text.failure(
                    at: each.included ?? each.offset, "the property \(PlanText.quoted(each.property.path))",
                    "\(PlanText.quoted(outer.text)) to be an `object`, as \(article) `\(above.property.kind)` holds no others",
                    other: above.offset)
            }
        }
    }

    func check(events: [PlanJSON.Member], plan: TrackingPlan, lists: [PlanJSON.Member]) throws(PlanError) {
        // A function and a type inside the type of the plan cannot have one name.
        var names: [String: Int] = [:]
        let own = (SwiftName.type(plan.name) ?? "") + "Event"
        func addName(_ name: String?, of subject: String, at offset: Int, as kind: String = "a type") throws(PlanError) {
            let name = try spelled(name, subject, at: offset, "a name", kind)
            if name == own {
                throw text.failure(at: offset, "\(subject), in Swift `\(name)`", "another name, as the type uses `\(name)` itself")
            }
            try add(name, of: subject, at: offset, to: &names)
        }
        for list in lists { try addName(SwiftName.nestedType(list.key), of: "the list \(PlanText.quoted(list.key))", at: list.keyOffset) }
        for (member, event) in zip(events, plan.events) {
            let subject = "the event \(PlanText.quoted(member.key))"
            try addName(SwiftName.function(member.key), of: subject, at: member.keyOffset, as: "a function")
            for property in event.properties {
                guard case .own = property.values else { continue }
                try addName(
                    SwiftName.nestedType(event.name, property.path),
                    of: "the values of \(PlanText.quoted(property.path)) in \(PlanText.quoted(event.name))", at: member.keyOffset)
            }
        }
    }
}

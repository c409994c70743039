import Basics
import PlanAuthoring
import TrackingPlans

/// What events of one name look like: which properties they have, of which types and values.
struct EventShape: Sendable {
    fileprivate struct Seen: Sendable {
        var present = 0
        var kinds: Set<PlannedProperty.Kind> = []
        /// Whether any string is no integer beyond ±2⁵³. Writers keep such integers as text.
        var hasText = false
        /// How often each text was met; `nil` once there were too many.
        var texts: [ExactText: Int]? = [:]
    }

    /// The most values of a property that a plan lists.
    static let maxValues = 12
    /// How often all of these values together must have been seen.
    static let leastSeen = 50
    /// How often each of them must have been seen.
    static let leastSeenEach = 2
    /// The longest text that a plan lists, in bytes: a longer one is prose, and others will follow it.
    static let maxValueBytes = 64
    /// The most properties of one event that are kept, those in objects included. If a further one lies in a kept object, such as one with
    /// ids as keys, the plan says of the innermost of these objects that it holds anything.
    static let maxProperties = 10_000

    var events = 0
    /// Every path that was met with a value, in the order of first appearance.
    private var paths: [ExactText] = []
    private var seen: [ExactText: Seen] = [:]
    /// Objects around properties for which there was no room.
    private var overfull: Set<ExactText> = []
    /// The first property beyond ``maxProperties`` that lies in no known object.
    private var firstBeyond: ExactText?

    /// Adds a value that `count` events have.
    mutating func add(_ value: ShapeBatch.Value, _ count: Int) {
        if seen[value.path] == nil {
            guard paths.count < Self.maxProperties else {
                if let object = value.path.text.outerPaths.last(where: { seen[$0]?.kinds == [.object] }) {
                    overfull.insert(object)
                } else {
                    firstBeyond = firstBeyond ?? value.path
                }
                return
            }
            paths.append(value.path)
        }
        seen[value.path, default: Seen()].add(value, count)
    }
}

/// The properties that a plan has for this shape.
extension EventShape {
    /// - Parameter notes: gets a sentence about each property that the plan does not have as the files do; of those beyond
    ///   ``maxProperties`` only about the first that lies in no known object.
    func properties(of event: String, _ notes: inout [String]) -> [PlannedProperty] {
        let name = PlanText.quoted(event)
        var (open, before) = (overfull, -1)
        // Where a plan cannot have a path beside its neighbours, an object around it becomes one that holds anything.
        while open.count != before {
            let paths = plannedPaths(open)
            before = open.count
            for refusal in PlanDraft.refusals(of: paths.map(\.text)) + conflicts(in: paths) {
                let path = paths[refusal.index]
                guard let object = object(around: path) ?? refusal.other.flatMap({ object(around: paths[$0]) }),
                    open.insert(object).inserted
                else { continue }
                let (whole, part) = (PlanText.quoted(object.text), PlanText.quoted(path.text))
                notes.append("the plan has \(whole) of \(name) as an object that holds anything, because of \(part): \(refusal.why)")
            }
        }
        var properties: [PlannedProperty] = []
        for path in plannedPaths(open) {
            if let other = otherThanObject(around: path) {
                // A value that is sometimes an object has a note of its own.
                if let why = why(nothingLiesIn: other) { notes.append(PlanDraft.note(leavingOut: path.text, of: event, why)) }
                continue
            }
            let seen = seen[path] ?? Seen(kinds: [.object])
            let kind = seen.planned
            if kind == nil {
                let found = "\(PlanText.quoted(path.text)) of \(name) is \(seen.words)"
                notes.append("property \(found): the plan has it as a string, and `plan check` reports the others")
            }
            properties.append(
                PlannedProperty(path.text, kind ?? .string, isOptional: seen.present < events, values: kind == .string ? seen.values : nil))
        }
        if let firstBeyond {
            let why = "the event has more than \(Self.maxProperties) properties; it and all further ones are left out"
            notes.append(PlanDraft.note(leavingOut: firstBeyond.text, of: event, why))
        }
        return properties
    }

    /// The paths that a plan lists, in the order of first appearance: an object only if it is open or nothing is known in it.
    ///
    /// - Parameter open: objects to list as holding anything, in place of what is in them. Each stands where it or a key in it was met first.
    private func plannedPaths(_ open: Set<ExactText>) -> [ExactText] {
        var paths: [ExactText] = []
        var listed: Set<ExactText> = []
        var around: Set<ExactText> = []
        for path in self.paths {
            let ancestors = path.text.outerPaths
            let shown = ancestors.first(where: open.contains) ?? path
            if listed.insert(shown).inserted { paths.append(shown) }
            if shown == path { around.formUnion(ancestors) }
        }
        return paths.filter { !around.contains($0) || open.contains($0) || isOtherThanObject($0) }
    }

    /// Paths that seem to lie in a value that is never an object: they are keys with a dot.
    private func conflicts(in paths: [ExactText]) -> [PlanDraft.Refusal] {
        paths.enumerated().compactMap { index, path in otherThanObject(around: path).flatMap(why).map { (index, $0, nil) } }
    }

    private func why(nothingLiesIn path: ExactText) -> String? {
        guard let seen = seen[path], !seen.kinds.contains(.object) else { return nil }
        return "\(PlanText.quoted(path.text)) is \(seen.words), which holds no others"
    }

    private func otherThanObject(around path: ExactText) -> ExactText? { path.text.outerPaths.first(where: isOtherThanObject) }

    /// The innermost object around a path that a plan can list as holding anything; `nil` if there is none.
    private func object(around path: ExactText) -> ExactText? {
        let outer = path.text.outerPaths.prefix { !isOtherThanObject($0) }
        return outer.last { PlanDraft.refusals(of: [$0.text]).isEmpty }
    }

    private func isOtherThanObject(_ path: ExactText) -> Bool { seen[path].map { $0.kinds != [.object] } ?? false }
}

extension PlanChecker.Value {
    /// What a plan calls such values; `nil` for `null`.
    var kind: PlannedProperty.Kind? {
        switch self {
        case .null: nil
        case .bool: .bool
        case .integer: .int
        case .number: .number
        case .string: .string
        case .object: .object
        case .array: .array
        }
    }
}

extension EventShape.Seen {
    /// The planned type that takes all these values; `nil` if none does.
    fileprivate var planned: PlannedProperty.Kind? {
        if kinds.count == 1 { return kinds.first }
        let numbers = hasText ? kinds : kinds.subtracting([.string])
        return numbers == [.int] ? .int : numbers.isSubset(of: [.int, .number]) ? .number : nil
    }

    fileprivate var words: String { PlannedProperty.Kind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: " and ") }

    fileprivate mutating func add(_ value: ShapeBatch.Value, _ count: Int) {
        present += count
        kinds.insert(value.kind)
        guard let text = value.text else { return }
        hasText = hasText || !PlanChecker.isLargeInteger(text.text)
        texts?[text, default: 0] += count
        if let texts, texts.count > EventShape.maxValues { self.texts = nil }
    }

    /// The values that a plan lists; `nil` if it allows any text.
    fileprivate var values: [String]? {
        guard let texts, (2...EventShape.maxValues).contains(texts.count), texts.values.reduce(0, +) >= EventShape.leastSeen,
            texts.values.allSatisfy({ $0 >= EventShape.leastSeenEach }), !texts.keys.contains(where: { Self.isOpenEnded($0.text) })
        else { return nil }
        return texts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.map(\.key.text)
    }

    /// Whether a text is empty, long, or looks like a number, a version or a date: tomorrow there is another.
    private static func isOpenEnded(_ text: String) -> Bool {
        if text.isEmpty || text.utf8.count > EventShape.maxValueBytes || Double(text) != nil { return true }
        let body = text.hasPrefix("v") || text.hasPrefix("V") ? text.dropFirst() : text[...]
        let marks: Set<Character> = [".", "-", ":", "/", "_", "+", " ", "T"]
        guard let first = body.first, first.isASCII, first.isNumber else { return false }
        // `2`, `2.1.0-beta`, `2026-01-15`, `12:30`.
        return body.dropFirst().contains { marks.contains($0) } || body.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

import Basics
import TrackingPlans

/// What events of one name look like: which properties they have, of which types and values.
struct EventShape: Sendable {
    /// Kinds of values, as bits.
    struct Kinds: OptionSet, Sendable {
        let rawValue: UInt8
        static let string = Kinds(rawValue: 1)
        static let int = Kinds(rawValue: 2)
        static let number = Kinds(rawValue: 4)
        static let bool = Kinds(rawValue: 8)
        static let object = Kinds(rawValue: 16)
        static let array = Kinds(rawValue: 32)
        /// A text of digits beyond ±2⁵³, as which writers keep such integers.
        static let largeInt = Kinds(rawValue: 64)
    }

    struct Seen: Sendable {
        var present = 0
        var kinds: Kinds = []
        /// How often each text was met; `nil` once there were too many.
        var texts: [ExactText: Int]? = [:]
    }

    /// The most values that a plan lists by itself, and how often they must have been seen, together and each.
    static let maxValues = 12
    static let leastSeen = 50
    static let leastSeenEach = 2
    /// The longest text that a plan lists, in bytes: what is longer is prose, of which there will be more.
    static let maxValueBytes = 64
    /// The most properties of one event that are looked at. An object with the keys of many things, such as ids, is then one that holds
    /// anything.
    static let maxProperties = 10_000

    private var events = 0
    /// In the order of their first appearance.
    private var order: [ExactText] = []
    /// Every path that was met with a value.
    var paths: [ExactText] { order }
    private var seen: [ExactText: Seen] = [:]
    /// Objects with more properties than are looked at.
    private var overfull: Set<ExactText> = []
    /// The first property beyond ``maxProperties`` that lies in no object.
    private var firstBeyond: ExactText?

    mutating func take(_ values: [(path: String, value: PlanChecker.Value)]) {
        events += 1
        for (path, value) in values {
            guard let kind = Self.kind(of: value), !PlanChecker.isReserved(path) else { continue }
            var one = Seen(present: 1, kinds: kind)
            if case .string(let text) = value { one.texts = [ExactText(text): 1] }
            add(one, at: ExactText(path))
        }
    }

    mutating func add(_ other: EventShape) {
        events += other.events
        overfull.formUnion(other.overfull)
        if firstBeyond == nil { firstBeyond = other.firstBeyond }
        for path in other.order {
            if let one = other.seen[path] { add(one, at: path) }
        }
    }

    private mutating func add(_ one: Seen, at path: ExactText) {
        if seen[path] == nil {
            guard order.count < Self.maxProperties else { return leaveOut(path) }
            order.append(path)
        }
        seen[path, default: Seen()].add(one)
    }

    private mutating func leaveOut(_ path: ExactText) {
        if let object = Self.ancestors(of: path).last(where: { seen[$0]?.kinds == .object }) {
            overfull.insert(object)
        } else if firstBeyond == nil {
            firstBeyond = path
        }
    }

    private static func kind(of value: PlanChecker.Value) -> Kinds? {
        switch value {
        case .null: nil
        case .bool: .bool
        case .integer: .int
        case .number: .number
        case .string(let text): isLargeInteger(text) ? .largeInt : .string
        case .object: .object
        case .array: .array
        }
    }

    private static func isLargeInteger(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard digits.utf8.count >= 16, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Double(text) else {
            return false
        }
        return number.magnitude >= 9_007_199_254_740_992
    }
}

/// The properties that a plan has for this shape.
extension EventShape {
    /// - Parameter notes: gets a sentence about each property that the plan does not have as the files do.
    func properties(of event: String, _ notes: inout [String]) -> [PlannedProperty] {
        var open = overfull
        // What no plan can have beside its neighbours may lie in an object that holds anything.
        while true {
            let paths = plannedPaths(open)
            let before = open.count
            for refusal in PlanDraft.refusals(of: paths.map(\.text)) + conflicts(in: paths) {
                let path = paths[refusal.index]
                guard let object = object(around: path) ?? refusal.other.flatMap({ object(around: paths[$0]) }) else { continue }
                guard open.insert(object).inserted else { continue }
                notes.append(
                    "the plan has `\(object.text)` of `\(event)` as an object that holds anything, because of `\(path.text)`: \(refusal.why)"
                )
            }
            if open.count == before { break }
        }
        var properties: [PlannedProperty] = []
        for path in plannedPaths(open) {
            if let other = otherThanObject(around: path) {
                // Of a value that is sometimes an object there is a note already.
                if let why = why(nothingLiesIn: other) { notes.append(PlanDraft.note(leavingOut: path.text, of: event, why)) }
                continue
            }
            let seen = seen[path] ?? Seen(kinds: .object)
            let kind = seen.kinds.planned
            if kind == nil {
                notes.append(
                    "property `\(path.text)` of `\(event)` is \(seen.kinds.words): the plan has it as a string, and `plan check` reports the "
                        + "others")
            }
            properties.append(
                PlannedProperty(
                    path.text, kind ?? .string, isOptional: seen.present < events, values: kind == .string ? seen.values : nil))
        }
        if let firstBeyond {
            notes.append(
                PlanDraft.note(leavingOut: firstBeyond.text, of: event, "the event has more than \(Self.maxProperties) properties"))
        }
        return properties
    }

    /// The paths that a plan lists, in the order of their first appearance: an object only if it is open or nothing is known in it.
    ///
    /// - Parameter open: objects that hold anything: what lies in them is not listed. One that was never met as such stands where the
    ///   first key in it was met.
    private func plannedPaths(_ open: Set<ExactText>) -> [ExactText] {
        var paths: [ExactText] = []
        var listed: Set<ExactText> = []
        var around: Set<ExactText> = []
        for path in order {
            let ancestors = Self.ancestors(of: path)
            let shown = ancestors.first(where: open.contains) ?? path
            if listed.insert(shown).inserted { paths.append(shown) }
            if shown == path { around.formUnion(ancestors) }
        }
        return paths.filter { !around.contains($0) || open.contains($0) || isOtherThanObject($0) }
    }

    /// Paths that look as if they lay in a value that is never an object: keys with a dot.
    private func conflicts(in paths: [ExactText]) -> [PlanDraft.Refusal] {
        paths.enumerated().compactMap { index, path in
            otherThanObject(around: path).flatMap(why).map { (index, $0, nil) }
        }
    }

    private func why(nothingLiesIn path: ExactText) -> String? {
        guard let kinds = seen[path]?.kinds, !kinds.contains(.object) else { return nil }
        return "`\(path.text)` is \(kinds.words), which holds no others"
    }

    /// The outermost value around a path that is no object, or not always.
    private func otherThanObject(around path: ExactText) -> ExactText? { Self.ancestors(of: path).first(where: isOtherThanObject) }

    /// The innermost object that could hold a path, were it one that holds anything; `nil` if there is none.
    private func object(around path: ExactText) -> ExactText? {
        let outer = Self.ancestors(of: path).prefix { !isOtherThanObject($0) }
        return outer.last { PlanDraft.refusals(of: [$0.text]).isEmpty }
    }

    private func isOtherThanObject(_ path: ExactText) -> Bool { seen[path].map { $0.kinds != .object } ?? false }

    /// The paths of the objects around a path, outermost first.
    private static func ancestors(of path: ExactText) -> [ExactText] {
        let keys = path.text.partsBetweenDots
        return (1..<Swift.max(keys.count, 1)).map { ExactText(keys[..<$0].joined(separator: ".")) }
    }
}

extension EventShape.Kinds {
    /// The type of a plan that takes all these; `nil` if none does.
    fileprivate var planned: PlannedProperty.Kind? {
        switch self {
        case .string, .largeInt, [.string, .largeInt]: .string
        case .int, [.int, .largeInt]: .int
        case .number, [.int, .number]: .number
        case .bool: .bool
        case .object: .object
        case .array: .array
        default: nil
        }
    }

    fileprivate var words: String {
        let names: [(EventShape.Kinds, String)] = [
            (.string, "string"), (.largeInt, "string"), (.int, "int"), (.number, "number"), (.bool, "bool"), (.object, "object"),
            (.array, "array"),
        ]
        var words: [String] = []
        for (kind, name) in names where contains(kind) && !words.contains(name) { words.append(name) }
        return words.joined(separator: " and ")
    }
}

extension EventShape.Seen {
    fileprivate mutating func add(_ other: EventShape.Seen) {
        present += other.present
        kinds.formUnion(other.kinds)
        guard let others = other.texts, texts != nil else {
            texts = nil
            return
        }
        for (text, count) in others { texts?[text, default: 0] += count }
        if let count = texts?.count, count > EventShape.maxValues { texts = nil }
    }

    /// The values that a plan lists; `nil` if it allows any text.
    fileprivate var values: [String]? {
        guard let texts, (2...EventShape.maxValues).contains(texts.count), texts.values.reduce(0, +) >= EventShape.leastSeen,
            texts.values.allSatisfy({ $0 >= EventShape.leastSeenEach }), !texts.keys.contains(where: { Self.isOpenEnded($0.text) })
        else { return nil }
        return texts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
            .map(\.key.text)
    }

    /// Whether a text looks like a number, a version or a date: tomorrow there is another.
    private static func isOpenEnded(_ text: String) -> Bool {
        if text.isEmpty || text.utf8.count > EventShape.maxValueBytes || Double(text) != nil { return true }
        let body = text.hasPrefix("v") || text.hasPrefix("V") ? text.dropFirst() : text[...]
        // `2`, `2.1.0-beta`, `2026-01-15`, `12:30`, `20h`.
        let marks: Set<Character> = [".", "-", ":", "/", "_", "+", " ", "T"]
        guard let first = body.first, first.isASCII, first.isNumber else { return false }
        return body.dropFirst().contains { marks.contains($0) } || body.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

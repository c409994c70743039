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
        var texts: [String: Int]? = [:]
    }

    /// The most values that a plan lists by itself, and how often they must have been seen, together and each.
    static let maxValues = 12
    static let leastSeen = 50
    static let leastSeenEach = 2
    /// The most properties of one event that are looked at.
    static let maxProperties = 1000

    private var events = 0
    /// In the order of their first appearance.
    private var order: [String] = []
    /// Every path that was met with a value.
    var paths: [String] { order }
    private var seen: [String: Seen] = [:]

    mutating func take(_ values: [(path: String, value: PlanChecker.Value)]) {
        events += 1
        for (path, value) in values {
            guard let kind = Self.kind(of: value), !PlanChecker.reservedKeys.contains(path) else { continue }
            var one = Seen(present: 1, kinds: kind)
            if case .string(let text) = value { one.texts = [text: 1] }
            add(one, at: path)
        }
    }

    mutating func add(_ other: EventShape) {
        events += other.events
        for path in other.order {
            if let one = other.seen[path] { add(one, at: path) }
        }
    }

    private mutating func add(_ one: Seen, at path: String) {
        if seen[path] == nil {
            guard order.count < Self.maxProperties else { return }
            order.append(path)
        }
        seen[path, default: Seen()].add(one)
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
    /// - Parameter notes: gets a sentence about each property that is of several types.
    func properties(of event: String, _ notes: inout [String]) -> [PlanDraft.Property] {
        let open = objectsThatStayOpen
        var properties: [PlanDraft.Property] = []
        for path in order {
            guard let seen = seen[path], Self.isPlannable(path), !Self.ancestors(of: path).contains(where: { open.contains($0) }) else {
                continue
            }
            let isClosedObject = seen.kinds == .object && !open.contains(path) && order.contains { $0.hasPrefix(path + ".") }
            if isClosedObject { continue }
            let kind = seen.kinds.planned
            if kind == nil {
                notes.append("property `\(path)` of `\(event)` is \(seen.kinds.words): the plan has it as a string")
            }
            properties.append(
                PlanDraft.Property(
                    path: path, kind: kind ?? .string, isOptional: seen.present < events, values: kind == .string ? seen.values : nil)
            )
        }
        return properties
    }

    /// Paths of values that are objects and something else, or that hold what no plan can name: what lies in them is not planned.
    private var objectsThatStayOpen: Set<String> {
        var open: Set<String> = []
        for path in order {
            if let seen = seen[path], seen.kinds.contains(.object), seen.kinds != .object { open.insert(path) }
            if !Self.isPlannable(path), let parent = Self.ancestors(of: path).last(where: Self.isPlannable) { open.insert(parent) }
        }
        // A key with a dot looks like an object that is not there.
        for path in order {
            for outer in Self.ancestors(of: path) {
                if let above = seen[outer], !above.kinds.contains(.object) { open.insert(outer) }
            }
        }
        return open
    }

    private static func isPlannable(_ path: String) -> Bool {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false)
        return keys.count <= TrackingPlan.maxDepth && !keys.contains("")
    }

    /// The paths of the objects around a path, outermost first.
    private static func ancestors(of path: String) -> [String] {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false)
        return (1..<Swift.max(keys.count, 1)).map { keys[..<$0].joined(separator: ".") }
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
        guard let texts, texts.count <= EventShape.maxValues, texts.values.reduce(0, +) >= EventShape.leastSeen,
            texts.values.allSatisfy({ $0 >= EventShape.leastSeenEach }), !texts.keys.contains(where: Self.isOpenEnded)
        else { return nil }
        return texts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.map(\.key)
    }

    /// Whether a text looks like a number, a version or a date: tomorrow there is another.
    private static func isOpenEnded(_ text: String) -> Bool {
        if text.isEmpty || Double(text) != nil { return true }
        let body = text.hasPrefix("v") || text.hasPrefix("V") ? text.dropFirst() : text[...]
        // `2`, `2.1.0-beta`, `2026-01-15`, `12:30`, `20h`.
        let marks: Set<Character> = [".", "-", ":", "/", "_", "+", " ", "T"]
        guard let first = body.first, first.isASCII, first.isNumber else { return false }
        return body.dropFirst().contains { marks.contains($0) } || body.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

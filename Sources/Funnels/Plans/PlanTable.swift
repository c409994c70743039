import Basics
import TrackingEvents
import TrackingPlans

/// A plan laid out for looking at lines: it finds quickly that most lines are as planned.
///
/// It never says so of a line that differs. Where it cannot tell, ``/TrackingPlans/PlanChecker`` looks at the line and decides.
struct PlanTable: Sendable {
    private struct Entry: Sendable {
        let key: [UInt8]
        let kind: PlannedProperty.Kind
        let values: [[UInt8]]?
        let min: Double?
        let max: Double?
        let isSensitive: Bool
        /// The property's bit among the required ones; 0 if it may be missing.
        let required: UInt64
        /// The index in ``nodes`` of what an object holds; `nil` if that need not be looked at, -1 if only the checker can look at it.
        let inside: Int?
    }

    /// What the lines of one name are compared with.
    struct Expectation: Sendable {
        fileprivate let root: Int
        /// The bits of all required properties; `nil` if only the checker can look at the event.
        fileprivate let required: UInt64?
    }

    private var nodes: [[Entry]] = []
    private var events: [[UInt8]: Expectation] = [:]
    private(set) var session = Expectation(root: 0, required: nil)

    init(_ plan: TrackingPlan) {
        for event in plan.events { events[Array(event.name.utf8)] = add(event.properties, plan.shared, isUnclear: event.deprecated != nil) }
        session = add(plan.session, [], isUnclear: false)
    }

    private mutating func add(_ properties: [PlannedProperty], _ shared: [PlannedProperty], isUnclear: Bool) -> Expectation {
        let own = Set(properties.map { ExactText($0.path) })
        let all = properties + shared.filter { !own.contains(ExactText($0.path)) }
        let needed = properties.filter { !$0.isOptional && !$0.isSensitive }
        let bits = Dictionary(uniqueKeysWithValues: needed.prefix(64).enumerated().map { (ExactText($1.path), UInt64(1) << UInt64($0)) })
        // What lies in a sensitive object may be missing with it: only the checker knows that.
        let isUnclear = isUnclear || needed.count > 64 || all.contains { $0.kind == .object && $0.isSensitive }
        return Expectation(root: add(all, depth: 0, bits), required: isUnclear ? nil : bits.values.reduce(0, |))
    }

    /// The entries of one object: properties whose paths agree in their first `depth` keys.
    private mutating func add(_ properties: [PlannedProperty], depth: Int, _ bits: [ExactText: UInt64]) -> Int {
        let inner = Dictionary(grouping: properties) { ExactText($0.keys[depth]) }
        var order = Numbering<ExactText>()
        for property in properties { _ = order.number(of: ExactText(property.keys[depth])) }
        let index = nodes.count
        nodes.append([])
        nodes[index] = order.all.map { key in
            let group = inner[key] ?? []
            let own = group.first { $0.keys.count == depth + 1 }
            let deeper = group.filter { $0.keys.count > depth + 1 }
            // An object that the plan names may also hold what the plan does not name: only the checker looks at both together.
            return Entry(
                key: Array(key.text.utf8), kind: own?.kind ?? .object, values: own?.values?.all.map { Array($0.utf8) }, min: own?.min,
                max: own?.max, isSensitive: own?.isSensitive ?? false, required: own.flatMap { bits[ExactText($0.path)] } ?? 0,
                inside: deeper.isEmpty ? nil : own == nil ? add(deeper, depth: depth + 1, bits) : -1)
        }
        return index
    }

    /// `nil` for a name that the plan does not have.
    func expectation(of name: [UInt8]) -> Expectation? { events[name] }

    /// Whether an event is certainly as planned.
    ///
    /// - Complexity: O(bytes of the properties) where keys come in the plan's order.
    func isClean(_ props: UnsafeRawBufferPointer, _ expectation: Expectation?) -> Bool {
        guard let expectation, let required = expectation.required else { return false }
        if props.isEmpty { return required == 0 }
        var met: UInt64 = 0
        return isClean(props, at: 0, node: expectation.root, &met) && met == required
    }

    private func isClean(_ props: UnsafeRawBufferPointer, at index: Int, node: Int, _ met: inout UInt64) -> Bool {
        let entries = nodes[node]
        var isClean = true
        var next = 0
        // Of a key that stands twice, the last value counts: only the checker knows that.
        var known: UInt64 = 0
        var objects: [(index: Int, node: Int)] = []
        var cursor = JSONCursor(props, at: index)
        do throws(BadLine) {
            try cursor.forEachEntry { key, value in
                guard isClean, !key.hasEscapes, let found = Self.index(of: key.bytes(in: props), in: entries, from: next), found < 64,
                    known & (1 << UInt64(found)) == 0
                else {
                    isClean = false
                    return
                }
                next = found + 1
                known |= 1 << UInt64(found)
                isClean = Self.fits(value, entries[found], in: props)
                met |= entries[found].required
                if let inside = entries[found].inside, !entries[found].isSensitive {
                    if inside < 0 { isClean = false } else { objects.append((value.text.range.lowerBound, inside)) }
                }
            }
        } catch { return false }
        for object in objects where isClean { isClean = self.isClean(props, at: object.index, node: object.node, &met) }
        return isClean
    }

    @inline(__always)
    private static func index(of key: UnsafeRawBufferPointer, in entries: [Entry], from next: Int) -> Int? {
        // Writers put keys in one order; only what is left out shifts them.
        for index in next..<Swift.max(next, entries.count) where key.elementsEqual(entries[index].key) { return index }
        for index in 0..<Swift.min(next, entries.count) where key.elementsEqual(entries[index].key) { return index }
        return nil
    }

    private static func fits(_ value: JSONValue, _ entry: Entry, in props: UnsafeRawBufferPointer) -> Bool {
        if entry.isSensitive { return true }
        switch (entry.kind, value.kind) {
        case (.string, .string):
            guard let values = entry.values else { return true }
            if value.text.hasEscapes { return false }
            let text = value.text.bytes(in: props)
            return values.contains { text.elementsEqual($0) }
        case (.int, .number):
            let text = value.text.bytes(in: props)
            return text.isWholeNumber && isWithin(entry, text)
        case (.number, .number): return isWithin(entry, value.text.bytes(in: props))
        case (.bool, .bool), (.array, .array), (.object, .object): return true
        default: return false
        }
    }

    private static func isWithin(_ entry: Entry, _ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count < 17 else { return false }
        if entry.min == nil && entry.max == nil { return true }
        let number = JSONNumber.double(text)
        return (entry.min.map { number >= $0 } ?? true) && (entry.max.map { number <= $0 } ?? true)
    }
}

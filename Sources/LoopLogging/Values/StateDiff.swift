import LoopCore

/// Compares two values of one type, part by part, and keeps the places where they differ.
///
/// Equal parts are passed over with their own `==`. The rest goes by reflection, a fraction of a microsecond for each value looked at, so the number
/// of these is bounded: a state of megabytes costs milliseconds and an honest remark, never a standstill.
struct StateDiff {
    /// Values that are looked at by reflection.
    static let visits = 10_000
    static let depthLimit = 64

    /// How much of each value is told.
    let limit: Int
    let most: Int
    var visitsLeft: Int
    private(set) var changes = LogChanges()
    private var path = ""
    private var depth = 0
    /// Pairs of objects that are being compared: a graph may come back to them.
    private var open: [(old: ObjectIdentifier, new: ObjectIdentifier)] = []
    /// A number that is none is never equal to itself, and yet has not changed.
    private var sawNaN = false

    init(limit: Int, most: Int = LogChanges.most, visits: Int = StateDiff.visits) {
        self.limit = limit
        self.most = most
        visitsLeft = visits
    }

    static func changes(from old: Any, to new: Any, limit: Int, most: Int = LogChanges.most) -> LogChanges {
        var diff = StateDiff(limit: limit, most: most)
        diff.compare(old, new)
        return diff.changes
    }

    // MARK: What is found

    mutating func add(_ change: LogChange) {
        if changes.told.count < most { changes.told.append(change) } else { changes.more += 1 }
    }

    mutating func changed(_ old: Any, _ new: Any) {
        guard changes.told.count < most else { return addMore(1) }
        if let old = old as? String, let new = new as? String {
            let (oldText, newText) = TextDifference.texts(old, new, limit: limit)
            return add(LogChange(path: path, old: oldText, new: newText))
        }
        add(LogChange(path: path, old: text(old), new: text(new)))
    }

    mutating func inserted(_ value: Any) { changes.told.count < most ? add(LogChange(path: path, new: text(value))) : addMore(1) }
    mutating func removed(_ value: Any) { changes.told.count < most ? add(LogChange(path: path, old: text(value))) : addMore(1) }
    mutating func noted(_ note: String) { add(LogChange(path: path, note: note)) }
    mutating func addMore(_ count: Int) { changes.more += count }
    mutating func cutShort() { changes.isComplete = false }

    /// An optional's value without its wrapping: `nil → 3` and not `nil → Optional(3)`.
    private func text(_ value: Any) -> String { ValueWriter.text(of: value, limit: limit, isNested: true) }

    /// Whether two values are alike as far as can be told; what that costs is taken from the visits.
    mutating func areAlike(_ old: Any, _ new: Any) -> Bool {
        if let isEqual = ValueShape.areEqual(old, new) {
            visitsLeft -= 1
            return isEqual
        }
        var probe = StateDiff(limit: 0, most: 1, visits: visitsLeft)
        probe.compare(old, new)
        visitsLeft = probe.visitsLeft
        return probe.changes.isEmpty
    }

    // MARK: The walk

    /// Does `body` one step down the path.
    mutating func at(_ part: String, _ body: (inout StateDiff) -> Void) {
        let before = path
        path += path.isEmpty && part.hasPrefix(".") ? String(part.dropFirst()) : part
        body(&self)
        path = before
    }

    mutating func compare(_ old: Any, _ new: Any) {
        visitsLeft -= 1
        guard visitsLeft >= 0, depth < Self.depthLimit else { return cutShort() }
        depth += 1
        defer { depth -= 1 }
        guard type(of: old) == type(of: new) else { return changed(old, new) }
        let isEqual = ValueShape.areEqual(old, new)
        if isEqual == true { return }
        let mirrors = (old: Mirror(reflecting: old), new: Mirror(reflecting: new))
        if mirrors.old.displayStyle == .optional {
            return compareOptionals(mirrors.old.children.first?.value, mirrors.new.children.first?.value)
        }
        if old is any LogSensitive {
            if isEqual == false { add(LogChange(path: path, old: LogMask.text, new: LogMask.text)) }
            return
        }
        let before = changes
        sawNaN = false
        switch mirrors.old.displayStyle {
        case .collection: compareSequences(old, new, mirrors.old, mirrors.new)
        case .dictionary: compareDictionaries(old, new, mirrors.old, mirrors.new)
        case .set: compareSets(old, new)
        case .enum: compareCases(old, new, mirrors.old, mirrors.new)
        case .tuple: compareFields(mirrors.old, mirrors.new)
        case .struct where !ValueShape.isToldWhole(old): compareFields(mirrors.old, mirrors.new)
        case .class where !ValueShape.isToldWhole(old): compareObjects(old, new, mirrors.old, mirrors.new)
        default: compareTexts(old, new)
        }
        if isEqual == false, !sawNaN, before == changes { noted("changed, in what cannot be seen") }
    }

    private mutating func compareOptionals(_ old: Any?, _ new: Any?) {
        switch (old, new) {
        case (nil, nil): break
        case (let old?, let new?): compare(old, new)
        case (nil, let new?): add(LogChange(path: path, old: "nil", new: text(new)))
        case (let old?, nil): add(LogChange(path: path, old: text(old), new: "nil"))
        }
    }

    private mutating func compareTexts(_ old: Any, _ new: Any) {
        if ValueShape.isNaN(old) && ValueShape.isNaN(new) {
            sawNaN = true
        } else if old is String || text(old) != text(new) {
            changed(old, new)
        }
    }

    private mutating func compareCases(_ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror) {
        let name = ValueShape.caseName(of: old)
        guard let name, name == ValueShape.caseName(of: new) else { return changed(old, new) }
        guard let oldPayload = oldMirror.children.first?.value, let newPayload = newMirror.children.first?.value else { return }
        // Cases of one base name may differ by the labels of their payloads.
        guard type(of: oldPayload) == type(of: newPayload) else { return changed(old, new) }
        at(".\(PlainText.of(name, limit: limit))") { $0.compare(oldPayload, newPayload) }
    }

    private mutating func compareFields(_ old: Mirror, _ new: Mirror) {
        var place = 0
        for (oldChild, newChild) in zip(old.children, new.children) {
            if visitsLeft < 0 { return cutShort() }
            // The places of a tuple have labels with a point already.
            let label = oldChild.label.map { ValueShape.label($0, of: oldChild.value) } ?? "\(place)"
            let part = PlainText.of(label.hasPrefix(".") ? label : ".\(label)", limit: limit)
            at(part) { $0.compare(oldChild.value, newChild.value) }
            place += 1
        }
        if old.children.count != new.children.count { noted("\(old.children.count) → \(new.children.count) parts") }
    }

    private mutating func compareObjects(_ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror) {
        let pair = (old: ObjectIdentifier(old as AnyObject), new: ObjectIdentifier(new as AnyObject))
        // One object in both states: what it was before, nobody knows any more.
        if pair.old == pair.new || open.contains(where: { $0 == pair }) { return }
        open.append(pair)
        defer { open.removeLast() }
        var levels: (old: Mirror?, new: Mirror?) = (oldMirror, newMirror)
        while let oldLevel = levels.old, let newLevel = levels.new {
            compareFields(oldLevel, newLevel)
            levels = (oldLevel.superclassMirror, newLevel.superclassMirror)
        }
    }
}

import Basics
import LoopCore

/// Compares two values of one type, part by part, and keeps the paths where they differ. Equal parts are passed over with their own `==`.
/// The rest goes by reflection, which takes a fraction of a microsecond for each value. The number of values is bounded: a state of
/// megabytes takes milliseconds, and the result says that the comparison is not complete.
struct StateDiff {
    /// How many values are looked at, at most.
    private static var visits: Int { 10_000 }
    static let depthLimit = 64

    /// How many Unicode scalars of each value are shown.
    let limit: Int
    /// How many changes are kept; the others are counted.
    let maxChanges: Int
    /// What is known of types; without them every value is reflected anew.
    let layouts: ValueLayouts?
    /// Memory to write texts in; what it holds already is left alone.
    let bytes: ByteBuffer
    /// How many values may still be looked at.
    private(set) var visitsLeft = StateDiff.visits
    private(set) var changes = LogChanges()
    private var path = ""
    private var depth = 0
    /// Pairs of objects that are being compared: a cycle may lead back to them.
    private var open: [(old: ObjectIdentifier, new: ObjectIdentifier)] = []
    /// Whether two NaNs were compared. NaN is not equal to itself, but NaN → NaN is no change.
    private var sawNaN = false

    init(limit: Int, maxChanges: Int, layouts: ValueLayouts?, bytes: ByteBuffer) {
        (self.limit, self.maxChanges, self.layouts, self.bytes) = (limit, max(maxChanges, 0), layouts, bytes)
    }

    mutating func add(_ change: LogChange) {
        if changes.shown.count < maxChanges { changes.shown.append(change) } else { changes.more += 1 }
    }

    /// - Parameter old: `nil` for what was inserted, as `new` is for what was removed.
    mutating func changed(_ old: Any?, _ new: Any?) {
        guard changes.shown.count < maxChanges else { return addMore(1) }
        if let old = old as? String, let new = new as? String {
            let (oldText, newText) = TextDifference.texts(old, new, limit: limit)
            return add(LogChange(path: path, old: oldText, new: newText))
        }
        add(LogChange(path: path, old: old.map(text), new: new.map(text)))
    }

    mutating func noted(_ note: String) { add(LogChange(path: path, note: note)) }
    mutating func addMore(_ count: Int) { changes.more += count }
    mutating func cutShort() { changes.isComplete = false }

    /// The text of a value inside a state. Callers unwrap an optional: `nil → 3` and not `nil → Optional(3)`.
    private func text(_ value: Any) -> String { ValueWriter.text(of: value, limit: limit, layouts: layouts, isNested: true, by: bytes) }

    /// Whether two values are alike, as far as reflection sees; the comparison uses up visits.
    mutating func areAlike(_ old: Any, _ new: Any) -> Bool {
        if let isEqual = Sameness.areEqual(old, new) {
            visitsLeft -= 1
            return isEqual
        }
        var probe = StateDiff(limit: 0, maxChanges: 1, layouts: layouts, bytes: bytes)
        probe.visitsLeft = visitsLeft
        probe.compare(old, new)
        visitsLeft = probe.visitsLeft
        return probe.changes.isEmpty
    }

    /// Calls `body` one step down the path, or at the same path if there is no step.
    mutating func at(_ part: String?, _ body: (inout StateDiff) -> Void) {
        guard let part else { return body(&self) }
        let before = path
        path += path.isEmpty && part.hasPrefix(".") ? String(part.dropFirst()) : part
        body(&self)
        path = before
    }

    mutating func compare(_ old: Any, _ new: Any) {
        let isOneType = type(of: old) == type(of: new)
        func open<Concrete>(_ old: Concrete) -> Bool {
            // No cast: the runtime traps on one to a type that is built into the compiler.
            func open<Same>(_ new: Same) -> Bool { compareInPlace(old, unsafeBitCast(new, to: Concrete.self)) }
            return _openExistential(new, do: open)
        }
        if isOneType, layouts != nil, _openExistential(old, do: open) { return }
        visit { diff in
            guard isOneType else { return diff.changed(old, new) }
            let isEqual = Sameness.areEqual(old, new)
            if isEqual == true { return }
            let mirrors = (old: Mirror(reflecting: old), new: Mirror(reflecting: new))
            if mirrors.old.displayStyle == .optional {
                return diff.compareOptionals(mirrors.old.children.first?.value, mirrors.new.children.first?.value)
            }
            if old is any LogSensitive {
                if isEqual == false { diff.add(LogChange(path: diff.path, old: LogMask.text, new: LogMask.text)) }
                return
            }
            diff.findParts(areKnownToDiffer: isEqual == false) { $0.compareParts(old, new, mirrors.old, mirrors.new) }
        }
    }

    /// Compares two values by the layout of their type; `false` if their type is reflected.
    mutating func compareInPlace<Value>(_ old: Value, _ new: Value) -> Bool {
        guard let layout = layouts?.layout(for: Value.self), !layout.isReflected else { return false }
        withUnsafePointer(to: old) { old in
            withUnsafePointer(to: new) { new in compare(UnsafeRawPointer(old), UnsafeRawPointer(new), layout) }
        }
        return true
    }

    /// - Parameter part: one more step down the path.
    mutating func compare(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ layout: ValueLayout, at part: String? = nil) {
        let plain = { [limit] in part.map { PlainText.of($0, limit: limit) } }
        if layout.isReflected { return at(plain()) { $0.compare(layout.any(old), layout.any(new)) } }
        visit { diff in
            let isEqual = layout.areEqual?(old, new)
            if isEqual == true { return }
            diff.at(plain()) { $0.findParts(areKnownToDiffer: isEqual == false) { layout.compareParts(old, new, &$0) } }
        }
    }

    /// Counts a value that was looked at and has not changed.
    mutating func passEqual() { visit { _ in } }

    private mutating func visit(_ body: (inout StateDiff) -> Void) {
        visitsLeft -= 1
        guard visitsLeft >= 0, depth < Self.depthLimit else { return cutShort() }
        depth += 1
        body(&self)
        depth -= 1
    }

    /// - Parameter areKnownToDiffer: whether the values are unequal by their own `==`; then something has to be noted of them.
    private mutating func findParts(areKnownToDiffer: Bool, _ find: (inout StateDiff) -> Void) {
        let before = (changes.shown.count, changes.more, changes.isComplete)
        sawNaN = false
        find(&self)
        if areKnownToDiffer, !sawNaN, before == (changes.shown.count, changes.more, changes.isComplete) {
            noted("changed, in what cannot be seen")
        }
    }

    private mutating func compareParts(_ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror) {
        switch oldMirror.displayStyle {
        case .collection: compareSequences(old, new, oldMirror, newMirror)
        case .dictionary, .set:
            guard let old = old as? any KeyedValues, let new = new as? any KeyedValues else {
                return compareSequences(old, new, oldMirror, newMirror)
            }
            compareEntries(old, new, areElements: oldMirror.displayStyle == .set)
        case .enum: compareCases(old, new, oldMirror, newMirror)
        case .tuple: compareFields(oldMirror, newMirror)
        case .struct where !ValueShape.isShownWhole(old): compareFields(oldMirror, newMirror)
        case .class where !ValueShape.isShownWhole(old): compareObjects(old, new, oldMirror, newMirror)
        default: compareTexts(old, new)
        }
    }

    mutating func compareOptionals(_ old: Any?, _ new: Any?) {
        switch (old, new) {
        case (nil, nil): break
        case (let old?, let new?): compare(old, new)
        case (nil, let new?): add(LogChange(path: path, old: "nil", new: text(new)))
        case (let old?, nil): add(LogChange(path: path, old: text(old), new: "nil"))
        }
    }

    mutating func compareTexts(_ old: Any, _ new: Any) {
        if old is String { return changed(old, new) }
        if ValueShape.isNaN(old) && ValueShape.isNaN(new) {
            sawNaN = true
            return
        }
        addChange(text(old), text(new))
    }

    /// Compares two values by the texts that their layout writes.
    mutating func compareTexts(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ layout: ValueLayout) {
        func text(_ value: UnsafeRawPointer) -> String {
            ValueWriter.text(limit: limit, layouts: layouts, by: bytes) { $0.write(value, layout, depth: 1) }
        }
        addChange(text(old), text(new))
    }

    private mutating func addChange(_ old: String, _ new: String) { if old != new { add(LogChange(path: path, old: old, new: new)) } }

    mutating func compareCases(_ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror) {
        let name = ValueShape.caseName(of: old)
        guard let name, name == ValueShape.caseName(of: new) else { return changed(old, new) }
        guard let oldPayload = oldMirror.children.first?.value, let newPayload = newMirror.children.first?.value else { return }
        // Cases of one base name may differ by the labels of their payloads.
        guard type(of: oldPayload) == type(of: newPayload) else { return changed(old, new) }
        at(".\(PlainText.of(name, limit: limit))") { $0.compare(oldPayload, newPayload) }
    }

    private mutating func compareFields(_ old: Mirror, _ new: Mirror) {
        for (index, (oldChild, newChild)) in zip(old.children, new.children).enumerated() {
            if visitsLeft < 0 { return cutShort() }
            compare(oldChild, newChild, at: index)
        }
        if old.children.count != new.children.count { noted("\(old.children.count) → \(new.children.count) parts") }
    }

    mutating func compare(_ old: Mirror.Child, _ new: Mirror.Child, at index: Int) {
        // The labels of a tuple's elements have a point already.
        let label = old.label.map { ValueShape.label($0, of: old.value) } ?? "\(index)"
        at(PlainText.of(label.hasPrefix(".") ? label : ".\(label)", limit: limit)) { $0.compare(old.value, new.value) }
    }

    private mutating func compareObjects(_ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror) {
        let pair = (old: ObjectIdentifier(old as AnyObject), new: ObjectIdentifier(new as AnyObject))
        // If both states hold the same object, its earlier contents are no longer known.
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

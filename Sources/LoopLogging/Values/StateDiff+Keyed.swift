extension StateDiff {
    /// Larger dictionaries and sets are not searched for what differs: that would take longer than a step should.
    static var entries: Int { 65_536 }

    mutating func compareDictionaries(_ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror) {
        guard let old = old as? any KeyedValues, let new = new as? any KeyedValues else {
            return compareSequences(old, new, oldMirror, newMirror)
        }
        guard max(old.entryCount, new.entryCount) <= Self.entries else { return noteSizes(old.entryCount, new.entryCount) }
        guard let found = old.differences(to: new, most: maxChanges, looks: max(visitsLeft, 0)) else { return changed(old, new) }
        // In the order of their keys, so that a line is the same each time; dictionaries have none.
        var parts: [(text: String, key: Any, old: Any?, new: Any?)] = []
        for each in found.first + found.candidates.map({ ($0.key, .some($0.old), .some($0.new)) }) {
            parts.append((ValueWriter.text(of: each.key, limit: limit, plans: plans, isNested: true), each.key, each.old, each.new))
        }
        parts.sort { $0.text < $1.text }
        for part in parts {
            at("[\(part.text)]") { diff in
                switch (part.old, part.new) {
                case (let old?, let new?): diff.compare(old, new)
                case (nil, let new?): diff.inserted(new)
                case (let old?, nil): diff.removed(old)
                case (nil, nil): break
                }
            }
        }
        addMore(found.more)
        if !found.isComplete { cutShort() }
    }

    mutating func compareSets(_ old: Any, _ new: Any) {
        guard let old = old as? any ElementSet, let new = new as? any ElementSet else { return changed(old, new) }
        guard max(old.elementCount, new.elementCount) <= Self.entries else { return noteSizes(old.elementCount, new.elementCount) }
        guard let found = old.differences(to: new, most: maxChanges) else { return changed(old, new) }
        for element in sorted(found.first.compactMap(\.old)) { removed(element) }
        for element in sorted(found.first.compactMap(\.new)) { inserted(element) }
        addMore(found.more)
    }

    private func sorted(_ values: [Any]) -> [Any] {
        values.map { (text: ValueWriter.text(of: $0, limit: limit, plans: plans, isNested: true), value: $0) }.sorted { $0.text < $1.text }
            .map(\.value)
    }

    private mutating func noteSizes(_ old: Int, _ new: Int) {
        noted(old == new ? "changed, \(new) entries" : "changed, \(old) → \(new) entries")
    }
}

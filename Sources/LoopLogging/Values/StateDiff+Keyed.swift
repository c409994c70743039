extension StateDiff {
    /// The most entries of a dictionary or a set that is searched for differences: more would take longer than a step should.
    static var entries: Int { 65_536 }

    /// - Parameter areElements: whether they are sets, whose elements have no path of their own.
    mutating func compareEntries(_ old: any KeyedValues, _ new: any KeyedValues, areElements: Bool) {
        let counts = (old: old.count, new: new.count)
        if max(counts.old, counts.new) > Self.entries {
            return noted("changed, \(counts.old == counts.new ? "" : "\(counts.old) → ")\(counts.new) entries")
        }
        guard let found = old.differences(to: new, most: maxChanges, looks: max(visitsLeft, 0)) else { return changed(old, new) }
        // In the order of their keys, so that a line is the same each time. What a set lost comes before what it gained.
        let parts = found.entries.map { (text: ValueWriter.text(of: $0.key, limit: limit, layouts: layouts, isNested: true), values: $0) }
        for (text, values) in parts.sorted(by: { a, b in
            let isFirst = a.values.new == nil
            return areElements && isFirst != (b.values.new == nil) ? isFirst : a.text < b.text
        }) {
            at(areElements ? nil : "[\(text)]") { diff in
                if let old = values.old, let new = values.new { diff.compare(old, new) } else { diff.changed(values.old, values.new) }
            }
        }
        addMore(found.more)
        if !found.isComplete { cutShort() }
    }
}

import LoopCore

struct KeyedDifferences {
    /// The key, and its value before and after; `nil` where there was or is none. The two values may be alike if their type has no `==`.
    var entries: [(key: Any, old: Any?, new: Any?)] = []
    var more = 0
    var isComplete = true
    private var room: Int

    /// - Parameter most: how many differences are kept; the others are counted.
    init(atMost most: Int) { room = most }

    mutating func add(_ key: Any, _ old: Any?, _ new: Any?) {
        if room > 0 { entries.append((key, old, new)) } else { more += 1 }
        room -= 1
    }
}

/// A dictionary or a set of whatever type. An element of a set is its own key.
protocol KeyedValues: Collection {
    /// Keeps `most` differences and counts the others. Also keeps at most `looks` pairs of values without `==`. `nil` if the types differ.
    func differences(to other: any KeyedValues, most: Int, looks: Int) -> KeyedDifferences?
}

extension Dictionary: KeyedValues {
    func differences(to other: any KeyedValues, most: Int, looks: Int) -> KeyedDifferences? {
        guard let other = other as? Self else { return nil }
        var found = KeyedDifferences(atMost: most)
        var looksLeft = looks
        let areEqual = Sameness.equality(of: Value.self)
        for (key, old) in self {
            if let new = other[key] {
                if let areEqual {
                    if !areEqual(old, new) { found.add(key, .some(old), .some(new)) }
                } else if looksLeft > 0 {
                    looksLeft -= 1
                    found.entries.append((key, .some(old), .some(new)))
                } else {
                    found.isComplete = false
                }
            } else {
                found.add(key, .some(old), nil)
            }
        }
        for (key, new) in other where self[key] == nil { found.add(key, nil, .some(new)) }
        return found
    }
}

extension Set: KeyedValues {
    func differences(to other: any KeyedValues, most: Int, looks: Int) -> KeyedDifferences? {
        guard let other = other as? Self else { return nil }
        var found = KeyedDifferences(atMost: most)
        for element in self where !other.contains(element) { found.add(element, element, nil) }
        for element in other where !contains(element) { found.add(element, nil, element) }
        return found
    }
}

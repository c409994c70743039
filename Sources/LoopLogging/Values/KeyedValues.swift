/// What two dictionaries or sets differ in.
struct KeyedDifferences {
    /// The key, and its value before and after; `nil` where there was or is none.
    var first: [(key: Any, old: Any?, new: Any?)] = []
    /// Values that may differ, to be looked at by whoever can.
    var candidates: [(key: Any, old: Any, new: Any)] = []
    var more = 0
    var isComplete = true

    mutating func add(_ key: Any, _ old: Any?, _ new: Any?, atMost most: Int) {
        if first.count < most { first.append((key, old, new)) } else { more += 1 }
    }
}

/// A dictionary of whatever type.
protocol KeyedValues {
    var entryCount: Int { get }
    /// - Parameters:
    ///   - most: so many differences are kept, the others counted.
    ///   - looks: so many values are handed back to be compared, where their type cannot.
    func differences(to other: Any, most: Int, looks: Int) -> KeyedDifferences?
}

extension Dictionary: KeyedValues {
    var entryCount: Int { count }

    func differences(to other: Any, most: Int, looks: Int) -> KeyedDifferences? {
        guard let other = other as? Self else { return nil }
        var found = KeyedDifferences()
        let equal = (self as? any ComparableEntries)?.equality
        for (key, old) in self {
            guard let new = other[key] else {
                found.add(key, .some(old), nil, atMost: most)
                continue
            }
            if let equal {
                if equal(old, new) { continue }
                if found.candidates.count < most {
                    found.candidates.append((key, old, new))
                } else {
                    found.more += 1
                }
            } else if found.candidates.count < looks {
                found.candidates.append((key, old, new))
            } else {
                found.isComplete = false
            }
        }
        for (key, new) in other where self[key] == nil { found.add(key, nil, .some(new), atMost: most) }
        return found
    }
}

/// A dictionary whose values compare by themselves.
private protocol ComparableEntries {
    var equality: (Any, Any) -> Bool { get }
}

extension Dictionary: ComparableEntries where Value: Equatable {
    fileprivate var equality: (Any, Any) -> Bool { { ($0 as? Value) == ($1 as? Value) } }
}

/// A set of whatever type.
protocol ElementSet {
    var elementCount: Int { get }
    func differences(to other: Any, most: Int) -> KeyedDifferences?
}

extension Set: ElementSet {
    var elementCount: Int { count }

    func differences(to other: Any, most: Int) -> KeyedDifferences? {
        guard let other = other as? Self else { return nil }
        var found = KeyedDifferences()
        for element in self where !other.contains(element) { found.add(element, .some(element), nil, atMost: most) }
        for element in other where !contains(element) { found.add(element, nil, .some(element), atMost: most) }
        return found
    }
}

/// The properties of a tracking event: unique keys in the order they were given.
///
/// An array of pairs, not a dictionary: events have few keys, the line keeps the author's order, and an event costs one allocation.
public struct TrackingProperties: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One key and its value.
    public struct Entry: Sendable, Equatable {
        public let key: String
        public var value: TrackingValue

        public init(key: String, value: TrackingValue) { (self.key, self.value) = (key, value) }
    }

    /// The entries in order, with unique keys.
    public private(set) var entries: [Entry]

    /// No properties.
    public init() { entries = [] }

    /// Properties from pairs. A repeated key keeps its first position and its last value.
    ///
    /// - Complexity: O(n²) in key comparisons up to 16 pairs, O(n) beyond.
    public init(_ pairs: [(String, TrackingValue)]) {
        entries = []
        entries.reserveCapacity(pairs.count)
        if pairs.count <= 16 {
            for (key, value) in pairs { self[key] = value }
            return
        }
        var indices: [String: Int] = [:]
        for (key, value) in pairs {
            if let index = indices[key] {
                entries[index].value = value
            } else {
                indices[key] = entries.count
                entries.append(Entry(key: key, value: value))
            }
        }
    }

    /// Properties from entries whose keys are known to differ, as those of a tracking plan are: nothing is compared or copied.
    public init(uniqueKeys entries: [Entry]) {
        assert(Set(entries.map(\.key)).count == entries.count, "A key of TrackingProperties(uniqueKeys:) is there twice.")
        self.entries = entries
    }

    public var isEmpty: Bool { entries.isEmpty }

    /// The value of a key; `nil` if it is absent. Assigning `nil` removes the key.
    ///
    /// - Complexity: O(n) in the number of keys.
    public subscript(key: String) -> TrackingValue? {
        get { entries.first { $0.key == key }?.value }
        set {
            guard let newValue else { return entries.removeAll { $0.key == key } }
            add(key, newValue)
        }
    }

    /// Sets the value of a key. Consumes both, so that neither is copied on the way into the entries.
    @inline(__always)
    private mutating func add(_ key: consuming String, _ value: consuming TrackingValue) {
        if let index = index(of: key) { entries[index].value = value } else { entries.append(Entry(key: key, value: value)) }
    }

    /// Compares only keys that may be equal. Keys whose first bytes differ and are both ASCII are not even canonically equivalent.
    @inline(__always)
    private func index(of key: String) -> Int? {
        let first = key.utf8.withContiguousStorageIfAvailable { $0.first ?? 0 } ?? 0xFF
        return entries.withUnsafeBufferPointer { entries in
            for index in 0..<entries.count {
                let other = entries[index].key.utf8.withContiguousStorageIfAvailable { $0.first ?? 0 } ?? 0xFF
                if first != other && first | other < 0x80 { continue }
                if entries[index].key == key { return index }
            }
            return nil
        }
    }

    /// These properties with `others` added. If both have a key, the value here wins.
    package func merging(under others: TrackingProperties) -> TrackingProperties {
        if others.isEmpty { return self }
        var all = others
        for entry in entries { all[entry.key] = entry.value }
        return all
    }

    public init(dictionaryLiteral elements: (String, any TrackingValueConvertible)...) {
        entries = []
        entries.reserveCapacity(elements.count)
        // Through the buffer, values are read in place. A loop over the list would copy each with its box.
        elements.withUnsafeBufferPointer { elements in
            guard let first = elements.baseAddress else { return }
            for index in 0..<elements.count {
                // The parts of a tuple are stored: there is a pointer to each.
                let (key, value) = ((first + index).pointer(to: \.0)!, (first + index).pointer(to: \.1)!)
                add(key.pointee, value.pointee.trackingValue)
            }
        }
    }
}

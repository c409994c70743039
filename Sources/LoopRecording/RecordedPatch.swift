/// What turns one tree into another: a JSON Patch (RFC 6902) of `add`, `remove` and `replace`.
package struct RecordedPatch {
    package enum Kind: String { case add, remove, replace }

    package struct Operation {
        package let kind: Kind
        /// A JSON pointer.
        package let path: String
        /// `nil` for what is removed.
        package let value: RecordedValue?
    }

    package internal(set) var operations: [Operation] = []

    /// What would take more is one replacement of the smallest part that holds it all.
    private static let limit = 512

    /// - Complexity: O(n) in what differs; identical parts are not looked into. Elements that changed their order cost O(n log n).
    package init(from old: RecordedValue, to new: RecordedValue) { compare(old, new, at: "") }

    private mutating func compare(_ old: RecordedValue, _ new: RecordedValue, at path: String) {
        guard case .container(let before) = old, case .container(let after) = new, (before.keys == nil) == (after.keys == nil) else {
            if !RecordedValue.areEqual(old, new) { operations.append(Operation(kind: .replace, path: path, value: new)) }
            return
        }
        if before === after { return }
        let start = operations.count
        if before.keys == nil { compareArrays(before.values, after.values, at: path) } else { compareObjects(before, after, at: path) }
        if operations.count - start > Self.limit {
            operations.removeSubrange(start...)
            operations.append(Operation(kind: .replace, path: path, value: new))
        }
    }

    private mutating func compareObjects(_ old: RecordedContainer, _ new: RecordedContainer, at path: String) {
        for (index, key) in (old.keys ?? []).enumerated() where new.index(of: key, near: index) == nil {
            operations.append(Operation(kind: .remove, path: "\(path)/\(JSONPointer.escaped(key))", value: nil))
        }
        for (index, key) in (new.keys ?? []).enumerated() {
            let value = new.values[index]
            guard let before = old.value(of: key, near: index) else {
                operations.append(Operation(kind: .add, path: "\(path)/\(JSONPointer.escaped(key))", value: value))
                continue
            }
            // The path is made for what differs alone.
            if !RecordedValue.areIdentical(before, value) { compare(before, value, at: "\(path)/\(JSONPointer.escaped(key))") }
        }
    }

    private mutating func compareArrays(_ old: [RecordedValue], _ new: [RecordedValue], at path: String) {
        let most = min(old.count, new.count)
        var first = 0
        while first < most, RecordedValue.areEqual(old[first], new[first]) { first += 1 }
        var last = 0
        while last < most - first, RecordedValue.areEqual(old[old.count - 1 - last], new[new.count - 1 - last]) { last += 1 }
        let (before, after) = (old[first..<old.count - last], new[first..<new.count - last])
        if let kept = Self.keptByID(before, after) {
            compareByID(before, after, kept, at: path)
        } else {
            let common = min(before.count, after.count)
            for index in first..<first + common { compare(old[index], new[index], at: "\(path)/\(index)") }
            for index in (first + common..<first + before.count).reversed() { remove(index, path) }
            for index in first + common..<first + after.count { add(new[index], index, path) }
        }
    }

    private mutating func remove(_ index: Int, _ path: String) {
        operations.append(Operation(kind: .remove, path: "\(path)/\(index)", value: nil))
    }

    private mutating func add(_ value: RecordedValue, _ index: Int, _ path: String) {
        operations.append(Operation(kind: .add, path: "\(path)/\(index)", value: value))
    }

    private mutating func compareByID(
        _ old: ArraySlice<RecordedValue>, _ new: ArraySlice<RecordedValue>, _ kept: [(old: Int, new: Int)], at path: String
    ) {
        let staying = Set(kept.map(\.old))
        for index in old.indices.reversed() where !staying.contains(index) { remove(index, path) }
        let origins = Dictionary(uniqueKeysWithValues: kept.map { ($0.new, $0.old) })
        for index in new.indices {
            if let origin = origins[index] {
                compare(old[origin], new[index], at: "\(path)/\(index)")
            } else {
                add(new[index], index, path)
            }
        }
    }

    /// The elements that both have by their ids, as many as have kept their order; `nil` where not every element has an id of its own.
    private static func keptByID(_ old: ArraySlice<RecordedValue>, _ new: ArraySlice<RecordedValue>) -> [(old: Int, new: Int)]? {
        guard !old.isEmpty, !new.isEmpty, let olds = ids(old), let news = ids(new) else { return nil }
        // The longest run of rising old indices, by patience sorting: the last pair of the best run of each length, and what came before it.
        var pairs: [(old: Int, new: Int, before: Int?)] = []
        var ends: [Int] = []
        for index in new.indices {
            guard let id = new[index]["id"]?.json, let origin = olds[id], news[id] != nil else { continue }
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].old < origin { low = middle + 1 } else { high = middle }
            }
            pairs.append((origin, index, low > 0 ? ends[low - 1] : nil))
            if low < ends.count { ends[low] = pairs.count - 1 } else { ends.append(pairs.count - 1) }
        }
        var kept: [(old: Int, new: Int)] = []
        var next = ends.last
        while let index = next {
            kept.append((pairs[index].old, pairs[index].new))
            next = pairs[index].before
        }
        return kept.reversed()
    }

    private static func ids(_ values: ArraySlice<RecordedValue>) -> [String: Int]? {
        var found: [String: Int] = [:]
        for index in values.indices {
            guard values[index].container?.keys != nil, let id = values[index]["id"]?.json, found.updateValue(index, forKey: id) == nil
            else { return nil }
        }
        return found
    }

    // MARK: On a line

    package var json: RecordedValue {
        .array(
            operations.map { operation in
                let members = [("op", RecordedValue.text(operation.kind.rawValue)), ("path", .text(operation.path))]
                return .object(members + (operation.value.map { [("value", $0)] } ?? []))
            })
    }

    /// Reads what ``json`` says; `nil` for what is no patch of these three operations.
    package init?(_ json: RecordedValue) {
        guard let list = json.container, list.keys == nil else { return nil }
        for entry in list.values {
            guard let kind = entry["op"]?.text.flatMap(Kind.init), let path = entry["path"]?.text else { return nil }
            let value = entry["value"]
            if value == nil && kind != .remove { return nil }
            operations.append(Operation(kind: kind, path: path, value: kind == .remove ? nil : value))
        }
    }

    /// The tree that the operations lead to; `nil` where one of them does not fit. The old tree stays as it is, and the two share what is equal.
    package func applied(to old: RecordedValue) -> RecordedValue? {
        var current = old
        for operation in operations {
            guard let keys = JSONPointer.keys(of: operation.path), let next = operation.applied(to: current, keys[...]) else { return nil }
            current = next
        }
        return current
    }
}

extension RecordedPatch.Operation {
    fileprivate func applied(to value: RecordedValue, _ keys: ArraySlice<String>) -> RecordedValue? {
        guard let key = keys.first else { return self.value }
        guard case .container(let container) = value else { return nil }
        var (names, values) = (container.keys, container.values)
        let found = container.index(of: key, near: 0)
        if keys.count > 1 {
            guard let found, let inside = applied(to: values[found], keys.dropFirst()) else { return nil }
            values[found] = inside
        } else if kind == .add, container.keys == nil {
            guard let index = key == "-" ? values.count : Int(key), (0...values.count).contains(index), let value = self.value else {
                return nil
            }
            values.insert(value, at: index)
        } else if kind == .add, found == nil, let value = self.value {
            names?.append(key)
            values.append(value)
        } else {
            guard let found else { return nil }
            if kind == .remove {
                names?.remove(at: found)
                values.remove(at: found)
            } else if let value = self.value {
                values[found] = value
            }
        }
        return .container(RecordedContainer(keys: names, values: values))
    }
}

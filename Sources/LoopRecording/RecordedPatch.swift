import TrackingEvents

/// Turns one tree into another by the operations of a JSON Patch (RFC 6902). Only `add`, `remove` and `replace` are made and read.
package struct RecordedPatch {
    /// `{"op":"replace","path":"/cart/total","value":10}`
    package private(set) var operations: [RecordedValue] = []

    /// The most operations inside one object or array: where more would be needed, one operation replaces it.
    private static let limit = 512

    /// - Complexity: O(n) in what differs; identical parts are not looked into.
    package init(from old: RecordedValue, to new: RecordedValue) { compare(old, new, at: "") }

    private mutating func note(_ operation: String, _ path: String, _ value: RecordedValue? = nil) {
        operations.append(.object([("op", .text(operation)), ("path", .text(path))] + (value.map { [("value", $0)] } ?? [])))
    }

    private mutating func compare(_ old: RecordedValue, _ new: RecordedValue, at path: String) {
        guard let before = old.container, let after = new.container, (before.keys == nil) == (after.keys == nil) else {
            // A part that is `Equatable` stays as it is where -0 comes in place of 0: the two are equal.
            if old != new, ![old, new].allSatisfy({ $0 == .integer(0) || $0 == .number(0) }) { note("replace", path, new) }
            return
        }
        if before === after { return }
        let start = operations.count
        if before.keys == nil { compareArrays(before.values, after.values, at: path) } else { compareObjects(before, after, at: path) }
        if operations.count - start > Self.limit {
            operations.removeSubrange(start...)
            note("replace", path, new)
        }
    }

    private mutating func compareObjects(_ old: RecordedContainer, _ new: RecordedContainer, at path: String) {
        for (index, key) in (old.keys ?? []).enumerated() where new.index(of: key, near: index) == nil {
            note("remove", JSONPointer.path(path, key))
        }
        for (index, key) in (new.keys ?? []).enumerated() {
            let value = new.values[index]
            if let before = old.value(of: key, near: index) {
                // The path is made only for what differs.
                if !RecordedValue.areIdentical(before, value) { compare(before, value, at: JSONPointer.path(path, key)) }
            } else {
                note("add", JSONPointer.path(path, key), value)
            }
        }
    }

    private mutating func compareArrays(_ old: [RecordedValue], _ new: [RecordedValue], at path: String) {
        let most = min(old.count, new.count)
        var first = 0
        while first < most, old[first] == new[first] { first += 1 }
        var last = 0
        while last < most - first, old[old.count - 1 - last] == new[new.count - 1 - last] { last += 1 }
        let (before, after) = (old[first..<old.count - last], new[first..<new.count - last])
        let kept = Self.keptByID(before, after) ?? zip(before.indices, after.indices).map { ($0, $1) }
        var rest = kept[...]
        for index in before.indices.reversed() {
            if rest.last?.old == index { rest.removeLast() } else { note("remove", "\(path)/\(index)") }
        }
        rest = kept[...]
        for index in after.indices {
            if let next = rest.first, next.new == index {
                compare(old[next.old], new[index], at: "\(path)/\(index)")
                rest.removeFirst()
            } else {
                note("add", "\(path)/\(index)", new[index])
            }
        }
    }

    /// The elements that both arrays have, by their ids, and that keep their order; `nil` where not every element has an id of its own.
    private static func keptByID(_ old: ArraySlice<RecordedValue>, _ new: ArraySlice<RecordedValue>) -> [(old: Int, new: Int)]? {
        guard let origins = indices(old), let targets = indices(new) else { return nil }
        var kept: [(old: Int, new: Int)] = []
        var (here, there) = (old.startIndex, new.startIndex)
        while here < old.endIndex, there < new.endIndex {
            // How far ahead in the other array each of the two has its counterpart; `nil` where it has none there.
            let went = targets[id(old[here])].flatMap { $0 < there ? nil : $0 - there }
            let came = origins[id(new[there])].flatMap { $0 < here ? nil : $0 - here }
            if went == 0 { kept.append((here, there)) }
            // Of the two, the element that is further from its counterpart counts as moved.
            let isOldKept = went.map { went in came.map { went < $0 } ?? true } ?? false
            if went == 0 || !isOldKept { here += 1 }
            if went == 0 || isOldKept { there += 1 }
        }
        return kept
    }

    private static func id(_ value: RecordedValue) -> String { value["id"]?.json ?? "" }

    private static func indices(_ values: ArraySlice<RecordedValue>) -> [String: Int]? {
        let indices = Dictionary(zip(values.map(id), values.indices)) { first, _ in first }
        return indices.count == values.count && indices[""] == nil ? indices : nil
    }
}

extension RecordedValue {
    /// The tree that a patch leads to; `nil` if `patch` is no patch, or if an operation does not fit or its path has more than 128 keys.
    /// This tree stays as it is, and the two trees share what is equal.
    package func applying(_ patch: RecordedValue) -> RecordedValue? {
        guard let list = patch.container, list.keys == nil else { return nil }
        return list.values.reduce(self as RecordedValue?) { tree, operation in
            guard let kind = operation["op"]?.text, ["add", "remove", "replace"].contains(kind),
                let keys = operation["path"]?.text.flatMap(JSONPointer.keys), keys.count <= EventLineScanner.depthLimit
            else { return nil }
            return tree?.applying(kind, keys[...], operation["value"])
        }
    }

    /// The tree with another value at a path; the tree itself where there is no such path.
    func replacing(_ path: String, with value: RecordedValue) -> RecordedValue {
        JSONPointer.keys(of: path).flatMap { applying("replace", $0[...], value) } ?? self
    }

    private func applying(_ kind: String, _ keys: ArraySlice<String>, _ value: RecordedValue?) -> RecordedValue? {
        guard let key = keys.first else { return kind == "remove" ? nil : value }
        guard let container else { return nil }
        var (names, values) = (container.keys, container.values)
        // One look at each key costs less than the copy that follows, and much less than a dictionary of them for each new object.
        switch (keys.count > 1 ? "inside" : kind, names.map { $0.firstIndex(of: key) } ?? container.index(of: key, near: 0), value) {
        case ("inside", let index?, _):
            guard let inside = values[index].applying(kind, keys.dropFirst(), value) else { return nil }
            values[index] = inside
        case ("remove", let index?, _):
            names?.remove(at: index)
            values.remove(at: index)
        case ("add", _, let value?) where names == nil:
            guard let index = key == "-" ? values.count : Int(key), (0...values.count).contains(index) else { return nil }
            values.insert(value, at: index)
        case ("add", nil, let value?):
            names?.append(key)
            values.append(value)
        case ("add", let index?, let value?), ("replace", let index?, let value?): values[index] = value
        default: return nil
        }
        return .container(RecordedContainer(keys: names, values: values))
    }
}

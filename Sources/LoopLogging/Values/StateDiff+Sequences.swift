extension StateDiff {
    /// Two runs of elements are aligned if they make no more pairs than this.
    private static var pairs: Int { 4_096 }

    mutating func compareSequences(_ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror) {
        if let old = old as? any IndexedValues, let new = new as? any IndexedValues {
            compareElements(old, new)
        } else {
            // One more than may be looked at, so that a walk that cannot see all of them notices it.
            let limit = visitsLeft + 1
            compareElements(MirroredValues(oldMirror, atMost: limit), MirroredValues(newMirror, atMost: limit))
        }
    }

    mutating func compareElements(_ old: any IndexedValues, _ new: any IndexedValues) {
        let counts = (old: old.count, new: new.count)
        let isEqual = old.equality(with: new)
        func areAlike(_ diff: inout StateDiff, _ oldIndex: Int, _ newIndex: Int) -> Bool {
            if let isEqual { return isEqual(oldIndex, newIndex) }
            return diff.visitsLeft >= 0 && diff.areAlike(old.value(at: oldIndex), new.value(at: newIndex))
        }
        var (prefix, suffix) = (0, 0)
        // Equally many elements without `==`, too many to align, are compared by index; looking at all twice would find nothing more.
        if isEqual != nil || counts.old != counts.new || counts.old * counts.new <= Self.pairs {
            let most = min(counts.old, counts.new)
            while prefix < most, areAlike(&self, prefix, prefix) { prefix += 1 }
            while suffix < most - prefix, areAlike(&self, counts.old - 1 - suffix, counts.new - 1 - suffix) { suffix += 1 }
        }
        if visitsLeft < 0 { return cutShort() }
        let oldRest = prefix..<(counts.old - suffix)
        let newRest = prefix..<(counts.new - suffix)
        if oldRest.isEmpty || newRest.isEmpty {
            for index in oldRest.prefix(maxChanges) { at("[\(index)]") { $0.changed(old.value(at: index), nil) } }
            for index in newRest.prefix(maxChanges) { at("[\(index)]") { $0.changed(nil, new.value(at: index)) } }
            addMore(max(0, oldRest.count + newRest.count - maxChanges))
        } else if oldRest.count * newRest.count <= Self.pairs {
            align(old, oldRest, new, newRest, areAlike)
        } else if counts.old == counts.new {
            compareByIndex(old, new, oldRest, isEqual)
        } else {
            noted("\(oldRest.count) of \(counts.old) elements replaced by \(newRest.count)")
        }
    }

    /// Compares the elements of the same index. Of those that have `==`, the first that differ are looked at and the others counted.
    private mutating func compareByIndex(
        _ old: any IndexedValues, _ new: any IndexedValues, _ indices: Range<Int>, _ isEqual: ((Int, Int) -> Bool)?
    ) {
        var differing = 0
        for index in indices {
            if let isEqual {
                if isEqual(index, index) { continue }
                differing += 1
                if differing > maxChanges { continue }
            } else if visitsLeft < 0 {
                return cutShort()
            }
            at("[\(index)]") { $0.compare(old.value(at: index), new.value(at: index)) }
        }
        addMore(max(0, differing - maxChanges))
    }

    /// Finds which elements are the same ones, by their ids or by being equal; what lies between these was changed, inserted or removed.
    private mutating func align(
        _ old: any IndexedValues, _ oldRest: Range<Int>, _ new: any IndexedValues, _ newRest: Range<Int>,
        _ areAlike: (inout StateDiff, Int, Int) -> Bool
    ) {
        let oldIDs = oldRest.map { ValueShape.identity(of: old.value(at: $0)) }
        let newIDs = newRest.map { ValueShape.identity(of: new.value(at: $0)) }
        /// `nil` unless both have an id.
        func haveOneID(_ oldRank: Int, _ newRank: Int) -> Bool? {
            if let a = oldIDs[oldRank], let b = newIDs[newRank] { a == b } else { nil }
        }
        // With one element on each side there is nothing to search: they belong together unless their ids differ.
        var matches: [(Int, Int)] = []
        if oldIDs.count > 1 || newIDs.count > 1 {
            let isSame = oldIDs.indices.map { oldRank in
                newIDs.indices.map { newRank in
                    haveOneID(oldRank, newRank) ?? areAlike(&self, oldRest.lowerBound + oldRank, newRest.lowerBound + newRank)
                }
            }
            if visitsLeft < 0 { return cutShort() }
            let difference = Array(newIDs.indices).difference(from: Array(oldIDs.indices)) { isSame[$0][$1] }
            var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
            for change in difference {
                switch change {
                case .remove(let offset, _, _): removed.insert(offset)
                case .insert(let offset, _, _): inserted.insert(offset)
                }
            }
            matches = Array(zip(oldIDs.indices.filter { !removed.contains($0) }, newIDs.indices.filter { !inserted.contains($0) }))
        }
        func compare(_ oldRank: Int, _ newRank: Int, in diff: inout StateDiff) {
            let (oldIndex, newIndex) = (oldRest.lowerBound + oldRank, newRest.lowerBound + newRank)
            diff.at("[\(newIndex)]") { $0.compare(old.value(at: oldIndex), new.value(at: newIndex)) }
        }
        var (oldRank, newRank) = (0, 0)
        for (oldMatch, newMatch) in matches + [(oldIDs.count, newIDs.count)] {
            while oldRank < oldMatch || newRank < newMatch {
                // Between two matches, elements of the same rank belong together, unless their ids differ.
                if oldRank < oldMatch && newRank < newMatch && haveOneID(oldRank, newRank) ?? true {
                    compare(oldRank, newRank, in: &self)
                } else {
                    let (oldIndex, newIndex) = (oldRest.lowerBound + oldRank, newRest.lowerBound + newRank)
                    if oldRank < oldMatch { at("[\(oldIndex)]") { $0.changed(old.value(at: oldIndex), nil) } }
                    if newRank < newMatch { at("[\(newIndex)]") { $0.changed(nil, new.value(at: newIndex)) } }
                }
                oldRank = min(oldRank + 1, oldMatch)
                newRank = min(newRank + 1, newMatch)
            }
            if oldMatch < oldIDs.count { compare(oldMatch, newMatch, in: &self) }
            (oldRank, newRank) = (oldMatch + 1, newMatch + 1)
        }
    }
}

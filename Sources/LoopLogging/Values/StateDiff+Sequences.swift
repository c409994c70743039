extension StateDiff {
    /// Two runs of elements are aligned up to so many pairs of them.
    private static var pairs: Int { 4_096 }

    mutating func compareSequences(_ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror) {
        if let old = old as? any IndexedValues, let new = new as? any IndexedValues {
            compareElements(old, new)
        } else {
            // One more than may be looked at: then the walk ends by itself and says so.
            let limit = visitsLeft + 1
            compareElements(MirroredValues(oldMirror, atMost: limit), MirroredValues(newMirror, atMost: limit))
        }
    }

    mutating func compareElements(_ old: any IndexedValues, _ new: any IndexedValues) {
        let counts = (old: old.valueCount, new: new.valueCount)
        let ends = commonEnds(old, new)
        if visitsLeft < 0 { return cutShort() }
        let oldRest = ends.prefix..<(counts.old - ends.suffix)
        let newRest = ends.prefix..<(counts.new - ends.suffix)
        if oldRest.isEmpty {
            for index in newRest.prefix(maxChanges) { at("[\(index)]") { $0.inserted(new.value(at: index)) } }
            addMore(max(0, newRest.count - maxChanges))
        } else if newRest.isEmpty {
            for index in oldRest.prefix(maxChanges) { at("[\(index)]") { $0.removed(old.value(at: index)) } }
            addMore(max(0, oldRest.count - maxChanges))
        } else if oldRest.count * newRest.count <= Self.pairs {
            align(old, oldRest, new, newRest)
        } else if counts.old == counts.new {
            compareByIndex(old, new, oldRest)
        } else {
            noted("\(oldRest.count) of \(counts.old) elements replaced by \(newRest.count)")
        }
    }

    private mutating func commonEnds(_ old: any IndexedValues, _ new: any IndexedValues) -> (prefix: Int, suffix: Int) {
        if let old = old as? any ComparableValues, let ends = old.commonEnds(with: new) { return ends }
        let counts = (old: old.valueCount, new: new.valueCount)
        // With equal counts elements are compared by index; looking at all of them twice would find nothing more.
        if counts.old == counts.new && counts.old * counts.new > Self.pairs { return (0, 0) }
        let most = min(counts.old, counts.new)
        var prefix = 0
        while prefix < most, visitsLeft >= 0, areAlike(old.value(at: prefix), new.value(at: prefix)) { prefix += 1 }
        var suffix = 0
        while suffix < most - prefix, visitsLeft >= 0,
            areAlike(old.value(at: counts.old - 1 - suffix), new.value(at: counts.new - 1 - suffix))
        {
            suffix += 1
        }
        return (prefix, suffix)
    }

    /// Compares the elements of the same index.
    private mutating func compareByIndex(_ old: any IndexedValues, _ new: any IndexedValues, _ indices: Range<Int>) {
        if let comparable = old as? any ComparableValues,
            let (first, count) = comparable.differingIndices(
                from: indices.lowerBound, to: indices.upperBound, other: new, atMost: maxChanges)
        {
            for index in first { at("[\(index)]") { $0.compare(old.value(at: index), new.value(at: index)) } }
            return addMore(count - first.count)
        }
        for index in indices {
            if visitsLeft < 0 { return cutShort() }
            at("[\(index)]") { $0.compare(old.value(at: index), new.value(at: index)) }
        }
    }

    /// Finds which elements are the same ones, by their ids or by being equal; what lies between these was changed, inserted or removed.
    private mutating func align(_ old: any IndexedValues, _ oldRest: Range<Int>, _ new: any IndexedValues, _ newRest: Range<Int>) {
        let oldValues = oldRest.map { old.value(at: $0) }
        let newValues = newRest.map { new.value(at: $0) }
        let isSame = alikeTable(oldValues, newValues)
        if visitsLeft < 0 { return cutShort() }
        var oldPlace = 0
        var newPlace = 0
        let difference = Array(newValues.indices).difference(from: Array(oldValues.indices)) { isSame[$0 * newValues.count + $1] }
        for (oldMatch, newMatch) in matches(oldValues.count, newValues.count, difference) + [(oldValues.count, newValues.count)] {
            // Between two matches, elements of the same rank belong together.
            while oldPlace < oldMatch && newPlace < newMatch {
                // With ids it is known that they are not the same.
                if let a = ValueShape.identity(of: oldValues[oldPlace]), let b = ValueShape.identity(of: newValues[newPlace]), a != b {
                    at("[\(oldRest.lowerBound + oldPlace)]") { $0.removed(oldValues[oldPlace]) }
                    at("[\(newRest.lowerBound + newPlace)]") { $0.inserted(newValues[newPlace]) }
                } else {
                    at("[\(newRest.lowerBound + newPlace)]") { $0.compare(oldValues[oldPlace], newValues[newPlace]) }
                }
                oldPlace += 1
                newPlace += 1
            }
            while oldPlace < oldMatch {
                at("[\(oldRest.lowerBound + oldPlace)]") { $0.removed(oldValues[oldPlace]) }
                oldPlace += 1
            }
            while newPlace < newMatch {
                at("[\(newRest.lowerBound + newPlace)]") { $0.inserted(newValues[newPlace]) }
                newPlace += 1
            }
            if oldMatch < oldValues.count {
                at("[\(newRest.lowerBound + newMatch)]") { $0.compare(oldValues[oldMatch], newValues[newMatch]) }
                oldPlace = oldMatch + 1
                newPlace = newMatch + 1
            }
        }
    }

    /// The pairs of indices that a difference leaves alone.
    private func matches(_ oldCount: Int, _ newCount: Int, _ difference: CollectionDifference<Int>) -> [(old: Int, new: Int)] {
        func kept(_ count: Int, _ changes: [CollectionDifference<Int>.Change]) -> [Int] {
            var isChanged = [Bool](repeating: false, count: count)
            for change in changes {
                switch change {
                case .insert(let index, _, _), .remove(let index, _, _): isChanged[index] = true
                }
            }
            return isChanged.indices.filter { !isChanged[$0] }
        }
        return zip(kept(oldCount, difference.removals), kept(newCount, difference.insertions)).map { (old: $0, new: $1) }
    }

    private mutating func alikeTable(_ old: [Any], _ new: [Any]) -> [Bool] {
        let oldIDs = old.map(ValueShape.identity)
        let newIDs = new.map(ValueShape.identity)
        var table: [Bool] = []
        table.reserveCapacity(old.count * new.count)
        for oldPlace in old.indices {
            for newPlace in new.indices {
                if let a = oldIDs[oldPlace], let b = newIDs[newPlace] {
                    table.append(a == b)
                } else {
                    table.append(visitsLeft >= 0 && areAlike(old[oldPlace], new[newPlace]))
                }
            }
        }
        return table
    }
}

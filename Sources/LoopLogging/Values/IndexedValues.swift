/// Arrays and their like, to reach any element at once and without making a copy of all.
protocol IndexedValues {
    var valueCount: Int { get }
    func value(at index: Int) -> Any
}

extension IndexedValues where Self: RandomAccessCollection, Index == Int {
    var valueCount: Int { count }
    func value(at index: Int) -> Any { self[startIndex + index] }
}

extension Array: IndexedValues {}
extension ArraySlice: IndexedValues {}
extension ContiguousArray: IndexedValues {}

/// What other collections show of themselves to reflection, as much of it as may be looked at.
struct MirroredValues: IndexedValues {
    private let values: [Any]

    init(_ mirror: Mirror, atMost limit: Int) { values = mirror.children.prefix(max(limit, 0)).map(\.value) }

    var valueCount: Int { values.count }
    func value(at index: Int) -> Any { values[index] }
}

/// Arrays and their like, with elements that compare at full speed: a million of them in about a millisecond.
protocol ComparableValues: IndexedValues {
    /// How many elements at the beginning, and of the rest how many at the end, are equal.
    func commonEnds(with other: Any) -> (prefix: Int, suffix: Int)?
    /// The indices below both counts at which elements differ: the first few, and how many there are.
    func differingIndices(from start: Int, to end: Int, other: Any, atMost: Int) -> (first: [Int], count: Int)?
}

extension ComparableValues where Self: RandomAccessCollection, Index == Int, Element: Equatable {
    func commonEnds(with other: Any) -> (prefix: Int, suffix: Int)? {
        guard let other = other as? Self else { return nil }
        let most = Swift.min(count, other.count)
        var prefix = 0
        while prefix < most, self[startIndex + prefix] == other[other.startIndex + prefix] { prefix += 1 }
        var suffix = 0
        while suffix < most - prefix, self[endIndex - 1 - suffix] == other[other.endIndex - 1 - suffix] { suffix += 1 }
        return (prefix, suffix)
    }

    func differingIndices(from start: Int, to end: Int, other: Any, atMost: Int) -> (first: [Int], count: Int)? {
        guard let other = other as? Self else { return nil }
        var first: [Int] = []
        var found = 0
        for index in start..<end where self[startIndex + index] != other[other.startIndex + index] {
            if first.count < atMost { first.append(index) }
            found += 1
        }
        return (first, found)
    }
}

extension Array: ComparableValues where Element: Equatable {}
extension ArraySlice: ComparableValues where Element: Equatable {}
extension ContiguousArray: ComparableValues where Element: Equatable {}

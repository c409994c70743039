import LoopCore

/// Arrays and their like: any element is reached in O(1), without a copy of all.
protocol IndexedValues {
    var count: Int { get }
    func value(at index: Int) -> Any
    /// Tells whether an element equals an element of `other`; `nil` if `other` has another type or the elements have no `==`.
    func equality(with other: any IndexedValues) -> ((_ index: Int, _ otherIndex: Int) -> Bool)?
}

extension IndexedValues where Self: RandomAccessCollection, Index == Int {
    func value(at index: Int) -> Any { self[startIndex + index] }

    func equality(with other: any IndexedValues) -> ((Int, Int) -> Bool)? {
        guard let other = other as? Self, let areEqual = Sameness.equality(of: Element.self) else { return nil }
        return { areEqual(self[startIndex + $0], other[other.startIndex + $1]) }
    }
}

extension Array: IndexedValues {}
extension ArraySlice: IndexedValues {}
extension ContiguousArray: IndexedValues {}

/// The first elements of any other collection, as a mirror shows them.
struct MirroredValues: IndexedValues {
    private let values: [Any]

    init(_ mirror: Mirror, atMost limit: Int) { values = mirror.children.prefix(max(limit, 0)).map(\.value) }

    var count: Int { values.count }
    func value(at index: Int) -> Any { values[index] }
    func equality(with other: any IndexedValues) -> ((Int, Int) -> Bool)? { nil }
}

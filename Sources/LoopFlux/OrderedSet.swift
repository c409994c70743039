/// Elements from least to greatest, each at most once.
///
/// A value, where Mini's is an object. Elements that compare as neither less nor greater but are not equal stand in the order in which
/// they came.
/// ```swift
/// var names: OrderedSet = ["mug", "cup"]
/// names.insert("cup")       // false, it is there
/// Array(names)              // ["cup", "mug"]
/// ```
public struct OrderedSet<Element: Comparable>: RandomAccessCollection, Equatable, ExpressibleByArrayLiteral {
    private var elements: [Element] = []

    /// A set of what is in the sequence.
    public init(_ elements: some Sequence<Element>) { insert(contentsOf: elements) }

    public init() {}

    public init(arrayLiteral elements: Element...) { self.init(elements) }

    public var startIndex: Int { 0 }
    public var endIndex: Int { elements.count }
    public subscript(position: Int) -> Element { elements[position] }

    /// Puts an element into its place, unless it is there.
    ///
    /// - Returns: whether it was put in.
    /// - Complexity: O(n).
    @discardableResult
    public mutating func insert(_ element: Element) -> Bool {
        let place = places(of: element)
        if elements[place].contains(element) { return false }
        elements.insert(element, at: place.upperBound)
        return true
    }

    /// Puts several elements into their places.
    ///
    /// - Returns: whether any was put in.
    @discardableResult
    public mutating func insert(contentsOf elements: some Sequence<Element>) -> Bool {
        var isAny = false
        for element in elements where insert(element) { isAny = true }
        return isAny
    }

    /// Takes an element away.
    ///
    /// - Returns: whether it was there.
    /// - Complexity: O(n).
    @discardableResult
    public mutating func remove(_ element: Element) -> Bool {
        guard let index = firstIndex(of: element) else { return false }
        elements.remove(at: index)
        return true
    }

    /// - Complexity: O(log n), where no two elements compare alike.
    public func contains(_ element: Element) -> Bool { firstIndex(of: element) != nil }

    /// - Complexity: O(log n), where no two elements compare alike.
    public func firstIndex(of element: Element) -> Int? { elements[places(of: element)].firstIndex(of: element) }

    public func min() -> Element? { elements.first }
    public func max() -> Element? { elements.last }

    /// The `k`th element from the least, which is the first; `nil` where there is none.
    public func kSmallest(_ k: Int) -> Element? { elements.indices.contains(k - 1) ? elements[k - 1] : nil }

    /// The `k`th element from the greatest, which is the first; `nil` where there is none.
    public func kLargest(_ k: Int) -> Element? { kSmallest(k < 1 ? 0 : elements.count - k + 1) }

    /// Where the elements stand that compare as neither less nor greater.
    private func places(of element: Element) -> Range<Int> {
        let first = firstPlace { $0 < element }
        return first..<Swift.max(first, firstPlace { !($0 > element) })
    }

    /// The first place whose element is not one of those before it, for which `isBefore` holds.
    private func firstPlace(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension OrderedSet: Sendable where Element: Sendable {}

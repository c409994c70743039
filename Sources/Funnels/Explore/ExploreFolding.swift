import Basics
import TrackingEvents

/// One property of a page, and what stands in its column: 0 for none, then its values, its ranges, and one for all folded texts.
package struct ExploreProperty: Sendable {
    package let path: [String]
    /// The numbers of the names that carry it.
    package internal(set) var names: [Int] = []
    package let values: [String]
    /// Ranges for the numbers that few users have. Each number lies strictly between the borders of its range; `nil` is no border.
    package let ranges: [(low: Double?, high: Double?)]
    /// Whether texts that few users have are folded into one.
    package let folds: Bool
}

/// Which values a page holds, and what stands for the rare ones, which too few users have.
///
/// All rare texts of a property have one code. A rare number becomes the smallest range of neighbours that enough users have together.
/// A border has the fewest digits that lie between two neighbours, and is neither of them.
struct ExploreFolding {
    /// A property with more kept values is left out.
    private static let mostValues = 50_000
    /// Whole numbers beyond it are not all doubles.
    private static let mostExact = 9_007_199_254_740_992.0

    /// For each value what stands for it in its column.
    private(set) var codeOf: [UInt32]
    /// For each path the index of its column among those of its source.
    private(set) var columnOf: [Int?]
    private(set) var events: [ExploreProperty] = []
    private(set) var sessions: [ExploreProperty] = []
    private(set) var leftOut: [(property: ExploreDefinition.Property, values: Int)] = []

    private let definition: ExploreDefinition
    private let values: ValueTable
    private let uses: ExploreUses

    init(_ definition: ExploreDefinition, _ values: ValueTable, _ uses: ExploreUses) {
        (self.definition, self.values, self.uses) = (definition, values, uses)
        codeOf = Array(repeating: 0, count: values.count)
        columnOf = Array(repeating: nil, count: values.paths.paths.count)
        var ofPath: [[Int]] = Array(repeating: [], count: columnOf.count)
        for value in 0..<values.count where uses.counts[value] > 0 { ofPath[Int(values.pathOf[value])].append(value) }
        let properties = ofPath.indices.map { path in
            let (source, keys) = values.keys(of: path)
            return ExploreDefinition.Property(path: keys, in: source)
        }
        let sorted = ofPath.indices.filter { !ofPath[$0].isEmpty }
            .sorted { properties[$0].path.map { ExactText($0) }.lexicographicallyPrecedes(properties[$1].path.map { ExactText($0) }) }
        for path in sorted { add(properties[path], path, ofPath[path]) }
    }

    private mutating func add(_ property: ExploreDefinition.Property, _ path: Int, _ all: [Int]) {
        let kept = all.filter { isKept($0, property) }.sorted { first, second in
            if uses.counts[first] != uses.counts[second] { return uses.counts[first] > uses.counts[second] }
            return values.text(first).lexicographicallyPrecedes(values.text(second))
        }
        let rare = all.filter { !isKept($0, property) }
        let numbers = rare.compactMap { value in number(value).map { (value, $0) } }.sorted { NumberText.order($0.1, $1.1) == .less }
        let ranges = ranges(of: numbers, beside: kept.compactMap(number))
        guard definition.holds(property), kept.count <= Self.mostValues, !kept.isEmpty || !ranges.isEmpty else {
            leftOut.append((property, all.count))
            return
        }
        for (index, value) in kept.enumerated() { codeOf[value] = UInt32(index + 1) }
        let folded = UInt32(kept.count + ranges.count + 1)
        for value in rare { codeOf[value] = folded }
        for (index, range) in ranges.enumerated() { for value in range.values { codeOf[value] = UInt32(kept.count + index + 1) } }
        let column = ExploreProperty(
            path: property.path, values: kept.map { String(decoding: values.text($0), as: UTF8.self) },
            ranges: ranges.map { ($0.low, $0.high) }, folds: numbers.count < rare.count)
        let columns: WritableKeyPath<Self, [ExploreProperty]> = property.source == .event ? \.events : \.sessions
        columnOf[path] = self[keyPath: columns].count
        self[keyPath: columns].append(column)
    }

    private func isKept(_ value: Int, _ property: ExploreDefinition.Property) -> Bool {
        let text = values.text(value)
        // What is not UTF-8 cannot stand in the page as it is.
        guard String(validating: text, as: UTF8.self) != nil else { return false }
        // A value of events without a user has no users, and is kept only where all values are.
        return uses.users[value] >= definition.minimumUsers || definition.minimumUsers <= 1 || definition.exact.contains(property)
            || text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8)
    }

    private func number(_ value: Int) -> NumberText? { values.text(value).withUnsafeBytes { NumberText($0) } }

    private typealias Folded = (values: [Int], low: Double?, high: Double?)

    /// The ranges of rare numbers, which come by rising number. If too few users have all of them, the range reaches over a kept one.
    private func ranges(of numbers: [(value: Int, number: NumberText)], beside kept: [NumberText]) -> [Folded] {
        guard let first = numbers.first?.number.double, let last = numbers.last?.number.double else { return [] }
        var ranges: [Folded] = []
        var open = Folded([], Self.border(below: first), nil)
        var people: Set<UInt32> = []
        for (index, (value, number)) in numbers.enumerated() {
            open.values.append(value)
            people.formUnion(uses.listed[value] ?? [])
            guard people.count >= definition.minimumUsers, index + 1 < numbers.count,
                let border = Self.border(between: number.double, and: numbers[index + 1].number.double)
            else { continue }
            open.high = border
            ranges.append(open)
            open = ([], border, nil)
            people.removeAll(keepingCapacity: true)
        }
        open.high = Self.border(above: last)
        if people.count >= definition.minimumUsers { return ranges + [open] }
        // Too few for a range of their own.
        if var before = ranges.popLast() {
            before.values += open.values
            before.high = open.high
            return ranges + [before]
        }
        let neighbours = kept.map(\.double)
        if let below = neighbours.filter({ $0 < first }).max() {
            open.low = Self.border(below: below)
        } else if let above = neighbours.filter({ $0 > last }).min() {
            open.high = Self.border(above: above)
        } else {
            (open.low, open.high) = (nil, nil)
        }
        return [open]
    }

    /// The number with the fewest digits between two; `nil` where there is none.
    static func border(between low: Double, and high: Double) -> Double? {
        let most = max(low.magnitude, high.magnitude)
        guard low < high, most <= mostExact else { return nil }
        var exponent = log10(most).rounded(.up)
        while true {
            let step = pow(10, exponent), first = (low / step).rounded(.down)
            guard first.magnitude < mostExact else { return nil }
            for digits in [first, first + 1, first + 2] where low < digits * step && digits * step < high {
                if let border = decimal(digits, exponent), low < border, border < high { return border }
            }
            exponent -= 1
        }
    }

    /// A number of one digit below another; `nil` beyond what doubles hold exactly.
    static func border(below number: Double) -> Double? {
        guard number.magnitude <= mostExact else { return nil }
        // Near 0 a power of ten may have no inverse.
        if number.magnitude < 1e-300 { return number > 0 ? 0 : -1 }
        let exponent = log10(number.magnitude).rounded(.down), digits = (number / pow(10, exponent)).rounded(.down)
        return [digits, digits - 1].lazy.compactMap { decimal($0, exponent) }.first { $0 < number }
    }

    static func border(above number: Double) -> Double? { border(below: -number).map { 0 - $0 } }

    /// Reads a number from its decimal digits, so that it prints as these do: a product with a power of ten may have noise at its end.
    private static func decimal(_ digits: Double, _ exponent: Double) -> Double? { Double("\(Int64(digits))e\(Int(exponent))") }
}

/// How often a page has each value, and how many users have it; where they are few, they are listed.
struct ExploreUses {
    private(set) var counts: [Int]
    private(set) var users: [Int]
    private(set) var listed: [Int: [UInt32]] = [:]
    private var last: [UInt32]
    private let most: Int

    /// - Parameter most: from this number on, the users of a value are only counted, not listed.
    init(values: Int, listing most: Int) {
        counts = Array(repeating: 0, count: values)
        (users, last) = (counts, Array(repeating: 0, count: values))
        self.most = most
    }

    /// Notes that a user has a value; 0 stands for no user. All calls for one user follow each other.
    mutating func note(_ value: Int, of user: UInt32) {
        counts[value] += 1
        if user == 0 || last[value] == user { return }
        last[value] = user
        users[value] += 1
        if users[value] < most { listed[value, default: []].append(user) } else if users[value] == most { listed[value] = nil }
    }
}

import Basics
import EventFiles

/// One property of a page. In its column, 0 stands for no value; then come its values, its ranges, and one code for all folded texts.
package struct ExploreProperty: Sendable {
    package let path: [String]
    /// The numbers of the event names that carry it; none for a property of sessions.
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
/// A border is the number with the fewest digits between two neighbours, and is neither of them.
struct ExploreFolding {
    /// A property with more kept values is left out.
    private static let mostValues = 50_000
    /// The most columns of one name: each of its events has a cell in each. Of an object whose keys are ids, most paths are left out.
    private static let mostColumns = 500
    /// Whole numbers beyond it are not all doubles.
    private static let mostExact = 9_007_199_254_740_992.0

    /// For each value its code in its column.
    private(set) var codeOf: [UInt32]
    /// For each path the index of its column among those of its source.
    private(set) var columnOf: [Int?]
    private(set) var events: [ExploreProperty] = []
    private(set) var sessions: [ExploreProperty] = []
    private(set) var leftOut: [(property: ExploreDefinition.Property, values: Int)] = []
    /// The properties with a value in the page's events and sessions.
    let known: [ExploreDefinition.Property]

    private let definition: ExploreDefinition
    private let values: ValueTable
    private let uses: ExploreUses
    /// The paths beyond ``mostColumns``.
    private let crowded: Set<Int>
    /// The paths of ``leftOut``, in its order.
    private var listed = Numbering<Int>()

    /// - Parameter together: for each name the paths of its events, then those of sessions.
    init(_ definition: ExploreDefinition, _ values: ValueTable, _ uses: ExploreUses, together: [[Int]]) {
        (self.definition, self.values, self.uses) = (definition, values, uses)
        codeOf = Array(repeating: 0, count: values.count)
        columnOf = Array(repeating: nil, count: values.paths.paths.count)
        var ofPath: [[Int]] = Array(repeating: [], count: columnOf.count)
        for value in 0..<values.count where uses.counts[value] > 0 { ofPath[Int(values.pathOf[value])].append(value) }
        let properties = ofPath.indices.map(values.property(atPath:))
        let sorted = ofPath.indices.filter { !ofPath[$0].isEmpty }
            .sorted { properties[$0].path.map { ExactText($0) }.lexicographicallyPrecedes(properties[$1].path.map { ExactText($0) }) }
        known = sorted.map { properties[$0] }
        // The paths that most users have stay, whatever order they were read in.
        func precedes(_ one: Int, _ other: Int) -> Bool {
            if uses.people[one] != uses.people[other] { return uses.people[one] > uses.people[other] }
            return values.paths.paths[one].fingerprint.high < values.paths.paths[other].fingerprint.high
        }
        crowded = Set(together.flatMap { $0.filter { definition.holds(properties[$0]) }.sorted(by: precedes).dropFirst(Self.mostColumns) })
        for path in sorted { add(properties[path], path, ofPath[path]) }
    }

    /// Notes what the page does not hold. A key that few users have, or one among very many, may be an id: its object is noted instead.
    private mutating func leaveOut(_ property: ExploreDefinition.Property, _ path: Int, values count: Int) {
        var (shown, keys) = (path, property.path)
        while shown >= 0, uses.people[shown] < definition.minimumUsers && definition.minimumUsers > 1 || crowded.contains(shown) {
            shown = values.paths.paths[shown].parent
            keys.removeLast()
        }
        let index = listed.number(of: shown)
        if index == leftOut.count { leftOut.append((ExploreDefinition.Property(path: keys, in: property.source), 0)) }
        leftOut[index].values += count
    }

    private mutating func add(_ property: ExploreDefinition.Property, _ path: Int, _ all: [Int]) {
        let kept = all.filter { isKept($0, property) }.sorted { first, second in
            if uses.counts[first] != uses.counts[second] { return uses.counts[first] > uses.counts[second] }
            return values.text(first).lexicographicallyPrecedes(values.text(second))
        }
        let rare = all.filter { !isKept($0, property) }
        let numbers = rare.compactMap { value in number(value).map { (value, $0) } }.sorted { NumberText.order($0.1, $1.1) == .less }
        let ranges = ranges(of: numbers, beside: kept)
        guard definition.holds(property), !crowded.contains(path), kept.count <= Self.mostValues, !kept.isEmpty || !ranges.isEmpty else {
            return leaveOut(property, path, values: all.count)
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
        // A value that only events without a user have has no users, so it is rare.
        let isFrequent = uses.users[value] >= definition.minimumUsers || definition.minimumUsers <= 1
        if isFrequent || definition.exact.contains(property) { return true }
        // Truth values and an empty text tell nothing of a person, but a key that few users have may be an id.
        return uses.people[Int(values.pathOf[value])] >= definition.minimumUsers
            && (text.isEmpty || text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8))
    }

    private func number(_ value: Int) -> NumberText? { values.text(value).withUnsafeBytes { NumberText($0) } }

    private typealias Folded = (values: [Int], low: Double?, high: Double?)

    /// Ranges for the rare numbers, which come sorted. Enough users have the numbers of each range. If too few have all of them together,
    /// one range reaches over the next kept number below, else above, or over all if no number is kept. Without kept values there is none.
    private func ranges(of numbers: [(value: Int, number: NumberText)], beside kept: [Int]) -> [Folded] {
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
        // Too few users are left for a range of their own.
        if let before = ranges.popLast() { return ranges + [(before.values + open.values, before.low, open.high)] }
        if kept.isEmpty { return [] }
        let neighbours = kept.compactMap { number($0)?.double }
        if let below = neighbours.filter({ $0 < first }).max() {
            open.low = Self.border(below: below)
        } else if let above = neighbours.filter({ $0 > last }).min() {
            open.high = Self.border(above: above)
        } else {
            (open.low, open.high) = (nil, nil)
        }
        return [open]
    }

    /// The number with the fewest digits between two; `nil` where there is none, or beyond what doubles hold exactly.
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
        // So near to 0, the power of ten may round to 0.
        if number.magnitude < 1e-300 { return number > 0 ? 0 : -1 }
        let exponent = log10(number.magnitude).rounded(.down), digits = (number / pow(10, exponent)).rounded(.down)
        return [digits, digits - 1].lazy.compactMap { decimal($0, exponent) }.first { $0 < number }
    }

    static func border(above number: Double) -> Double? { border(below: -number).map { 0 - $0 } }

    /// Reads a number from its decimal digits, so that it prints as these do: a product with a power of ten may have noise at its end.
    private static func decimal(_ digits: Double, _ exponent: Double) -> Double? { Double("\(Int64(digits))e\(Int(exponent))") }
}

/// Counts how often a page has each value and how many users have it, and lists the users where they are few.
struct ExploreUses {
    private(set) var counts: [Int]
    private(set) var users: [Int]
    private(set) var listed: [Int: [UInt32]] = [:]
    /// For each path how many users have a value there, or inside the object there.
    private(set) var people: [Int]
    private var last: [UInt32]
    private var lastOfPath: [UInt32]
    private let most: Int
    private let pathOf: [UInt32]
    private let parents: [Int]

    /// - Parameter most: from this number on, the users of a value are only counted, not listed.
    init(_ values: ValueTable, listing most: Int) {
        (pathOf, parents, self.most) = (values.pathOf, values.paths.paths.map(\.parent), most)
        (counts, people) = (Array(repeating: 0, count: pathOf.count), Array(repeating: 0, count: parents.count))
        users = counts
        (last, lastOfPath) = (Array(repeating: 0, count: counts.count), Array(repeating: 0, count: people.count))
    }

    /// Notes that a user has a value; 0 stands for no user. All calls for one user follow each other.
    mutating func note(_ value: Int, of user: UInt32) {
        counts[value] += 1
        if user == 0 || last[value] == user { return }
        last[value] = user
        users[value] += 1
        if users[value] < most { listed[value, default: []].append(user) } else if users[value] == most { listed[value] = nil }
        var path = Int(pathOf[value])
        while path >= 0, lastOfPath[path] != user {
            lastOfPath[path] = user
            people[path] += 1
            path = parents[path]
        }
    }
}

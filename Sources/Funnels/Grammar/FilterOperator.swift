/// A comparison of a property's value with the value of a test: how it is spelt, and when it holds, in memory and as SQL.
///
/// A new operator is added to ``allCases``, which the grammar, its errors, the scan, SQL and the tracking plan use.
public struct FilterOperator: Sendable, CustomStringConvertible, CaseIterable, Hashable {
    /// How a property's value compares with the value of the test.
    struct Orders: OptionSet, Sendable {
        let rawValue: UInt8
        static let less = Orders(rawValue: 1)
        static let equal = Orders(rawValue: 2)
        static let greater = Orders(rawValue: 4)
    }

    enum Rule: Sendable {
        /// The test holds if its sides are in one of these orders: as numbers if both are numbers, else as text. SQL has the same spelling.
        case order(Orders)
        /// The text of the value alone decides.
        ///
        /// - Parameters:
        ///   - holds: gets the text of the property's value and the text of the test's value.
        ///   - sql: gets the column of the property's value, the text of the test's value and the dialect. Gives `nil` where any text fits.
        case text(
            holds: @Sendable (_ text: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool,
            sql: @Sendable (_ column: String, _ value: String, _ dialect: any SQLDialect) -> String?)
    }

    /// How the grammar writes it: signs that no bare path holds.
    public let spelling: String
    let rule: Rule
    /// What help says of it; `nil` where the spelling explains itself.
    private(set) var words: String?

    public static let equal = FilterOperator(spelling: "=", rule: .order(.equal))
    public static let notEqual = FilterOperator(spelling: "!=", rule: .order([.less, .greater]))
    public static let less = FilterOperator(spelling: "<", rule: .order(.less))
    public static let lessOrEqual = FilterOperator(spelling: "<=", rule: .order([.less, .equal]))
    public static let greater = FilterOperator(spelling: ">", rule: .order(.greater))
    public static let greaterOrEqual = FilterOperator(spelling: ">=", rule: .order([.equal, .greater]))
    public static let contains = FilterOperator(
        spelling: "~",
        rule: .text(
            holds: { text, value in
                text.count >= value.count && (0...text.count - value.count).contains { text[$0..<$0 + value.count].elementsEqual(value) }
            },
            sql: { column, value, dialect in
                value.isEmpty ? nil : "\(dialect.position(of: dialect.literal(value), in: column)) > 0"
            }), words: "contains")

    /// Whether a test holds where the value is missing, `null`, an object or an array.
    var holdsWithoutValue: Bool { self == .notEqual }

    public var description: String { spelling }

    public static let allCases: [FilterOperator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contains]

    /// The operators in a line of help: `= != < … and ~ for contains`.
    package static let help =
        allCases.filter { $0.words == nil }.map(\.spelling).joined(separator: " ")
        + allCases.compactMap { one in one.words.map { " and \(one.spelling) for \($0)" } }.joined()

    /// The first characters of all operators: each ends a bare key.
    static let signs = Set(allCases.compactMap(\.spelling.unicodeScalars.first))

    /// The operator that several signs in a row were probably meant to be: `==` is `=`, `=<` is `<=`, `<>` is `!=`.
    static func meant(by text: String) -> FilterOperator {
        let signs = Set(text.filter { !$0.isWhitespace })
        if let same = allCases.first(where: { Set($0.spelling) == signs }) { return same }
        let others = Set("=!<>")
        if let own = allCases.first(where: { !signs.subtracting(others).isDisjoint(with: $0.spelling) }) { return own }
        return signs.contains("!") || signs.isSuperset(of: "<>") ? .notEqual : .equal
    }

    public static func == (a: FilterOperator, b: FilterOperator) -> Bool { a.spelling == b.spelling }
    public func hash(into hasher: inout Hasher) { hasher.combine(spelling) }
}

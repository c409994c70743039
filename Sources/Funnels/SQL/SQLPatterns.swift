import Basics

/// The different patterns of a funnel's steps as conditions, and the properties that they read as columns.
struct SQLPatterns {
    /// For each step the number of its pattern, from 1. Steps of one pattern share it.
    private(set) var wanted: [Int] = []
    /// For each pattern whether an event fits it; never null.
    private(set) var conditions: [String] = []
    /// Paths whose values are columns: `p1` the text, `f1` whether it is a number with a fraction, `d1` its double, `w1` its whole number.
    private(set) var properties: [[String]] = []
    /// The columns that are compared as numbers.
    private(set) var numericColumns: Set<Int> = []
    /// The names that the steps ask for; `nil` if one takes any name.
    private(set) var names: [String]?

    private let dialect: any SQLDialect

    init(_ steps: [FunnelStep], _ dialect: any SQLDialect) {
        self.dialect = dialect
        var known = Numbering<ExactText>()
        var names: Set<ExactText> = []
        var takesAny = false
        for pattern in steps.map({ Self.sorted($0.pattern) }) {
            wanted.append(known.number(of: ExactText(pattern.description)) + 1)
            if known.all.count == conditions.count { continue }
            if case .oneOf(let list) = pattern.names { names.formUnion(list.map { ExactText($0) }) } else { takesAny = true }
            conditions.append(condition(pattern))
        }
        self.names = takesAny ? nil : names.sorted().map(\.text)
    }

    /// The pattern with its names and tests sorted: another order of them means the same pattern.
    private static func sorted(_ pattern: EventPattern) -> EventPattern {
        let known = Dictionary(pattern.tests.map { (ExactText($0.description), $0) }) { one, _ in one }
        let tests = known.sorted { $0.key < $1.key }.map(\.value)
        guard case .oneOf(let names) = pattern.names else { return EventPattern(names: .any, tests: tests) }
        return EventPattern(names: .oneOf(names.map { ExactText($0) }.sorted().map(\.text)), tests: tests)
    }

    private mutating func condition(_ pattern: EventPattern) -> String {
        var parts = ["1 = 1"]
        if case .oneOf(let names) = pattern.names { parts = ["name IN (\(names.map(dialect.literal).joined(separator: ", ")))"] }
        for test in pattern.tests { parts.append(condition(test, among: parts[0])) }
        return parts.joined(separator: " AND ")
    }

    /// - Parameter names: the condition that an event has a name of the pattern; other events do not stop the statement.
    private mutating func condition(_ test: PropertyTest, among names: String) -> String {
        let column = column(of: test.path)
        let text = dialect.literal(test.value)
        // Engines may print a number with a fraction in another way than the line does.
        func ofText(_ condition: String) -> String {
            let holds = "CASE WHEN \(condition) THEN 1 ELSE 0 END"
            return dialect.value(holds, stoppingIf: "f\(column) AND \(names)", FunnelSQL.fractionMessage) + " = 1"
        }
        func decided(_ condition: String) -> String {
            "CASE WHEN p\(column) IS NULL THEN 1 = \(test.comparison.holdsWithoutValue ? 1 : 0) ELSE \(condition) END"
        }
        let orders: FilterOperator.Orders
        switch test.comparison.rule {
        case .text(_, let sql): return decided(sql("p\(column)", test.value, dialect).map(ofText) ?? "1 = 1")
        case .order(let holding): orders = holding
        }
        let sign = test.comparison.spelling
        func ofNumber(_ kind: String, _ literal: String) -> String {
            "WHEN \(kind)\(column) IS NOT NULL THEN \(kind)\(column) \(sign) \(literal) "
        }
        switch Array(test.value.utf8).withUnsafeBytes({ NumberText($0) }) {
        case .whole(let whole)?:
            numericColumns.insert(column)
            let (asWhole, asDouble) = (ofNumber("w", dialect.literal(whole)), ofNumber("d", dialect.literal(Double(whole))))
            return decided("CASE \(asWhole)\(asDouble)ELSE p\(column) \(sign) \(text) END")
        case .real(let real)?:
            numericColumns.insert(column)
            return decided("CASE \(ofNumber("d", dialect.literal(real)))ELSE p\(column) \(sign) \(text) END")
        case nil, .huge?:
            // A number never equals a text that is no number. Numbers that engines do not hold are refused before.
            let isEquality = orders == .equal || orders == [.less, .greater]
            return decided(isEquality ? "p\(column) \(sign) \(text)" : ofText("p\(column) \(sign) \(text)"))
        }
    }

    /// The number of a path's columns, from 1.
    mutating func column(of path: [String]) -> Int {
        if let index = properties.firstIndex(where: { $0.elementsEqual(path) { $0.isExactly($1) } }) { return index + 1 }
        properties.append(path)
        return properties.count
    }
}

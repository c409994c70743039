import Funnels

/// Rows under headings.
public struct ReportTable: Sendable, Hashable {
    public struct Column: Sendable, Hashable {
        /// The heading for people, in Looptrail's own words.
        public let title: String
        /// The heading for programs, `from_previous_p50_ms`: units in the name.
        public let key: String
        /// Which people see the column; programs get every one.
        public internal(set) var readers = Readers.everyone
    }

    /// Those who look at a table. A column that would make it too wide for some of them is left out there.
    public struct Readers: OptionSet, Sendable, Hashable {
        public let rawValue: Int

        /// Of a page: HTML, Markdown.
        public static let page = Readers(rawValue: 1)
        public static let terminal = Readers(rawValue: 2)
        public static let everyone: Readers = [.page, .terminal]

        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// What the rows are, in Looptrail's own words.
    public let caption: String
    public let columns: [Column]
    /// Each as long as the columns.
    public let rows: [[ReportValue]]

    init(_ caption: String, columns: [Column], rows: [[ReportValue]]) {
        precondition(rows.allSatisfy { $0.count == columns.count }, "a row has a value for each column")
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }

    /// A column of rows that are all of one type.
    struct Field<Row> {
        let column: Column
        let value: (Row) -> ReportValue

        /// - Parameter key: the heading for programs; `nil` to take the title, where only programs read the rows.
        init(_ title: String, _ key: String? = nil, for readers: Readers = .everyone, _ value: @escaping (Row) -> ReportValue) {
            column = Column(title: title, key: key ?? title, readers: readers)
            self.value = value
        }
    }

    /// The columns of a distribution of times, for programs.
    static func times<Row>(_ key: String, _ times: @escaping (Row) -> Distribution?) -> [Field<Row>] {
        [
            .init("\(key)_n") { .count(times($0)?.n) }, .init("\(key)_mean_ms") { .duration(times($0)?.mean) },
            .init("\(key)_p50_ms") { .duration(times($0)?.p50) }, .init("\(key)_p90_ms") { .duration(times($0)?.p90) },
            .init("\(key)_p99_ms") { .duration(times($0)?.p99) },
        ]
    }

    /// A row for each element, with the value that each field has of it.
    init<Row>(_ caption: String, of elements: some Sequence<Row>, _ fields: [Field<Row>]) {
        self.init(caption, columns: fields.map(\.column), rows: elements.map { element in fields.map { $0.value(element) } })
    }

    func shownColumns(for readers: Readers) -> [Int] { columns.indices.filter { columns[$0].readers.contains(readers) } }

    /// The heading of a column for people, with the zone's name where times stand in it.
    func heading(_ column: Int, in zone: TimeZoneRules) -> String { columns[column].title + (holdsTimes(column) ? " (\(zone.name))" : "") }

    func holdsTimes(_ column: Int) -> Bool { rows.contains { if case .moment = $0[column] { true } else { false } } }

    func holdsData(_ column: Int) -> Bool { rows.contains { if case .data = $0[column] { true } else { false } } }

    /// Whether a column's values are words that begin with a digit or a sign, as intervals do.
    func holdsFigures(_ column: Int) -> Bool {
        rows.allSatisfy { row in
            switch row[column] {
            case .words(let text): text.first.map { $0.isNumber || "+−<".contains($0) } ?? false
            case .none: true
            default: false
            }
        }
    }

    func isNumeric(_ column: Int) -> Bool {
        let values = rows.lazy.map { $0[column] }
        return values.contains(where: \.isNumber) && values.allSatisfy { $0.isNumber || $0 == .none }
    }
}

/// Rows under headings.
public struct ReportTable: Sendable, Hashable {
    /// One column.
    public struct Column: Sendable, Hashable {
        /// The heading for people, words of ours.
        public let title: String
        /// The heading for programs, `from_previous_p50_ms`: units in the name.
        public let key: String
        /// Whether the column is for programs only: what would make a page too wide to read.
        public let isForProgramsOnly: Bool

        public init(_ title: String, key: String, isForProgramsOnly: Bool = false) {
            self.title = title
            self.key = key
            self.isForProgramsOnly = isForProgramsOnly
        }
    }

    /// What the rows are, words of ours.
    public let caption: String
    public let columns: [Column]
    /// Each as long as the columns.
    public let rows: [[ReportValue]]

    public init(_ caption: String, columns: [Column], rows: [[ReportValue]]) {
        precondition(rows.allSatisfy { $0.count == columns.count }, "a row has a value for each column")
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }

    /// The places of the columns that people see.
    var shownColumns: [Int] { columns.indices.filter { !columns[$0].isForProgramsOnly } }

    /// The heading of a column for people, with the zone's name where times stand in it.
    func heading(_ column: Int, in zone: TimeZoneRules) -> String {
        let hasTimes = rows.contains { row in
            if case .moment = row[column] { true } else { false }
        }
        return columns[column].title + (hasTimes ? " (\(zone.name))" : "")
    }

    /// Whether text from data stands in a column.
    func holdsData(_ column: Int) -> Bool {
        rows.contains { row in
            if case .data = row[column] { true } else { false }
        }
    }

    /// Whether a column's values are quantities.
    func isNumeric(_ column: Int) -> Bool {
        let values = rows.lazy.map { $0[column] }
        return values.contains(where: \.isNumber) && values.allSatisfy { $0.isNumber || $0 == .none }
    }
}

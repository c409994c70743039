import EventFiles

/// What DuckDB and Spark have in common: a moment is a structure, and types and conditions are spelt as in the SQL standard.
protocol StructDialect: SQLDialect {
    static var textType: String { get }
    /// The function that ends a statement with a message.
    static var stop: String { get }

    /// The expression for `props`, with the white space in front.
    func props(of column: String) -> String
    func column(_ leaf: SummaryLeaf) -> String
    func table(_ source: SQLSource, leaves: [SummaryLeaf]) -> String
    /// The first or last of `moments` that has a group's value.
    func found(last: Bool) -> String
}

extension StructDialect {
    func lines(_ source: SQLSource, leaves: [SummaryLeaf]) -> String {
        let props = if case .parquet = source { props(of: "props_rest") } else { props(of: "props") }
        return """
            SELECT CAST(t_ms AS BIGINT) AS t_ms, name, coalesce(\(quoted("user")), '') AS person, coalesce(session, '') AS session,
                coalesce(id, '') AS id, coalesce(type, '') AS type, coalesce(system, '') AS system,\(props) AS props\(
            leaves.map { ",\n    \(column($0))" }.joined())
            FROM \(table(source, leaves: leaves)) AS line
            WHERE coalesce(v, 1) <= 1 AND name != '' AND t_ms IS NOT NULL
            """
    }

    /// Columns of properties that are null in every row.
    func absent(_ leaves: [SummaryLeaf]) -> String {
        leaves.map { leaf in
            let type =
                switch leaf.kind {
                case .number: "DOUBLE"
                case .integer: "BIGINT"
                case .text: Self.textType
                case .flag: "BOOLEAN"
                }
            return "CAST(NULL AS \(type)) AS \(quoted(leaf.columnName))"
        }.joined(separator: ", ")
    }

    func text(ofNumber value: String) -> String { "CAST(\(value) AS \(Self.textType))" }
    func position(of part: String, in text: String) -> String { "instr(\(text), \(part))" }
    func value(_ value: String, stoppingIf condition: String, _ message: String) -> String {
        "CASE WHEN \(condition) THEN \(Self.stop)(\(literal(message))) ELSE \(value) END"
    }
    var momentTime: String { "moment.t" }
    func group(last: Bool) -> String { "coalesce(\(found(last: last)).of_group, '')" }
    func groupTime(last: Bool) -> String { "\(found(last: last)).t" }
}

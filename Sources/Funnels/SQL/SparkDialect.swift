import Basics
import EventFiles

/// Spark 3.5 or newer.
struct SparkDialect: StructDialect {
    static let (textType, stop) = ("STRING", "raise_error")
    let readsPathsWithLineEnds = false
    let escapesGlobs = true

    func literal(_ text: String) -> String {
        // Spark replaces `${x}` by a variable's value before it parses; literals side by side are one text.
        let parts = BackslashLiteral.quoted(text).unicodeScalars.split(separator: "${".unicodeScalars, omittingEmptySubsequences: false)
        return parts.map { String($0) }.joined(separator: "$' '{")
    }

    func props(of column: String) -> String { " coalesce(\(column), '')" }

    // Without mergeSchema Spark takes the columns of one file for those of all. It inserts the setting's value before it parses the text.
    // Each column checks the setting: where a condition on one column leaves a row out, Spark does not look at the others.
    func column(_ leaf: SummaryLeaf) -> String {
        let message = literal("set spark.sql.parquet.mergeSchema to true first: the files have different columns")
        let name = quoted(leaf.columnName)
        return "CASE WHEN '${spark.sql.parquet.mergeSchema}' = 'true' THEN \(name) ELSE raise_error(\(message)) END AS \(name)"
    }

    func table(_ source: SQLSource, leaves: [SummaryLeaf]) -> String {
        switch source {
        case .table(let name): return name
        case .files(let path):
            // Spark reads a time such as `1767225600000.0` as a double only, which holds all times.
            let columns =
                "v INT, t_ms DOUBLE, name STRING, `user` STRING, session STRING, id STRING, type STRING, system STRING, props STRING"
            return "(SELECT line.* FROM (SELECT from_json(value, '\(columns)') AS line FROM text.\(quoted(path))) AS text)"
        case .parquet(let path):
            if leaves.isEmpty { return "parquet.\(quoted(path))" }
            // Where no file has a column, its name means the null column of `absent`.
            let columns =
                ["v", "t_ms", "name", "`user`", "session", "id", "type", "system", "props_rest"] + leaves.map { quoted($0.columnName) }
            return """
                (SELECT files.* FROM (SELECT \(absent(leaves))) AS absent,
                    LATERAL (SELECT \(columns.joined(separator: ", ")) FROM parquet.\(quoted(path))) AS files)
                """
        }
    }

    func quoted(_ text: String) -> String { "`\(text.replacingScalars { $0 == "`" ? "``" : nil })`" }

    func property(_ path: [String]) -> String {
        "CASE WHEN \(read(path, as: "ARRAY<STRING>")) IS NULL AND \(read(path, as: "MAP<STRING, STRING>")) IS NULL "
            + "THEN \(read(path, as: "STRING")) END"
    }

    func isFraction(_ path: [String]) -> String {
        // Spark's JSON reader takes no text for a double, except NaN and the infinities.
        let text = read(path, as: "STRING")
        return
            "coalesce(\(read(path, as: "DOUBLE")) IS NOT NULL AND \(text) RLIKE '^-?[0-9]' AND NOT \(text) RLIKE '^\(JSONNumberPattern.whole)\\\\z', false)"
    }

    /// Reads a path's value as a type; null if it has another.
    private func read(_ path: [String], as type: String) -> String {
        var schema = "\(quoted(path[path.count - 1])) \(type)"
        for key in path.dropLast().reversed() { schema = "\(quoted(key)) STRUCT<\(schema)>" }
        return "from_json(props, \(literal(schema)))" + path.map { ".\(quoted($0))" }.joined()
    }

    func double(_ text: String) -> String { "CASE WHEN \(text) RLIKE '^\(JSONNumberPattern.number)\\\\z' THEN CAST(\(text) AS DOUBLE) END" }

    func whole(_ text: String) -> String {
        "CASE WHEN \(text) RLIKE '^\(JSONNumberPattern.whole)\\\\z' THEN try_cast(\(text) AS BIGINT) END"
    }

    func array(_ value: String) -> String { "collect_list(\(value))" }
    func least(_ value: String, by order: [String]) -> String { "min_by(\(value), struct(\(order.joined(separator: ", "))))" }
    var moments: String { "array_sort(collect_list(struct(t_ms AS t, classes, group_then AS of_group)))" }
    func distinct(_ value: String) -> String { "collect_set(CASE WHEN is_start = 1 THEN \(value) END)" }
    func moments(where condition: String) -> String { "filter(moments, moment -> \(condition))" }
    func pairs(_ rows: String) -> String { "CAST(array(\(rows)) AS ARRAY<ARRAY<BIGINT>>)" }
    func list(_ elements: [String]) -> String { "array(\(elements.joined(separator: ", ")))" }
    func exploded(_ array: String) -> String { "explode(\(array))" }
    func range(from start: String, until end: String, by step: String) -> String {
        // An empty range stops Spark, even in a row that a condition leaves out.
        "sequence(\(start), greatest(\(end) - 1, \(start)), \(step))"
    }
    func percentile(_ share: String, _ value: String) -> String { "percentile(\(value), \(share))" }

    // Indices count from 0.
    func fold(_ moments: String, wanted: [Int], window: Int64, mayStart: String) -> String {
        let wanted = "array(\(wanted.map(String.init).joined(separator: ", ")))"
        return """
            aggregate(
                \(moments),
                struct(transform(\(wanted), class -> CAST(array() AS ARRAY<BIGINT>)) AS rows, CAST(array() AS ARRAY<BIGINT>) AS best),
                (state, moment) -> transform(
                    array(transform(\(wanted), (class, nth) -> CASE
                        WHEN NOT array_contains(moment.classes, class) THEN get(state.rows, nth)
                        ELSE get(transform(
                            array(array_max(transform(sequence(greatest(nth + 1 - size(moment.classes), 0), nth), origin -> CASE
                                WHEN NOT forall(slice(\(wanted), origin + 1, nth + 1 - origin), one ->
                                    size(filter(slice(\(wanted), origin + 1, nth + 1 - origin), other -> other = one))
                                        <= size(filter(moment.classes, other -> other = one))) THEN NULL
                                WHEN origin = 0 THEN CASE WHEN \(mayStart) THEN struct(moment.t AS began, 0 AS origin) END
                                WHEN moment.t - get(get(state.rows, origin - 1), 0) <= \(literal(window))
                                    THEN struct(get(get(state.rows, origin - 1), 0) AS began, origin AS origin)
                            END))),
                            found -> CASE
                                WHEN found IS NULL OR found.began <= get(get(state.rows, nth), 0) THEN get(state.rows, nth)
                                WHEN found.origin = 0 THEN array_repeat(moment.t, nth + 1)
                                ELSE concat(slice(get(state.rows, found.origin - 1), 1, found.origin),
                                    array_repeat(moment.t, nth + 1 - found.origin))
                            END), 0)
                        END)),
                    rows -> struct(rows AS rows,
                        CASE WHEN size(filter(rows, row -> size(row) > 0)) > size(state.best)
                            THEN get(rows, size(filter(rows, row -> size(row) > 0)) - 1) ELSE state.best END AS best))[0]).best
            """
    }

    func element(_ array: String, _ index: String) -> String { "get(\(array), \(index) - 1)" }
    func length(_ array: String) -> String { "size(\(array))" }
    func found(last: Bool) -> String { "try_element_at(filter(moments, moment -> moment.of_group != ''), \(last ? -1 : 1))" }
    func group(at time: String) -> String { "get(filter(moments, moment -> moment.t = \(time)), 0).of_group" }

    /// Temporary views of files as they lie, or of a table.
    func schema(_ source: SQLSource) -> String {
        """
        -- Looptrail's lines in Spark 3.5 or newer: nothing is loaded, every query reads the files.
        -- Every line once, by its id; lines without one are never duplicates.
        CREATE OR REPLACE TEMPORARY VIEW lines AS
        SELECT CAST(t_ms AS BIGINT) AS t_ms, name, user, session, id, type, system, props
        FROM
        (
            SELECT *, row_number() OVER (PARTITION BY coalesce(nullif(id, ''), uuid()) ORDER BY t_ms) AS nth
            FROM \(table(source, leaves: [])) AS line WHERE coalesce(v, 1) <= 1 AND name != '' AND t_ms IS NOT NULL
        ) AS copies
        WHERE nth = 1;

        -- Which user an anonymous id became: the first `identified` line wins, by time; of one millisecond the user that sorts first.
        CREATE OR REPLACE TEMPORARY VIEW identities AS
        SELECT get_json_object(props, '$.anonymous') AS anonymous, min_by(user, struct(t_ms, user)) AS identified
        FROM lines
        WHERE type = 'meta' AND name = 'identified' AND user != '' AND get_json_object(props, '$.anonymous') != ''
        GROUP BY get_json_object(props, '$.anonymous');

        -- The events: no meta and no timing lines. `person` is the user, also of what came before the user was known.
        CREATE OR REPLACE TEMPORARY VIEW tracked AS
        SELECT t_ms, name, coalesce(identified, user) AS person, user, session, id, system, props
        FROM lines LEFT JOIN identities ON lines.user = identities.anonymous
        WHERE coalesce(type, 'track') = 'track';

        """
    }
}

import Basics
import EventFiles

/// DuckDB 1.4 or newer.
struct DuckDBDialect: StructDialect {
    static let (textType, stop) = ("VARCHAR", "error")

    func literal(_ text: String) -> String {
        // Only this form can escape a line end. A line end that is not escaped would change when the statement is indented.
        if text.unicodeScalars.contains("\n") { return "E" + BackslashLiteral.quoted(text) }
        return "'\(text.replacingScalars { $0 == "'" ? "''" : nil })'"
    }

    func props(of column: String) -> String { "\n    CAST(coalesce(nullif(CAST(\(column) AS VARCHAR), ''), '{}') AS JSON)" }
    func column(_ leaf: SummaryLeaf) -> String { quoted(leaf.columnName) }

    func table(_ source: SQLSource, leaves: [SummaryLeaf]) -> String {
        switch source {
        case .table(let name): return name
        case .files(let path):
            return """
                read_json(\(literal(path)), format = 'newline_delimited', columns = {
                    v: 'INTEGER', t_ms: 'BIGINT', name: 'VARCHAR', "user": 'VARCHAR', session: 'VARCHAR', seq: 'BIGINT', id: 'VARCHAR', type: 'VARCHAR',
                    system: 'VARCHAR', props: 'JSON'})
                """
        case .parquet(let path):
            let files = "read_parquet(\(literal(path)), union_by_name = true)"
            if leaves.isEmpty { return files }
            // A property that no file has needs a column all the same.
            return "(SELECT * FROM \(files) UNION ALL BY NAME SELECT \(absent(leaves)) WHERE 1 = 0)"
        }
    }

    func quoted(_ column: String) -> String { "\"\(column)\"" }

    func property(_ path: [String]) -> String {
        let location = location(path)
        return "CASE WHEN json_type(props, \(location)) IN ('VARCHAR', 'BOOLEAN', 'BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT', 'DOUBLE') "
            + "THEN props ->> \(location) END"
    }

    func isFraction(_ path: [String]) -> String {
        // A whole number beyond 64 bits is a double to DuckDB, too.
        let location = location(path)
        return
            "(coalesce(json_type(props, \(location)), '') = 'DOUBLE' AND NOT regexp_full_match(props ->> \(location), '\(JSONNumberPattern.whole)'))"
    }

    /// Quoted keys; a JSON pointer where a key has what quotes cannot hold.
    private func location(_ path: [String]) -> String {
        let needsPointer = path.contains { $0.unicodeScalars.contains { $0 == "\"" || $0 == "\\" } }
        if !needsPointer { return literal("$" + path.map { ".\"\($0)\"" }.joined()) }
        return literal(path.map { "/" + $0.replacingScalars { $0 == "~" ? "~0" : $0 == "/" ? "~1" : nil } }.joined())
    }

    func double(_ text: String) -> String {
        "CASE WHEN regexp_full_match(\(text), '\(JSONNumberPattern.number)') THEN TRY_CAST(\(text) AS DOUBLE) END"
    }

    func whole(_ text: String) -> String {
        "CASE WHEN regexp_full_match(\(text), '\(JSONNumberPattern.whole)') THEN TRY_CAST(\(text) AS BIGINT) END"
    }

    func array(_ value: String) -> String { "list(\(value))" }
    func least(_ value: String, by order: [String]) -> String { "min_by(\(value), (\(order.joined(separator: ", "))))" }
    var moments: String { "list({t: t_ms, classes: classes, of_group: group_then} ORDER BY t_ms)" }
    func distinct(_ value: String) -> String { "list(DISTINCT \(value)) FILTER (WHERE is_start = 1)" }
    func moments(where condition: String) -> String { "list_filter(moments, lambda moment: \(condition))" }
    func pairs(_ rows: String) -> String { "[\(rows)]::BIGINT[][]" }
    func exploded(_ array: String) -> String { "unnest(\(array))" }
    func percentile(_ share: String, _ value: String) -> String { "quantile_cont(\(value), \(share))" }

    // The elements of a fold must have the type of its state.
    func fold(_ moments: String, wanted: [Int], window: Int64, mayStart: String) -> String {
        let wanted = "[\(wanted.map(String.init).joined(separator: ", "))]::INTEGER[]"
        return """
            list_reduce(
                list_prepend(
                    {t: 0::BIGINT, classes: []::INTEGER[], rows: list_transform(\(wanted), lambda class: []::BIGINT[]), best: []::BIGINT[]},
                    list_transform(\(moments), lambda moment:
                        {t: moment.t, classes: moment.classes::INTEGER[], rows: []::BIGINT[][], best: []::BIGINT[]})),
                lambda state, moment: list_transform(
                    [list_transform(\(wanted), lambda class, nth: CASE
                        WHEN NOT list_contains(moment.classes, class) THEN state.rows[nth]
                        ELSE list_transform(
                            [list_max(list_transform(range(greatest(nth - len(moment.classes), 0), nth), lambda origin: CASE
                                WHEN NOT list_bool_and(list_transform((\(wanted))[origin + 1 : nth], lambda one:
                                    len(list_filter((\(wanted))[origin + 1 : nth], lambda other: other = one))
                                        <= len(list_filter(moment.classes, lambda other: other = one)))) THEN NULL
                                WHEN origin = 0 THEN CASE WHEN \(mayStart) THEN {began: moment.t, origin: 0::BIGINT} END
                                WHEN moment.t - state.rows[origin][1] <= \(literal(window))
                                    THEN {began: state.rows[origin][1], origin: origin::BIGINT}
                            END))],
                            lambda found: CASE
                                WHEN found IS NULL OR found.began <= state.rows[nth][1] THEN state.rows[nth]
                                ELSE list_concat(state.rows[found.origin][1 : found.origin],
                                    list_transform(range(nth - found.origin), lambda step: moment.t))
                            END)[1]
                        END)],
                    lambda rows: {t: moment.t, classes: moment.classes, rows: rows,
                        best: CASE WHEN len(list_filter(rows, lambda row: len(row) > 0)) > len(state.best)
                            THEN rows[len(list_filter(rows, lambda row: len(row) > 0))] ELSE state.best END})[1]).best
            """
    }

    func length(_ array: String) -> String { "len(\(array))" }
    func found(last: Bool) -> String { "list_filter(moments, lambda moment: moment.of_group != '')[\(last ? -1 : 1)]" }
    func group(at time: String) -> String { "list_filter(moments, lambda moment: moment.t = \(time))[1].of_group" }

    /// Views of files as they lie, or of a table.
    func schema(_ source: SQLSource) -> String {
        """
        -- Looptrail's lines in DuckDB 1.4 or newer: nothing is loaded, every query reads the files.
        CREATE OR REPLACE VIEW raw_lines AS
        SELECT coalesce(v, 1) AS v, * EXCLUDE (v)
        FROM \(table(source, leaves: []));

        -- Every line once, by its id; lines without one are never duplicates.
        CREATE OR REPLACE VIEW lines AS
        SELECT * FROM raw_lines
        WHERE v <= 1 AND name != '' AND t_ms IS NOT NULL
        QUALIFY coalesce(id, '') = '' OR row_number() OVER (PARTITION BY id ORDER BY t_ms) = 1;

        -- Which user an anonymous id became: the first `identified` line wins, by time; of one millisecond the user that sorts first.
        CREATE OR REPLACE VIEW identities AS
        SELECT props ->> 'anonymous' AS anonymous, min_by("user", (t_ms, "user")) AS identified
        FROM lines
        WHERE type = 'meta' AND name = 'identified' AND "user" != '' AND (props ->> 'anonymous') != ''
        GROUP BY anonymous;

        -- The events: no meta and no timing lines. `person` is the user, also of what came before the user was known.
        CREATE OR REPLACE VIEW tracked AS
        SELECT
            t_ms, make_timestamp(t_ms * 1000) AS time, name, coalesce(identified, "user") AS person, "user", session, seq, id, system, props
        FROM lines LEFT JOIN identities ON lines."user" = identities.anonymous
        WHERE coalesce(type, 'track') = 'track';

        """
    }
}

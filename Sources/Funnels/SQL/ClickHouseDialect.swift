import EventFiles

/// ClickHouse 24.8 or newer.
struct ClickHouseDialect: SQLDialect {
    func literal(_ text: String) -> String { BackslashLiteral.quoted(text) }
    func literal(_ number: Int64) -> String { "toInt64('\(number)')" }
    func literal(_ number: Double) -> String { "toFloat64('\(number)')" }

    func lines(_ source: SQLSource, leaves: [SummaryLeaf]) -> String {
        let table: String
        var props = "props"
        switch source {
        case .table(let name): table = name
        case .files(let path):
            let columns =
                "v UInt32, t_ms Float64, name String, user String, session String, id String, type String, system String, props String"
            table = function(path, "JSONEachRow") + "'\(columns)')"
        case .parquet(let path):
            props = "props_rest"
            let texts = ["name", "user", "session", "id", "type", "system", props]
            let columns =
                ["v Nullable(Int32)", "t_ms Nullable(Int64)"] + texts.map { "\($0) Nullable(String)" }
                + leaves.map { "\(quoted($0.columnName)) Nullable(\(type($0.kind)))" }
            table = function(path, "Parquet") + literal(columns.joined(separator: ", ")) + ")"
        }
        // A time such as `1767225600000.0` is read as a double only, which holds all times. A table's columns may be nullable, too.
        return """
            SELECT toInt64(assumeNotNull(line.t_ms)) AS t_ms, ifNull(toString(name), '') AS name, ifNull(toString(user), '') AS person,
                ifNull(toString(session), '') AS session, ifNull(toString(id), '') AS id, ifNull(toString(type), '') AS type,
                ifNull(toString(system), '') AS system, ifNull(\(props), '{}') AS props\(
                leaves.map { ",\n    \(quoted($0.columnName))" }.joined())
            FROM \(table) AS line
            WHERE ifNull(v, 1) <= 1 AND name != '' AND line.t_ms IS NOT NULL
            """
    }

    private func type(_ kind: SummaryLeaf.Kind) -> String {
        switch kind {
        case .number: "Float64"
        case .integer: "Int64"
        case .text: "String"
        case .flag: "Bool"
        }
    }

    /// The call that reads a path, up to the columns.
    private func function(_ path: String, _ format: String) -> String {
        let functions = ["s3://": "s3", "gs://": "s3", "http://": "url", "https://": "url"]
        let function = functions.first { path.lowercased().hasPrefix($0.key) }?.value ?? "file"
        return "\(function)(\(literal(path)), '\(format)', "
    }

    func quoted(_ column: String) -> String { "`\(column)`" }
    func text(ofNumber value: String) -> String { "toString(\(value))" }

    func property(_ path: [String]) -> String {
        let arguments = arguments(path)
        return "multiIf(JSONType(\(arguments)) = 'String', JSONExtractString(\(arguments)), "
            + "JSONType(\(arguments)) IN ('Int64', 'UInt64', 'Double', 'Bool'), JSONExtractRaw(\(arguments)), NULL)"
    }

    func isFraction(_ path: [String]) -> String { "(JSONType(\(arguments(path))) = 'Double')" }

    private func arguments(_ path: [String]) -> String { (["props"] + path.map { literal($0) }).joined(separator: ", ") }

    func double(_ text: String) -> String { "if(match(\(text), '^\(JSONNumberPattern.number)$'), toFloat64OrNull(\(text)), NULL)" }

    func whole(_ text: String) -> String { "if(match(\(text), '^\(JSONNumberPattern.whole)$'), toInt64OrNull(\(text)), NULL)" }

    func position(of part: String, in text: String) -> String { "position(\(text), \(part))" }

    func value(_ value: String, stoppingIf condition: String, _ message: String) -> String {
        "assumeNotNull(if(throwIf(\(condition), \(literal(message))) = 0, \(value), NULL))"
    }

    func array(_ value: String) -> String { "groupArray(\(value))" }
    func least(_ value: String, by order: [String]) -> String { "argMin(\(value), (\(order.joined(separator: ", "))))" }
    var moments: String { "arraySort(groupArray((t_ms, classes, group_then)))" }
    func distinct(_ value: String) -> String { "groupUniqArrayIf(\(value), is_start = 1)" }
    func moments(where condition: String) -> String { "arrayFilter(moment -> \(condition), moments)" }
    func pairs(_ rows: String) -> String { "[\(rows)]::Array(Array(Int64))" }
    func exploded(_ array: String) -> String { "arrayJoin(\(array))" }
    func inCalendar(_ events: String) -> String {
        "(SELECT *, 1 AS one FROM \(events)) AS event ASOF LEFT JOIN calendar\n"
            + "    ON event.one = calendar.one AND event.t_ms >= calendar.from_ms"
    }
    func percentile(_ share: String, _ value: String) -> String { "quantileExactInclusiveOrNull(\(share))(\(value))" }

    let momentTime = "moment.1"

    func fold(_ moments: String, wanted: [Int], window: Int64, mayStart: String) -> String {
        let wanted = "[\(wanted.map(String.init).joined(separator: ", "))]"
        return """
            arrayFold(
                (state, moment) -> arrayMap(
                    rows -> (rows, if(arrayCount(row -> notEmpty(row), rows) > length(state.2),
                        rows[arrayCount(row -> notEmpty(row), rows)], state.2)),
                    [arrayMap(
                        (nth, row) -> if(has(moment.2, \(wanted)[nth]),
                            arrayMap(
                                found -> if(found.2 >= 0 AND (empty(row) OR found.1 > row[1]),
                                    arrayConcat(
                                        arraySlice(state.1[toUInt32(greatest(found.2, 1))], 1, found.2),
                                        arrayResize(emptyArrayInt64(), nth - found.2, moment.1)),
                                    row),
                                [arrayReduce('max', arrayMap(
                                    origin -> multiIf(
                                        NOT arrayAll(
                                            class -> countEqual(arraySlice(\(wanted), origin + 1, nth - origin), class)
                                                <= countEqual(moment.2, class),
                                            arraySlice(\(wanted), origin + 1, nth - origin)), (toInt64(0), toInt64(-1)),
                                        origin = 0, if(\(mayStart), (moment.1, toInt64(0)), (toInt64(0), toInt64(-1))),
                                        notEmpty(state.1[origin]) AND moment.1 - state.1[origin][1] <= \(literal(window)),
                                            (state.1[origin][1], toInt64(origin)),
                                        (toInt64(0), toInt64(-1))),
                                    range(toUInt32(greatest(toInt64(nth) - toInt64(length(moment.2)), 0)), toUInt32(nth))))])[1],
                            row),
                        arrayEnumerate(\(wanted)), state.1)])[1],
                \(moments),
                (arrayResize([]::Array(Array(Int64)), length(\(wanted)), emptyArrayInt64()), emptyArrayInt64())).2
            """
    }

    func length(_ array: String) -> String { "length(\(array))" }
    func group(last: Bool) -> String { "\(found(last)).3" }
    func groupTime(last: Bool) -> String { "\(found(last)).1" }
    private func found(_ last: Bool) -> String { "\(last ? "arrayLast" : "arrayFirst")(moment -> moment.3 != '', moments)" }
    func group(at time: String) -> String { "arrayFirst(moment -> moment.1 = \(time), moments).3" }

    var cautions: [String] { ["Where no file has the path, ClickHouse reads nothing, and counts 0 without an error."] }

    var settings: String {
        "\nSETTINGS input_format_skip_unknown_fields = 1, input_format_null_as_default = 1, input_format_json_read_objects_as_strings = 1,\n"
            + "    precise_float_parsing = 1, join_use_nulls = 0"
    }

    /// The table that a server keeps the lines in, and the views that boards and funnels ask. The source plays no part: files are inserted.
    func schema(_ source: SQLSource) -> String {
        """
        -- Looptrail's events in ClickHouse: the table, and the views that the board and the funnels ask.
        -- Needs ClickHouse 24.8 or newer (views with parameters, arrayFold).
        --
        --     clickhouse-client --multiquery < schema.sql
        --
        -- May be run again: it leaves the table alone and replaces the views.

        CREATE DATABASE IF NOT EXISTS looptrail;

        -- One row for each line of the files, meta and timing lines too; the columns are the line's keys.
        -- An event that was loaded twice is one row: the engine keeps one row of each sorting key, and `id` is part of that key.
        -- `props` stays the text that it was in the line; JSONExtractString(props, 'sku') reads a property.
        CREATE TABLE IF NOT EXISTS looptrail.events
        (
            v       UInt16 DEFAULT 1,
            t_ms    Int64,
            name    LowCardinality(String),
            user    String,
            session String,
            seq     UInt64,
            -- Lines of other writers may lack an id. No such line is a duplicate, so that each gets an id of its own.
            id      String DEFAULT toString(generateUUIDv4()),
            type    LowCardinality(String),
            system  LowCardinality(String),
            props   String DEFAULT '{}',
            time    DateTime64(3, 'UTC') MATERIALIZED fromUnixTimestamp64Milli(t_ms, 'UTC')
        )
        ENGINE = ReplacingMergeTree
        PARTITION BY toYYYYMM(time)
        ORDER BY (type, name, user, t_ms, id)
        -- A file's name is its insert's token (load.sh): a file that comes again is not even read into the table.
        SETTINGS non_replicated_deduplication_window = 10000;

        -- Every line of a known version, once. FINAL leaves out what the engine has not merged yet.
        CREATE OR REPLACE VIEW looptrail.lines AS
        SELECT *, time FROM looptrail.events FINAL WHERE v <= 1 AND name != '';

        -- Which user an anonymous id became: the first `identified` line wins, by time; of one millisecond the user that sorts first.
        CREATE OR REPLACE VIEW looptrail.identities AS
        SELECT JSONExtractString(props, 'anonymous') AS anonymous, argMin(user, (t_ms, user)) AS identified
        FROM looptrail.lines
        WHERE type = 'meta' AND name = 'identified' AND user != '' AND anonymous != ''
        GROUP BY anonymous;

        -- The events: no meta and no timing lines. `person` is the user, also of what came before the user was known.
        CREATE OR REPLACE VIEW looptrail.tracked AS
        SELECT t_ms, time, name, user, if(identified = '', user, identified) AS person, session, seq, id, system, props
        FROM (SELECT * FROM looptrail.lines WHERE type IN ('', 'track')) AS event
        LEFT JOIN looptrail.identities AS identity ON event.user = identity.anonymous;

        """
    }
}

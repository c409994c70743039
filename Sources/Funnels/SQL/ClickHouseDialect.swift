/// ClickHouse 24.8 or newer.
struct ClickHouseDialect: SQLDialect {
    let name = "clickhouse"

    func literal(_ text: String) -> String { BackslashLiteral.quoted(text) }
    func literal(_ number: Int64) -> String { "toInt64('\(number)')" }
    func literal(_ number: Double) -> String { "toFloat64('\(number)')" }

    func lines(_ source: SQLSource) -> String {
        """
        SELECT t_ms, toString(name) AS name, toString(user) AS person, toString(session) AS session, toString(id) AS id,
            toString(type) AS type, toString(system) AS system, props
        FROM \(table(source)) AS line
        WHERE v <= 1 AND name != ''
        """
    }

    private func table(_ source: SQLSource) -> String {
        switch source {
        case .table(let name): return name
        case .files(let path):
            let lowercased = path.lowercased()
            let function =
                if lowercased.hasPrefix("s3://") || lowercased.hasPrefix("gs://") {
                    "s3"
                } else if lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://") { "url" } else { "file" }
            let columns =
                "v UInt32, t_ms Int64, name String, user String, session String, id String, type String, system String, props String"
            return "\(function)(\(literal(path)), 'JSONEachRow', '\(columns)')"
        }
    }

    func property(_ path: [String]) -> String {
        let arguments = arguments(path)
        return "multiIf(JSONType(\(arguments)) = 'String', JSONExtractString(\(arguments)), "
            + "JSONType(\(arguments)) IN ('Int64', 'UInt64', 'Double', 'Bool'), JSONExtractRaw(\(arguments)), NULL)"
    }

    func isFraction(_ path: [String]) -> String { "(JSONType(\(arguments(path))) = 'Double')" }

    private func arguments(_ path: [String]) -> String { (["props"] + path.map { literal($0) }).joined(separator: ", ") }

    func double(_ text: String) -> String {
        "if(match(\(text), '^\(JSONNumberPattern.number)$') AND isFinite(toFloat64OrNull(\(text))), toFloat64OrNull(\(text)), NULL)"
    }

    func whole(_ text: String) -> String { "if(match(\(text), '^\(JSONNumberPattern.whole)$'), toInt64OrNull(\(text)), NULL)" }

    func contains(_ text: String, _ part: String) -> String { "position(\(text), \(part)) > 0" }

    func value(_ value: String, stoppingIf condition: String, _ message: String) -> String {
        "assumeNotNull(if(throwIf(\(condition), \(literal(message))) = 0, \(value), NULL))"
    }

    func array(_ value: String) -> String { "groupArray(\(value))" }
    func least(_ value: String, by order: [String]) -> String { "argMin(\(value), (\(order.joined(separator: ", "))))" }
    var moments: String { "arraySort(groupArray((t_ms, classes, facet_then)))" }
    func percentile(_ share: String, _ value: String) -> String { "quantileExactInclusiveOrNull(\(share))(\(value))" }

    let momentTime = "moment.1"

    // What is carried along: for each step the times of the latest-started attempt that got there, and those of the attempt that first
    // got deepest. The latest start that can reach a step in a moment is that of the shallowest origin from which the moment has an event
    // for each step between; of one start the deepest origin is where its attempt stands.
    func fold(wanted: [Int], window: Int64, mayStart: String) -> String {
        let wanted = "[\(wanted.map(String.init).joined(separator: ", "))]"
        return """
            arrayFold(
                (state, moment) -> arrayMap(
                    rows -> (rows, if(arrayCount(row -> notEmpty(row), rows) > length(state.2),
                        rows[arrayCount(row -> notEmpty(row), rows)], state.2)),
                    [arrayMap(
                        (place, row) -> if(has(moment.2, \(wanted)[place]),
                            arrayMap(
                                found -> if(found.2 >= 0 AND (empty(row) OR found.1 > row[1]),
                                    arrayConcat(
                                        arraySlice(state.1[toUInt32(greatest(found.2, 1))], 1, found.2),
                                        arrayResize(emptyArrayInt64(), place - found.2, moment.1)),
                                    row),
                                [arrayReduce('max', arrayMap(
                                    origin -> multiIf(
                                        NOT arrayAll(
                                            class -> countEqual(arraySlice(\(wanted), origin + 1, place - origin), class)
                                                <= countEqual(moment.2, class),
                                            arraySlice(\(wanted), origin + 1, place - origin)), (toInt64(0), toInt64(-1)),
                                        origin = 0, if(\(mayStart), (moment.1, toInt64(0)), (toInt64(0), toInt64(-1))),
                                        notEmpty(state.1[origin]) AND moment.1 - state.1[origin][1] <= \(literal(window)),
                                            (state.1[origin][1], toInt64(origin)),
                                        (toInt64(0), toInt64(-1))),
                                    range(toUInt32(greatest(toInt64(place) - toInt64(length(moment.2)), 0)), toUInt32(place))))])[1],
                            row),
                        arrayEnumerate(\(wanted)), state.1)])[1],
                moments,
                (arrayResize([]::Array(Array(Int64)), length(\(wanted)), emptyArrayInt64()), emptyArrayInt64())).2
            """
    }

    func element(_ array: String, _ place: String) -> String { "\(array)[\(place)]" }
    func length(_ array: String) -> String { "length(\(array))" }
    func facet(last: Bool) -> String { "\(found(last)).3" }
    func facetTime(last: Bool) -> String { "\(found(last)).1" }
    private func found(_ last: Bool) -> String { "\(last ? "arrayLast" : "arrayFirst")(moment -> moment.3 != '', moments)" }
    func facet(at time: String) -> String { "arrayFirst(moment -> moment.1 = \(time), moments).3" }

    var settings: String {
        "\nSETTINGS input_format_skip_unknown_fields = 1, input_format_null_as_default = 1, input_format_json_read_objects_as_strings = 1,\n"
            + "    precise_float_parsing = 1, join_use_nulls = 0"
    }
}

import Basics
import EventFiles

/// The statement that all dialects share: lines, matching events, the moments (milliseconds) of each key, their best attempts, bars.
///
/// A trend has the moments of each key once for each period in which the key starts, and bars for each period.
extension FunnelSQL {
    private static let overlapMessage = "an event fits two different steps, which SQL cannot count exactly: \(wayOut)"

    /// The statement, with a comment in front that says what it counts; ends with a line end.
    public var text: String {
        var tables: [(name: String, query: String)] = [("lines", dialect.lines(source, leaves: leaves))]
        if joins { tables.append(("identities", identities)) }
        tables += [("events", events), ("matching", matching), ("counted", counted)]
        if isTrend || cutsStarts { tables += dataEnd }
        if let calendarPeriods { tables += [("calendar", calendar(calendarPeriods))] + dated + periods }
        tables += [("at_once", moments), ("ways", ways)]
        if groupsOfKeys { tables.append(("grouped", grouped)) }
        if isTrend { tables.append(("parts", parts)) }
        tables.append(("attempts", attempts))
        if definition.hold != nil { tables.append(("chains", chains)) }
        if definition.breakdown != nil { tables += [("sized", sized), ("ranked", ranked)] }
        tables += [("steps", steps), ("bars", bars)]
        let body = tables.map { "\($0.name) AS (\n\(Self.indented($0.query))\n)" }.joined(separator: ",\n")
        return comment + "WITH\n" + body + "\n" + result + dialect.settings + "\n"
    }

    private static func indented(_ text: String) -> String { text.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n") }

    private var joins: Bool { definition.identify && definition.key == .user }

    private var isTrend: Bool { calendarPeriods != nil }

    /// Whether `mature_ms` leaves out the starts that are not mature. For one funnel with a known end of the data, ``until`` does that.
    private var cutsStarts: Bool { definition.starts == .mature && definition.steps.count > 1 && (isTrend || definition.dataEnd == nil) }

    /// The column that divides rows by period, to stand before other columns; empty without periods.
    private var byPeriod: String { isTrend ? "start_ms, " : "" }

    /// Conditions that a time lies in the range of starts, or at most `more` milliseconds behind it.
    func inRange(_ time: String, more: Int64 = 0) -> [String] {
        let (end, overflow) = (until ?? .max).addingReportingOverflow(more)
        let start = definition.since.map { "\(time) >= \(dialect.literal($0))" }
        return [start, until == nil || overflow ? nil : "\(time) < \(dialect.literal(end))"].compactMap(\.self)
    }

    // MARK: Properties

    /// Columns in which Parquet may have what the statement reads.
    private var leaves: [SummaryLeaf] { (patterns.properties + (joins ? [["anonymous"]] : [])).flatMap(leaves) }

    private func leaves(_ path: [String]) -> [SummaryLeaf] {
        guard case .parquet = source else { return [] }
        let all = SummaryLeaf.Kind.allCases.map { SummaryLeaf(path: path, kind: $0) }
        return all.filter { $0.columnName.utf8.count <= SummaryLeaf.maxNameBytes }
    }

    /// The value at a path as text: that of its column, else what the JSON says.
    private func property(_ path: [String]) -> String {
        let texts = leaves(path).map { leaf in
            let column = dialect.quoted(leaf.columnName)
            switch leaf.kind {
            case .text: return column
            case .flag: return "CASE WHEN \(column) THEN 'true' WHEN NOT \(column) THEN 'false' END"
            case .integer, .number: return dialect.text(ofNumber: column)
            }
        }
        return texts.isEmpty ? dialect.property(path) : "coalesce(\((texts + [dialect.property(path)]).joined(separator: ", ")))"
    }

    private func isFraction(_ path: [String]) -> String {
        guard let number = leaves(path).first(where: { $0.kind == .number }) else { return dialect.isFraction(path) }
        return "(\(dialect.quoted(number.columnName)) IS NOT NULL OR \(dialect.isFraction(path)))"
    }

    // MARK: What it says of itself

    private var comment: String {
        var words = ["steps " + definition.steps.map(\.description).joined(separator: " > ")]
        words.append("window \(definition.windowMilliseconds) ms from step 1, inclusive; by \(definition.key)")
        if let hold = definition.hold { words.append("one value of \(PropertyPath.text(hold)) along a chain") }
        if let breakdown = definition.breakdown { words.append("groups by \(breakdown), the first \(breakdown.top)") }
        if let since = definition.since { words.append("starts from \(since) ms") }
        if let until = definition.until { words.append("starts before \(until) ms") }
        if definition.starts == .mature, definition.steps.count > 1 {
            words.append("only starts that lie \(definition.millisecondsToMature) ms or more before the end of the data")
        }
        if definition.starts == .mature || isTrend {
            words.append(
                definition.dataEnd.map { "the data ends at \($0) ms" }
                    ?? "The data ends with its last event. If fewer than 1 in 1,000 lie behind a gap longer than the window and a day, or 1 in 50 "
                    + "and the gap is longer than a year and all time before, it ends before the gap.")
        }
        if let calendarPeriods {
            words.append(
                "a row a period (\(calendarPeriods.words)) and step, as `looptrail trend --count users` has; start_ms is when it begins")
            words.append(
                "complete: 1 if the period lies wholly in the range and all its starts are mature; left_out: keys without a mature start")
        }
        if case .parquet = source { words.append("Reads summaries that `looptrail index` made, one beside each segment.") }
        words.append("Reads files that pass `looptrail check`. Of lines that share an id the one with the smallest t_ms counts.")
        words.append("Events of one millisecond stand in any order. An event that fits two different steps stops the statement.")
        if case .table = source {} else { words += dialect.cautions }
        // Each comment stays one line, whatever characters a name has.
        return words.map { line in
            let plain = line.replacingScalars {
                $0.properties.generalCategory == .control || $0 == "\u{2028}" || $0 == "\u{2029}" ? " " : nil
            }
            return "-- \(plain)\n"
        }.joined()
    }

    // MARK: Lines and events

    private var identities: String {
        let anonymous = property(["anonymous"])
        return """
            SELECT anonymous, \(dialect.least("person", by: ["t_ms", "person"])) AS identified
            FROM (
                SELECT t_ms, person, \(anonymous) AS anonymous FROM lines
                WHERE type = 'meta' AND name = 'identified' AND person != ''
            ) AS joining
            WHERE anonymous != ''
            GROUP BY anonymous
            """
    }

    /// Events with a name that a step asks for, with the properties that the funnel reads.
    private var events: String {
        var columns = ["t_ms", "name", "person", "session", "system", "id"]
        for (index, path) in patterns.properties.enumerated() {
            columns.append("\(property(path)) AS p\(index + 1)")
            columns.append("\(isFraction(path)) AS f\(index + 1)")
        }
        var condition = "type IN ('', 'track')"
        if let names = patterns.names { condition += " AND name IN (\(names.map(dialect.literal).joined(separator: ", ")))" }
        // An event outside of the range is in no chain, but a group's value may come from any event.
        if !takesSeenGroup { for part in inRange("t_ms", more: definition.windowMilliseconds) { condition += " AND \(part)" } }
        return "SELECT \(columns.joined(separator: ",\n    "))\nFROM lines\nWHERE \(condition)"
    }

    /// The number of the pattern whose event has the group's value; `nil` unless the breakdown is by a step.
    private var groupClass: Int? { if case .step(let step)? = definition.breakdown?.attribution { patterns.wanted[step - 1] } else { nil } }

    /// Whether the group's value is the first or the last among the events of a key.
    private var takesSeenGroup: Bool { [.first, .last].contains(definition.breakdown?.attribution) }
    private var takesLastGroup: Bool { definition.breakdown?.attribution == .last }

    /// Events with the number of the pattern that they fit, as `class`.
    private var matching: String {
        var numbers: [String] = []
        for column in patterns.numericColumns.sorted() {
            numbers.append("\(dialect.double("p\(column)")) AS d\(column)")
            numbers.append("CASE WHEN NOT f\(column) THEN \(dialect.whole("p\(column)")) END AS w\(column)")
        }
        func exact(_ column: Int, where counts: String = "1 = 1") -> String {
            dialect.value("coalesce(p\(column), '')", stoppingIf: "f\(column) AND \(counts)", Self.fractionMessage)
        }
        // A key from a session's context was refused before.
        let key = keyColumn.map { exact($0) } ?? (definition.key == .user ? "person" : definition.key.description)
        let group = groupColumn.map { exact($0, where: groupClass.map { "class = \($0)" } ?? "1 = 1") } ?? "''"
        let fits = patterns.conditions.indices.map { "fits\($0 + 1)" }
        let conditions = patterns.conditions.enumerated().map { "CASE WHEN \($1) THEN 1 ELSE 0 END AS fits\($0 + 1)" }
        let chosen = "CASE " + fits.enumerated().map { "WHEN \($1) = 1 THEN \($0 + 1)" }.joined(separator: " ") + " ELSE 0 END"
        let number =
            fits.count > 1 ? dialect.value(chosen, stoppingIf: fits.joined(separator: " + ") + " > 1", Self.overlapMessage) : chosen
        return """
            SELECT t_ms, id, class, \(key) AS own_key, \(holdColumn.map { exact($0) } ?? "''") AS held, \(group) AS of_group
            FROM (
                SELECT *, \(number) AS class
                FROM (
                    SELECT *,
                        \(conditions.joined(separator: ",\n            "))
                    FROM (SELECT *\(numbers.map { ", \($0)" }.joined()) FROM events) AS typed
                ) AS tested
                WHERE \(fits.map { "\($0) = 1" }.joined(separator: " OR "))
            ) AS fitting
            """
    }

    /// Each event once, with its key.
    private var counted: String {
        let once = """
            SELECT t_ms, class, held, of_group, own_key
            FROM (SELECT *, row_number() OVER (PARTITION BY id ORDER BY t_ms) AS copy FROM matching WHERE id != '') AS copies
            WHERE copy = 1
            UNION ALL
            SELECT t_ms, class, held, of_group, own_key FROM matching WHERE id = ''
            """
        let held = definition.hold == nil ? "" : " AND held != ''"
        let key = joins ? "coalesce(nullif(identified, ''), own_key)" : "own_key"
        let join = joins ? "\nLEFT JOIN identities ON once.own_key = identities.anonymous" : ""
        return """
            SELECT t_ms, class, held, of_group, \(key) AS person_key
            FROM (
            \(Self.indented(once))
            ) AS once\(join)
            WHERE own_key != ''\(held)
            """
    }

    // MARK: Attempts

    private var moments: String {
        let isAsked = "of_group != ''" + (groupClass.map { " AND class = \($0)" } ?? "")
        let group = definition.breakdown == nil ? "''" : "coalesce(min(CASE WHEN \(isAsked) THEN of_group END), '')"
        return """
            SELECT person_key, held, t_ms, \(dialect.array("class")) AS classes, \(group) AS group_then\(
                isTrend ? ",\n    max(is_start) AS is_start, min(start_ms) AS start_ms, min(next_ms) AS next_ms" : "")
            FROM \(isTrend ? "dated" : "counted")
            GROUP BY person_key, held, t_ms
            """
    }

    /// A row for each key and held value, with its moments by time.
    private var ways: String {
        let spans = isTrend ? ", \(dialect.distinct(dialect.list(["start_ms", "next_ms"]))) AS spans" : ""
        return "SELECT person_key, held, \(dialect.moments) AS moments\(spans)\nFROM at_once\nGROUP BY person_key, held"
    }

    /// Whether a key has one group for all its held values: by the breakdown's first or last value in all events of the key.
    var groupsOfKeys: Bool { takesSeenGroup && definition.hold != nil }

    /// The rows of `ways`, each with the group's value of its key.
    private var grouped: String {
        """
        SELECT *, first_value(own_group) OVER (
            PARTITION BY person_key ORDER BY CASE WHEN own_group = '' THEN 1 ELSE 0 END, group_ms\(takesLastGroup ? " DESC" : ""), own_group
        ) AS way_group
        FROM (SELECT *, \(dialect.group(last: takesLastGroup)) AS own_group, \(dialect.groupTime(last: takesLastGroup)) AS group_ms FROM ways) AS seen
        """
    }

    var wayTable: String { groupsOfKeys ? "grouped" : "ways" }

    private var attempts: String {
        var starts = inRange(dialect.momentTime)
        if isTrend { starts.append("\(dialect.momentTime) < next_ms") }
        if cutsStarts { starts.append("\(dialect.momentTime) < mature_ms") }
        let fold = dialect.fold(
            isTrend ? "met" : "moments", wanted: patterns.wanted, window: definition.windowMilliseconds,
            mayStart: starts.isEmpty ? "1 = 1" : starts.joined(separator: " AND "))
        var group = takesSeenGroup ? (groupsOfKeys ? "way_group" : dialect.group(last: takesLastGroup)) : "''"
        if case .step(let step)? = definition.breakdown?.attribution {
            let found = dialect.group(at: dialect.element("times", "\(step)"))
            group = "CASE WHEN \(dialect.length("times")) >= \(step) THEN \(found) ELSE '' END"
        }
        return """
            SELECT \(byPeriod)person_key, held, times, \(dialect.length("times")) AS depth, \(group) AS own_group
            FROM (
                SELECT \(byPeriod)person_key, held, moments\(groupsOfKeys ? ", way_group" : ""),
                    \(fold.split(separator: "\n").joined(separator: "\n        ")) AS times
                FROM \(isTrend ? "parts" : wayTable)\(cutsStarts ? " CROSS JOIN data_end" : "")
            ) AS folded
            """
    }

    /// The best chain of all held values of a key: the deepest, then the one with the earliest end, then the one with the latest start.
    private var chains: String {
        let isMissing = "CASE WHEN own_group = '' THEN 1 ELSE 0 END"
        return """
            SELECT \(byPeriod)person_key, times, depth, own_group
            FROM (
                SELECT *, row_number() OVER (
                    PARTITION BY \(byPeriod)person_key
                    ORDER BY depth DESC, \(dialect.element("times", "depth")), \(dialect.element("times", "1")) DESC, times,
                        \(isMissing), own_group
                ) AS nth
                FROM attempts
            ) AS numbered
            WHERE nth = 1
            """
    }

    private var chainTable: String { definition.hold == nil ? "attempts" : "chains" }

    // MARK: Bars

    private var sized: String {
        """
        SELECT \(byPeriod)times, depth, group_name, count(*) OVER (PARTITION BY \(byPeriod)group_name) AS group_size
        FROM (
            SELECT \(byPeriod)times, depth, CASE WHEN own_group = '' THEN \(dialect.literal(FunnelBreakdown.none)) ELSE own_group END AS group_name
            FROM \(chainTable) WHERE depth > 0
        ) AS named
        """
    }

    private var ranked: String {
        let (none, other) = (dialect.literal(FunnelBreakdown.none), dialect.literal(FunnelBreakdown.other))
        return """
            SELECT \(byPeriod)times, depth, CASE
                WHEN group_name = \(none) THEN group_name
                WHEN group_name = \(other) OR group_rank > \(definition.breakdown?.top ?? 0) THEN \(other)
                ELSE group_name END AS value
            FROM (
                SELECT *, dense_rank() OVER (
                    \(isTrend ? "PARTITION BY start_ms " : "")ORDER BY CASE WHEN group_name IN (\(none), \(other)) THEN 1 ELSE 0 END, group_size DESC, group_name
                ) AS group_rank
                FROM sized
            ) AS ranking
            """
    }

    private var steps: String {
        definition.steps.enumerated().map { index, step in
            let name = dialect.literal(step.pattern.title)
            return index == 0 ? "SELECT 1 AS index, \(name) AS name" : "UNION ALL SELECT \(index + 1), \(name)"
        }.joined(separator: "\n")
    }

    private var bars: String {
        let isGrouped = definition.breakdown != nil
        let columns = byPeriod + (isGrouped ? "value, " : "") + "index, name"
        let elapsed = "\(dialect.element("times", "index")) - \(dialect.element("times", "1"))"
        // Steps and periods that nobody reached have a bar, too.
        let empty = "UNION ALL SELECT \(columns), 0, NULL FROM \(isTrend ? "periods CROSS JOIN steps" : "steps")"
        return """
            SELECT \(columns), sum(reached) AS reached,
                \(dialect.percentile("0.5", "elapsed")) AS p50_ms,
                \(dialect.percentile("0.9", "elapsed")) AS p90_ms
            FROM (
                SELECT \(columns), CASE WHEN depth >= index THEN 1 ELSE 0 END AS reached,
                    CASE WHEN depth >= index AND index > 1 THEN \(elapsed) END AS elapsed
                FROM \(isGrouped ? "ranked" : chainTable) AS chain CROSS JOIN steps
                \(isGrouped ? "" : empty)
            ) AS bar
            GROUP BY \(columns)
            """
    }

    private var result: String {
        let isGrouped = definition.breakdown != nil
        let parts = (isTrend ? ["start_ms"] : []) + (isGrouped ? ["value"] : [])
        let part = parts.isEmpty ? "" : "PARTITION BY \(parts.joined(separator: ", ")) "
        let columns = parts.map { "shares.\($0) AS \($0), " }.joined()
        return """
            SELECT \(columns)index, name, reached AS count, reached / nullif(entered, 0) AS of_first,
                reached / nullif(before, 0) AS of_previous, p50_ms, p90_ms\(isTrend ? ", complete, left_out" : "")
            FROM (
                SELECT *, first_value(reached) OVER (\(part)ORDER BY index) AS entered,
                    CASE WHEN index = 1 THEN reached ELSE lag(reached) OVER (\(part)ORDER BY index) END AS before
                FROM bars
            ) AS shares\(isTrend ? " JOIN periods ON shares.start_ms = periods.start_ms" : "")
            ORDER BY \(byPeriod)\(isGrouped ? "entered DESC, value, " : "")index
            """
    }
}

/// The statement that all dialects share: lines, matching events, moments of each key, their best attempts, bars.
struct SQLShape {
    static let wayOut = "count it with looptrail funnel, on a cluster with looptrail prepare, split and merge"
    static let fractionMessage = "a number with a fraction is a key, a group or compared as text, which SQL cannot do exactly: \(wayOut)"
    private static let overlapMessage = "an event fits two different steps, which SQL cannot count exactly: \(wayOut)"

    private let definition: FunnelDefinition
    private let dialect: any SQLDialect
    private let source: SQLSource
    private let patterns: SQLPatterns
    /// Columns of the properties that are key, held and group.
    private let keyColumn: Int?
    private let holdColumn: Int?
    private let facetColumn: Int?

    init(_ definition: FunnelDefinition, _ dialect: any SQLDialect, _ source: SQLSource) {
        self.definition = definition
        self.dialect = dialect
        self.source = source
        var patterns = SQLPatterns(definition.steps, dialect)
        if case .property(let path) = definition.key { keyColumn = patterns.column(of: path) } else { keyColumn = nil }
        holdColumn = definition.hold.map { patterns.column(of: $0) }
        facetColumn = definition.breakdown.map { patterns.column(of: $0.path) }
        self.patterns = patterns
    }

    var text: String {
        var tables: [(name: String, query: String)] = [("lines", dialect.lines(source))]
        if joins { tables.append(("identities", identities)) }
        tables += [("events", events), ("matching", matching), ("counted", counted)]
        tables += [("at_once", moments), ("ways", ways), ("attempts", attempts)]
        if definition.hold != nil { tables.append(("chains", chains)) }
        if definition.breakdown != nil { tables += [("sized", sized), ("ranked", ranked)] }
        tables += [("steps", steps), ("bars", bars)]
        let body = tables.map { "\($0.name) AS (\n\(Self.indented($0.query))\n)" }.joined(separator: ",\n")
        return comment + "WITH\n" + body + "\n" + result + dialect.settings + "\n"
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    }

    private var joins: Bool { definition.identify && definition.key == .user }

    // MARK: What it says of itself

    private var comment: String {
        var words = ["steps " + definition.steps.map(\.description).joined(separator: " > ")]
        words.append("window \(definition.windowMilliseconds) ms from step 1, inclusive; by \(definition.key)")
        if let hold = definition.hold { words.append("one value of \(PropertyPath.text(hold)) along a chain") }
        if let breakdown = definition.breakdown { words.append("groups by \(breakdown), the first \(breakdown.top)") }
        if let since = definition.since { words.append("starts from \(since) ms") }
        if let until = definition.until { words.append("starts before \(until) ms") }
        words.append("Reads files that pass `looptrail check`. Of lines that share an id the one with the smallest t_ms counts.")
        words.append("Events of one millisecond stand in any order. An event that fits two different steps stops the statement.")
        // A comment is one line each, whatever a name holds.
        return words.map { line in
            let plain = line.unicodeScalars.map {
                $0.properties.generalCategory == .control || $0 == "\u{2028}" || $0 == "\u{2029}" ? " " : $0
            }
            return "-- " + String(String.UnicodeScalarView(plain)) + "\n"
        }.joined()
    }

    // MARK: Lines and events

    private var identities: String {
        let anonymous = dialect.property(["anonymous"])
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

    /// Events whose name matters, with the properties that matter.
    private var events: String {
        var columns = ["t_ms", "name", "person", "session", "system", "id"]
        for (place, path) in patterns.properties.enumerated() {
            columns.append("\(dialect.property(path)) AS p\(place + 1)")
            columns.append("\(dialect.isFraction(path)) AS f\(place + 1)")
        }
        var condition = "type IN ('', 'track')"
        if let names = patterns.names { condition += " AND name IN (\(names.map(dialect.literal).joined(separator: ", ")))" }
        if let range { condition += " AND \(range)" }
        return "SELECT \(columns.joined(separator: ",\n    "))\nFROM lines\nWHERE \(condition)"
    }

    /// No other event can be in a chain; a group's value may come from any.
    private var range: String? {
        switch definition.breakdown?.attribution {
        case .first, .last: return nil
        default: break
        }
        var parts: [String] = []
        if let since = definition.since { parts.append("t_ms >= \(dialect.literal(since))") }
        if let until = definition.until {
            let (last, overflow) = until.addingReportingOverflow(definition.windowMilliseconds)
            if !overflow { parts.append("t_ms < \(dialect.literal(last))") }
        }
        return parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }

    /// Events with the pattern that they fit.
    private var matching: String {
        var numbers: [String] = []
        for column in patterns.numericColumns.sorted() {
            numbers.append("\(dialect.double("p\(column)")) AS d\(column)")
            numbers.append("CASE WHEN NOT f\(column) THEN \(dialect.whole("p\(column)")) END AS w\(column)")
        }
        let isStep: (Int) -> String = { "class = \($0)" }
        func exact(_ column: Int, where counts: String = "1 = 1") -> String {
            dialect.value("coalesce(p\(column), '')", stoppingIf: "f\(column) AND \(counts)", Self.fractionMessage)
        }
        let key =
            switch definition.key {
            case .user: "person"
            case .session: "session"
            case .system: "system"
            // A session's context is refused before.
            case .property, .context: keyColumn.map { exact($0) } ?? "''"
            }
        var facet = facetColumn.map { exact($0) } ?? "''"
        if case .step(let step)? = definition.breakdown?.attribution, let facetColumn {
            facet = exact(facetColumn, where: isStep(patterns.wanted[step - 1]))
        }
        let fits = patterns.conditions.indices.map { "fits\($0 + 1)" }
        let conditions = patterns.conditions.enumerated().map { "CASE WHEN \($1) THEN 1 ELSE 0 END AS fits\($0 + 1)" }
        let chosen = "CASE " + fits.enumerated().map { "WHEN \($1) = 1 THEN \($0 + 1)" }.joined(separator: " ") + " ELSE 0 END"
        let number =
            fits.count > 1 ? dialect.value(chosen, stoppingIf: fits.joined(separator: " + ") + " > 1", Self.overlapMessage) : chosen
        return """
            SELECT t_ms, id, class, \(key) AS own_key, \(holdColumn.map { exact($0) } ?? "''") AS held, \(facet) AS facet
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

    /// Each event once, by its key.
    private var counted: String {
        let once = """
            SELECT t_ms, class, held, facet, own_key
            FROM (SELECT *, row_number() OVER (PARTITION BY id ORDER BY t_ms) AS copy FROM matching WHERE id != '') AS copies
            WHERE copy = 1
            UNION ALL
            SELECT t_ms, class, held, facet, own_key FROM matching WHERE id = ''
            """
        let held = definition.hold == nil ? "" : " AND held != ''"
        let key = joins ? "coalesce(nullif(identified, ''), own_key)" : "own_key"
        let join = joins ? "\nLEFT JOIN identities ON once.own_key = identities.anonymous" : ""
        return """
            SELECT t_ms, class, held, facet, \(key) AS person_key
            FROM (
            \(Self.indented(once))
            ) AS once\(join)
            WHERE own_key != ''\(held)
            """
    }

    // MARK: Attempts

    private var moments: String {
        var facet = "''"
        switch definition.breakdown?.attribution {
        case nil, .all?: break
        case .first?, .last?: facet = "coalesce(min(CASE WHEN facet != '' THEN facet END), '')"
        case .step(let step)?:
            facet = "coalesce(min(CASE WHEN facet != '' AND class = \(patterns.wanted[step - 1]) THEN facet END), '')"
        }
        return """
            SELECT person_key, held, t_ms, \(dialect.array("class")) AS classes, \(facet) AS facet_then
            FROM counted
            GROUP BY person_key, held, t_ms
            """
    }

    private var ways: String {
        "SELECT person_key, held, \(dialect.moments) AS moments\nFROM at_once\nGROUP BY person_key, held"
    }

    private var attempts: String {
        var starts: [String] = []
        if let since = definition.since { starts.append("\(dialect.momentTime) >= \(dialect.literal(since))") }
        if let until = definition.until { starts.append("\(dialect.momentTime) < \(dialect.literal(until))") }
        let fold = dialect.fold(
            wanted: patterns.wanted, window: definition.windowMilliseconds,
            mayStart: starts.isEmpty ? "1 = 1" : starts.joined(separator: " AND "))
        var (facet, facetTime) = ("''", dialect.literal(Int64(0)))
        switch definition.breakdown?.attribution {
        case nil, .all?: break
        case .first?: (facet, facetTime) = (dialect.facet(last: false), dialect.facetTime(last: false))
        case .last?: (facet, facetTime) = (dialect.facet(last: true), dialect.facetTime(last: true))
        case .step(let step)?:
            facet =
                "CASE WHEN \(dialect.length("times")) >= \(step) THEN \(dialect.facet(at: dialect.element("times", "\(step)"))) ELSE '' END"
        }
        return """
            SELECT person_key, held, times, \(dialect.length("times")) AS depth, \(facet) AS own_facet, \(facetTime) AS facet_ms
            FROM (
                SELECT person_key, held, moments,
                    \(fold.split(separator: "\n").joined(separator: "\n        ")) AS times
                FROM ways
            ) AS folded
            """
    }

    /// Of one key's held values the best chain, by depth, then the earliest end, then the latest start.
    private var chains: String {
        let isMissing = "CASE WHEN own_facet = '' THEN 1 ELSE 0 END"
        func first(_ time: String) -> String {
            "first_value(own_facet) OVER (PARTITION BY person_key ORDER BY \(isMissing), \(time), own_facet)"
        }
        let facet =
            switch definition.breakdown?.attribution {
            case .first?: first("facet_ms")
            case .last?: first("facet_ms DESC")
            case .step?, .all?, nil: "own_facet"
            }
        return """
            SELECT person_key, times, depth, group_facet AS own_facet
            FROM (
                SELECT person_key, times, depth, \(facet) AS group_facet, row_number() OVER (
                    PARTITION BY person_key
                    ORDER BY depth DESC, \(dialect.element("times", "depth")), \(dialect.element("times", "1")) DESC, times,
                        \(isMissing), own_facet
                ) AS place
                FROM attempts
            ) AS placed
            WHERE place = 1
            """
    }

    private var chainTable: String { definition.hold == nil ? "attempts" : "chains" }

    // MARK: Bars

    private var sized: String {
        """
        SELECT times, depth, facet_name, count(*) OVER (PARTITION BY facet_name) AS facet_size
        FROM (
            SELECT times, depth, CASE WHEN own_facet = '' THEN \(dialect.literal(FunnelBreakdown.none)) ELSE own_facet END AS facet_name
            FROM \(chainTable) WHERE depth > 0
        ) AS named
        """
    }

    private var ranked: String {
        let (none, other) = (dialect.literal(FunnelBreakdown.none), dialect.literal(FunnelBreakdown.other))
        return """
            SELECT times, depth, CASE
                WHEN facet_name = \(none) THEN facet_name
                WHEN facet_name = \(other) OR facet_rank > \(definition.breakdown?.top ?? 0) THEN \(other)
                ELSE facet_name END AS value
            FROM (
                SELECT *, dense_rank() OVER (
                    ORDER BY CASE WHEN facet_name IN (\(none), \(other)) THEN 1 ELSE 0 END, facet_size DESC, facet_name
                ) AS facet_rank
                FROM sized
            ) AS ranking
            """
    }

    private var steps: String {
        definition.steps.enumerated()
            .map { place, step in
                let name = dialect.literal(step.pattern.title)
                return place == 0 ? "SELECT 1 AS index, \(name) AS name" : "UNION ALL SELECT \(place + 1), \(name)"
            }.joined(separator: "\n")
    }

    private var bars: String {
        let isGrouped = definition.breakdown != nil
        let elapsed = "\(dialect.element("times", "index")) - \(dialect.element("times", "1"))"
        return """
            SELECT \(isGrouped ? "value, " : "")index, name, sum(reached) AS reached,
                \(dialect.percentile("0.5", "elapsed")) AS p50_ms,
                \(dialect.percentile("0.9", "elapsed")) AS p90_ms
            FROM (
                SELECT \(isGrouped ? "value, " : "")index, name, CASE WHEN depth >= index THEN 1 ELSE 0 END AS reached,
                    CASE WHEN depth >= index AND index > 1 THEN \(elapsed) END AS elapsed
                FROM \(isGrouped ? "ranked" : chainTable) AS chain CROSS JOIN steps
                \(isGrouped ? "" : "UNION ALL SELECT index, name, 0, NULL FROM steps")
            ) AS bar
            GROUP BY \(isGrouped ? "value, " : "")index, name
            """
    }

    private var result: String {
        let part = definition.breakdown != nil ? "PARTITION BY value " : ""
        return """
            SELECT \(definition.breakdown != nil ? "value, " : "")index, name, reached AS count, reached / nullif(entered, 0) AS of_first,
                reached / nullif(before, 0) AS of_previous, p50_ms, p90_ms
            FROM (
                SELECT *, first_value(reached) OVER (\(part)ORDER BY index) AS entered,
                    CASE WHEN index = 1 THEN reached ELSE lag(reached) OVER (\(part)ORDER BY index) END AS before
                FROM bars
            ) AS shares
            ORDER BY \(definition.breakdown != nil ? "entered DESC, value, " : "")index
            """
    }
}

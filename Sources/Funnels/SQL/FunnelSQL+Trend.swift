import Basics

/// The tables of a statement that finds the end of the data, and of one that counts by periods.
extension FunnelSQL {
    /// Beyond this many periods, empty ones are left out: one event with a wildly wrong time would make millions.
    private static let filledLimit = 10_000
    private static let outsideMessage = "a start lies outside the periods that this statement knows: give --since and --until"

    /// One row of `mature_ms`: the first millisecond in which a start is no longer mature.
    ///
    /// In a funnel of one step all starts are mature; there it is the first millisecond after the end of the data.
    var dataEnd: [(name: String, query: String)] {
        if let end = definition.dataEnd {
            let until = definition.matureUntil(dataEnd: end) ?? end.addingClamped(1)
            return [("data_end", "SELECT \(dialect.literal(until)) AS mature_ms")]
        }
        // The same end as that of ``DataEnd``. A gap that counts is longer than a day, so counts by day are enough to find it.
        let days = """
            SELECT count(*) AS lines_then, min(t_ms) AS first_ms, max(t_ms) AS last_ms
            FROM lines
            WHERE type IN ('', 'track')
            GROUP BY floor(t_ms / \(DayCounts.length))
            """
        let gaps = """
            SELECT last_ms, lead(first_ms) OVER (ORDER BY first_ms) AS following, sum(lines_then) OVER () AS total,
                greatest(last_ms - min(first_ms) OVER (), \(dialect.literal(365 * DayCounts.length))) AS passed,
                sum(lines_then) OVER (ORDER BY first_ms ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS behind
            FROM days
            """
        let gap = dialect.literal(max(definition.windowMilliseconds, DayCounts.length))
        let end = """
            SELECT coalesce(
                min(CASE WHEN behind > 0 AND behind * CASE WHEN following - last_ms > passed THEN 50 ELSE 1000 END < total
                    AND following - last_ms > \(gap) THEN last_ms END), max(last_ms)
            ) + 1 - \(dialect.literal(definition.millisecondsToMature)) AS mature_ms
            FROM gaps
            """
        return [("days", days), ("gaps", gaps), ("data_end", end)]
    }

    /// A row for each stretch of periods of one length.
    func calendar(_ periods: SQLPeriods) -> String {
        let stretches = periods.stretches.map { dialect.list(["\($0.start)", "\($0.length)"]) }
        let rows = stride(from: 0, to: stretches.count, by: 4)
            .map { stretches[$0..<min($0 + 4, stretches.count)].joined(separator: ", ") }.joined(separator: ",\n    ")
        return """
            SELECT 1 AS one, from_ms, length_ms, lead(from_ms, 1, \(dialect.literal(periods.end))) OVER (ORDER BY from_ms) AS until_ms
            FROM (
                SELECT \(dialect.element("stretch", "1")) AS from_ms, \(dialect.element("stretch", "2")) AS length_ms
                FROM (SELECT \(dialect.exploded(dialect.pairs(rows))) AS stretch) AS listed
            ) AS stretches
            """
    }

    /// The counted events: whether each is a start, and the period that it lies in.
    var dated: [(name: String, query: String)] {
        let isStart = (["class = \(patterns.wanted[0])"] + inRange("t_ms")).joined(separator: " AND ")
        let isOutside = "is_start = 1 AND (coalesce(length_ms, 0) = 0 OR t_ms >= until_ms)"
        let start = dialect.value(
            "t_ms - (t_ms - from_ms) % greatest(coalesce(length_ms, 1), 1)", stoppingIf: isOutside, Self.outsideMessage)
        return [
            ("marked", "SELECT *, CASE WHEN \(isStart) THEN 1 ELSE 0 END AS is_start FROM counted"),
            (
                "dated",
                """
                SELECT t_ms, class, held, of_group, person_key, is_start, start_ms, start_ms + length_ms AS next_ms
                FROM (
                    SELECT t_ms, class, held, of_group, person_key, is_start, length_ms, \(start) AS start_ms
                    FROM \(dialect.inCalendar("marked"))
                ) AS numbered
                """
            ),
        ]
    }

    /// `entries` has the periods with a start, and for each the number of keys that start in it and have no mature start in it.
    ///
    /// `periods` adds those between, in which nothing starts, and says which are complete.
    var periods: [(name: String, query: String)] {
        let isOpen = definition.steps.count > 1 ? "first_ms >= mature_ms" : "1 = 0"
        let entries = """
            SELECT start_ms, next_ms, mature_ms, sum(CASE WHEN \(isOpen) THEN 1 ELSE 0 END) AS open_entries
            FROM (
                SELECT person_key, start_ms, next_ms, min(t_ms) AS first_ms
                FROM dated
                WHERE is_start = 1
                GROUP BY person_key, start_ms, next_ms
            ) AS entering CROSS JOIN data_end
            GROUP BY start_ms, next_ms, mature_ms
            """
        let following = "greatest(coalesce(lead(start_ms) OVER (ORDER BY start_ms), next_ms), next_ms)"
        let between = dialect.range(from: "greatest(from_ms, start_ms)", until: "least(until_ms, following)", by: "length_ms")
        var isComplete = ["start_ms + length_ms <= mature_ms"]
        if let since = definition.since { isComplete.append("start_ms >= \(dialect.literal(since))") }
        if let until { isComplete.append("start_ms + length_ms <= \(dialect.literal(until))") }
        let filled = """
            SELECT start_ms, CASE WHEN \(isComplete.joined(separator: " AND ")) THEN 1 ELSE 0 END AS complete,
                CASE WHEN start_ms = entry_ms THEN open_entries ELSE 0 END AS left_out
            FROM (
                SELECT *, count(*) OVER () AS all_periods
                FROM (
                    SELECT entry_ms, open_entries, mature_ms, length_ms, \(dialect.exploded("starts")) AS start_ms
                    FROM (
                        SELECT start_ms AS entry_ms, open_entries, mature_ms, length_ms, \(between) AS starts
                        FROM (SELECT *, \(following) AS following FROM entries) AS gaps CROSS JOIN calendar
                        WHERE until_ms > start_ms AND from_ms < following
                    ) AS reaching
                ) AS listed
            ) AS filled
            WHERE all_periods <= \(Self.filledLimit) OR start_ms = entry_ms
            """
        return [("entries", entries), ("periods", filled)]
    }

    /// For each key and each period in which it starts, the moments that attempts from that period can meet.
    var parts: String {
        let isMet =
            "\(dialect.momentTime) >= start_ms AND \(dialect.momentTime) - next_ms < \(dialect.literal(definition.windowMilliseconds))"
        let passedOn = groupsOfKeys ? ", way_group" : ""
        return """
            SELECT *, \(dialect.moments(where: isMet)) AS met
            FROM (
                SELECT person_key, held, moments\(passedOn), \(dialect.element("span", "1")) AS start_ms, \(dialect.element("span", "2")) AS next_ms
                FROM (SELECT person_key, held, moments\(passedOn), \(dialect.exploded("spans")) AS span FROM \(wayTable)) AS spread
            ) AS parted
            """
    }
}

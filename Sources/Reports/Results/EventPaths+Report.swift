import Basics
public import Funnels

extension EventPaths: Reportable {
    public var section: ReportSection {
        let flat = rows(next, before: [])
        let first = next.first.flatMap { node in if case .event = node.place { NumberFormat.percent(node.ofStarts) } else { nil } }
        let remarks = [
            starts == 0 ? "There is nothing to start from." : nil,
            first.map { "\(words.mostFrequent) comes in \($0) of all paths." },
            windowOpen > 0 ? "\(NumberFormat.count(windowOpen)) \(words.open)." : nil,
        ]
        return ReportSection(
            kind: "paths", title: "\(words.after) \(definition.from)", period: input.period,
            highlights: [
                ReportFact("Starts", .count(starts)),
                ReportFact(words.stopped, .share(starts == 0 ? nil : next.last.flatMap { $0.place == .end ? $0.ofStarts : nil } ?? 0)),
            ], remarks: remarks.compactMap(\.self), makeRecords: { records(flat) },
            makeFigures: { [ReportFigure(title: words.title, chart: starts == 0 ? nil : chart, table: table(flat))] },
            definition: facts, quality: input.facts(key: definition.key.words))
    }

    /// A node, and the titles of the events between the start and it.
    private typealias Row = (before: [String], node: Node)

    private func rows(_ nodes: [Node], before: [String]) -> [Row] {
        nodes.flatMap { [(before, $0)] + rows($0.next, before: before + [title($0)]) }
    }

    private var chart: FlowChart {
        func branch(_ node: Node) -> FlowChart.Node {
            FlowChart.Node(name: title(node), count: node.count, children: node.next.map(branch), isEnd: node.place == .end)
        }
        return FlowChart(root: FlowChart.Node(name: definition.from, count: starts, children: next.map(branch)))
    }

    private func table(_ rows: [Row]) -> ReportTable {
        ReportTable(
            words.title, of: rows,
            [
                .init("Path", "path") { .data(($0.before + [title($0.node)]).joined(separator: " > ")) },
                .init("Count", "count") { .count($0.node.count) }, .init("Of all starts", "of_starts") { .share($0.node.ofStarts) },
                .init("Of those before", "of_previous") { .share($0.node.ofPrevious) },
                .init("Median time", "p50_ms") { .duration($0.node.fromPrevious?.p50) },
                .init("p90", "p90_ms") { .duration($0.node.fromPrevious?.p90) },
            ])
    }

    private func records(_ rows: [Row]) -> ReportTable {
        ReportTable(
            "One row a node", of: rows,
            [
                .init("depth") { .count($0.before.count + 1) }, .init("before") { .data($0.before.joined(separator: " > ")) },
                .init("name") { .data(title($0.node)) }, .init("place") { .words(kind($0.node)) }, .init("count") { .count($0.node.count) },
                .init("of_starts") { .share($0.node.ofStarts) }, .init("of_previous") { .share($0.node.ofPrevious) },
            ] + ReportTable.times("from_previous") { $0.node.fromPrevious })
    }

    private var facts: [ReportFact] {
        let facts = [
            ReportFact(definition.direction == .after ? "From" : "To", .data(definition.from)),
            ReportFact("Counted by", .data(definition.key.description)),
            ReportFact(
                "Starts", .words(definition.count == .users ? "the first event of each key" : "every event of the name; paths may overlap")),
            ReportFact("Window", .words("\(DurationText.exact(definition.windowMilliseconds)) \(words.windowFrom), inclusive")),
            ReportFact("Depth", .count(definition.depth)),
            ReportFact(
                "Order",
                .words("by time; events of one millisecond by name, the start \(definition.direction == .after ? "before" : "behind") them")
            ), ReportFact(identify: definition.identify),
            ReportFact("Repeats", .words(definition.mergesRepeats ? "an event of the same name as the one before it is passed over" : nil)),
            ReportFact(
                "Shown by name",
                .words("at most \(definition.top) after each, none below \(NumberFormat.percent(definition.leastShare)) of all starts")),
        ]
        return ReportFact.known(facts) + definition.range.facts(of: "Starts") + definition.cohort.facts
    }

    public func lines(in table: TableReport) -> [String] {
        let paths = starts == 0 ? ["no paths: nothing to start from"] : tree(table, rows(next, before: []))
        let open = starts > 0 && windowOpen > 0 ? ["\(table.number(windowOpen)) \(words.open)"] : []
        let who =
            definition.count == .users
            ? table.counted(starts, by: definition.key)
            : "\(GroupedNumber.counted(starts, "start")) by \(table.shown(definition.key.description))"
        let parts = [
            who, definition.count == .users ? "from the first of each" : "from every one",
            "within \(DurationText.exact(definition.windowMilliseconds))", definition.mergesRepeats ? "repeats merged" : nil,
            table.times(definition.range, what: "starts"),
        ]
        return table.heading("\(words.after) \(table.shown(definition.from))", parts + definition.cohort.words(in: table), input)
            + paths + open + table.inputLines(input, key: table.shown(definition.key.description))
    }

    /// One row a node, the nodes that follow it indented below.
    private func tree(_ table: TableReport, _ rows: [Row]) -> [String] {
        let names = rows.map { row in
            var name = table.shown(title(row.node))
            if case .other(let names) = row.node.place { name = "(other: \(GroupedNumber.counted(names, "event")))" }
            return String(repeating: "  ", count: row.before.count) + name
        }
        let before = rows.map { TerminalText.rightAligned(NumberFormat.percent($0.node.ofPrevious), in: 6) + " of those before" }
        let times = rows.map { row in
            row.node.fromPrevious.map { "p50 \(NumberFormat.duration($0.p50))  p90 \(NumberFormat.duration($0.p90))" } ?? ""
        }
        return RowLayout(
            table: table, names: names, counts: rows.map { table.number($0.node.count) }, shares: rows.map(\.node.ofStarts), widestBar: 30,
            goesInOrder: false,
            parts: [
                .init(name: "share of those before", texts: before, gap: 2), .init(name: "times", texts: times, paint: table.style.faint),
            ]
        ).lines { rows[$0].node.place == .end ? table.style.faint($1) : $1 }
    }

    public func text(in json: JSONReport) -> String {
        let asked: JSONObject = [
            definition.direction == .after ? "from" : "to": definition.from, "window_ms": definition.windowMilliseconds,
            "depth": definition.depth, "by": definition.key.description, "count": definition.count.rawValue,
            "merge_repeats": definition.mergesRepeats, "top": definition.top, "min_share": definition.leastShare,
        ]
        let limits = definition.range.json + definition.cohort.json + (definition.identify ? [:] : ["identify": false])
        return json.document(["definition": asked + limits], ["starts": starts, "window_open": windowOpen], branches(next), input.json)
    }

    private func branches(_ nodes: [Node]) -> JSONObject {
        let rows = JSONRows(nodes) { node in
            // `kind` tells the end from an event that is named `(end)`.
            [
                "name": title(node), "kind": kind(node), "count": node.count, "of_starts": node.ofStarts, "of_previous": node.ofPrevious,
                "from_previous_ms": node.fromPrevious,
            ] + branches(node.next)
        }
        return [definition.direction == .after ? "next" : "previous": rows]
    }
}

/// Words that differ when paths lead backwards.
extension EventPaths {
    private var words: (after: String, title: String, mostFrequent: String, open: String, stopped: String, windowFrom: String) {
        switch definition.direction {
        case .after:
            let open = "of those that ended still had time when the data ended"
            return ("After", "What comes next", "The most frequent next event", open, "Stopped there", "from the start")
        case .before:
            let open = "of those that began there had a window from before the data"
            return ("Before", "What came before", "The most frequent event just before", open, "Began there", "before it")
        }
    }

    /// The event's name, `(end)` or `(start)`, or `(other)`.
    private func title(_ node: Node) -> String { if case .event(let name) = node.place { name } else { "(\(kind(node)))" } }

    private func kind(_ node: Node) -> String {
        switch node.place {
        case .event: "event"
        case .end: definition.direction == .after ? "end" : "start"
        case .other: "other"
        }
    }
}

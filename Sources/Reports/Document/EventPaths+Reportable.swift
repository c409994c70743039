public import Funnels

extension EventPaths: Reportable {
    public func text(in table: TableReport) -> String { table.text(of: self) }
    public func text(in json: JSONReport) -> String { json.text(of: self) }

    public var section: ReportSection {
        let flat = rows(next, before: [])
        var remarks: [String] = []
        if starts == 0 { remarks.append("There is nothing to start from.") }
        if let first = next.first, case .event = first.place {
            remarks.append("What comes next most often comes in \(NumberFormat.percent(first.ofStarts)) of all paths.")
        }
        if windowOpen > 0 { remarks.append("\(NumberFormat.count(windowOpen)) of those that ended are still in their window.") }
        return ReportSection(
            kind: "paths", title: "After \(definition.from)", period: ReportSection.period(input),
            highlights: [
                ReportFact("Starts", .count(starts)),
                ReportFact("Ended at once", .share(starts == 0 ? nil : next.last.flatMap { $0.place == .end ? $0.ofStarts : nil } ?? 0)),
            ], remarks: remarks, records: records(flat),
            figures: [ReportFigure("What comes next", chart: starts == 0 ? nil : .flow(chart), table: table(flat))],
            definition: facts, quality: ReportSection.quality(input, key: definition.key.words))
    }

    private struct Row {
        /// Titles of the places before, from the one after the start.
        var before: [String]
        var node: Node
    }

    private func rows(_ nodes: [Node], before: [String]) -> [Row] {
        nodes.flatMap { [Row(before: before, node: $0)] + rows($0.next, before: before + [$0.place.title]) }
    }

    private var chart: FlowChart {
        func branch(_ node: Node) -> FlowChart.Node {
            FlowChart.Node(name: node.place.title, count: node.count, children: node.next.map(branch), isEnd: node.place == .end)
        }
        return FlowChart(root: FlowChart.Node(name: definition.from, count: starts, children: next.map(branch)))
    }

    private func table(_ rows: [Row]) -> ReportTable {
        ReportTable(
            "What comes next",
            columns: [
                .init("Path", key: "path"), .init("Count", key: "count"), .init("Of all starts", key: "of_starts"),
                .init("Of those before", key: "of_previous"), .init("Median time", key: "p50_ms"), .init("p90", key: "p90_ms"),
            ],
            rows: rows.map { row in
                [
                    .data((row.before + [row.node.place.title]).joined(separator: " > ")), .count(row.node.count),
                    .share(row.node.ofStarts),
                    .share(row.node.ofPrevious), .duration(row.node.fromPrevious?.p50), .duration(row.node.fromPrevious?.p90),
                ]
            })
    }

    private func records(_ rows: [Row]) -> ReportTable {
        ReportTable(
            "One row a place",
            columns: [
                .init("Depth", key: "depth"), .init("Before", key: "before"), .init("Name", key: "name"), .init("Place", key: "place"),
                .init("Count", key: "count"), .init("Of all starts", key: "of_starts"), .init("Of those before", key: "of_previous"),
                .init("n", key: "from_previous_n"), .init("Mean", key: "from_previous_mean_ms"), .init("p50", key: "from_previous_p50_ms"),
                .init("p90", key: "from_previous_p90_ms"), .init("p99", key: "from_previous_p99_ms"),
            ],
            rows: rows.map { row in
                let times = row.node.fromPrevious
                return [
                    .count(row.before.count + 1), .data(row.before.joined(separator: " > ")), .data(row.node.place.title),
                    .words(row.node.place.kind), .count(row.node.count), .share(row.node.ofStarts), .share(row.node.ofPrevious),
                    times.map { .count($0.n) } ?? .none, .duration(times?.mean), .duration(times?.p50), .duration(times?.p90),
                    .duration(times?.p99),
                ]
            })
    }

    private var facts: [ReportFact] {
        var facts = [
            ReportFact("From", .data(definition.from)), ReportFact("Counted by", .data(definition.key.description)),
            ReportFact(
                "Starts", .words(definition.count == .users ? "the first event of each key" : "every event of the name; paths may overlap")),
            ReportFact("Window", .words("\(DurationText.exact(definition.windowMilliseconds)) from the start, inclusive")),
            ReportFact("Depth", .count(definition.depth)),
            ReportFact("Order", .words("by time; events of one millisecond by name, the start before them")),
        ]
        if !definition.identify { facts.append(ReportFact("Identified users", .words("not joined to their anonymous ids"))) }
        if definition.mergesRepeats {
            facts.append(ReportFact("Repeats", .words("an event of the same name as the one before it is passed over")))
        }
        facts.append(
            ReportFact(
                "Told of their own",
                .words("at most \(definition.top) after each, none below \(NumberFormat.percent(definition.leastShare)) of all starts")))
        return facts + ReportSection.definition(definition.range, of: "Starts")
    }
}

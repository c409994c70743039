public import Funnels

extension FunnelComparison: Reportable {
    public func text(in table: TableReport) -> String { table.text(of: self) }
    public func text(in json: JSONReport) -> String { json.text(of: self) }

    public var section: ReportSection {
        let own = result.section
        var section = own
        section.highlights += [
            ReportFact("Compared with", .share(other.rate)), ReportFact("Difference", .points(Self.difference(result.rate, other.rate))),
        ]
        section.records = records
        section.figures.insert(ReportFigure("Side by side", table: sideBySide), at: min(1, section.figures.count))
        section.definition += [
            ReportFact("Compared with starts since", .moment(other.definition.since)),
            ReportFact("Compared with starts before", .moment(other.definition.until)),
        ]
        return section
    }

    private var sideBySide: ReportTable {
        ReportTable(
            "This time and the one that it is compared with",
            columns: [
                .init("Step", key: "step"), .init("Event", key: "name"), .init("Count", key: "count"),
                .init("Compared", key: "compared_count"),
                .init("Of step 1", key: "of_first"), .init("Compared", key: "compared_of_first"),
                .init("Difference", key: "of_first_points"),
                .init("Of step before", key: "of_previous"), .init("Compared", key: "compared_of_previous"),
                .init("Difference", key: "of_previous_points"),
            ],
            rows: zip(result.steps, other.steps).map { step, other in
                [
                    .count(step.index), .data(result.definition.steps[step.index - 1].description), .count(step.count), .count(other.count),
                    .share(step.ofFirst), .share(other.ofFirst), .points(Self.difference(step.ofFirst, other.ofFirst)),
                    step.index == 1 ? .none : .share(step.ofPrevious), step.index == 1 ? .none : .share(other.ofPrevious),
                    step.index == 1 ? .none : .points(Self.difference(step.ofPrevious, other.ofPrevious)),
                ]
            })
    }

    /// The rows of both, the time in front.
    private var records: ReportTable {
        let columns = result.section.records.columns
        let rows = [(result, "own"), (other, "compared")].flatMap { result, time in
            result.section.records.rows.map { [ReportValue.words(time)] + $0 }
        }
        return ReportTable(
            "One row a time, group and step", columns: [.init("Time", key: "time")] + columns, rows: rows)
    }
}

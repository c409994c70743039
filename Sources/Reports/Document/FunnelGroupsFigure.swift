import Funnels

/// The groups of a breakdown side by side: how much of each converted, and how many were at each step.
struct FunnelGroupsFigure {
    let groups: [FunnelResult.Group]
    let definition: FunnelDefinition
    let breakdown: FunnelBreakdown

    /// In order of size, as the result has them. Bars are shares of the group, so a full one is everybody of it.
    var figure: ReportFigure {
        let rows = groups.map { group in
            BarChart.Row(
                name: group.value, value: rate(group) ?? 0,
                text: "\(ReportValue.share(rate(group)).shown()) of \(NumberFormat.count(group.steps[0].count))")
        }
        return ReportFigure("Conversion by group", chart: .bars(BarChart(rows: rows, full: 1)), table: table)
    }

    private func last(_ group: FunnelResult.Group) -> FunnelResult.Step { group.steps[definition.lastRequiredStep] }

    private func rate(_ group: FunnelResult.Group) -> Double? { last(group).ofFirst }

    private var table: ReportTable {
        let steps = definition.steps.indices.map { ReportTable.Column("Step \($0 + 1)", key: "step_\($0 + 1)") }
        return ReportTable(
            "How many of each group took each step",
            columns: [.init("Group", key: "group")] + steps + [
                .init("Conversion", key: "rate"), .init("Median time", key: "time_p50_ms"), .init("p90", key: "time_p90_ms"),
            ],
            rows: groups.map { group in
                let times = last(group).fromFirst
                return [.data(group.value)] + group.steps.map { .count($0.count) } + [
                    .share(rate(group)), .duration(times?.p50), .duration(times?.p90),
                ]
            })
    }
}

import Funnels

/// The groups of a breakdown side by side: how much of each converted, and how many were at each step.
extension FunnelResult {
    /// In order of size, as the result has them. Bars are shares of the group, so a full one is everybody of it.
    var groupFigure: ReportFigure {
        let rows = groups.map { group in
            BarChart.Row(
                name: group.value, value: conversion(group) ?? 0,
                text: "\(ReportValue.share(conversion(group)).shown()) of \(NumberFormat.count(group.steps[0].count))")
        }
        return ReportFigure("Conversion by group", chart: .bars(BarChart(rows: rows, full: 1)), table: groupTable)
    }

    private func last(_ group: Group) -> Step { group.steps[definition.lastRequiredStep] }

    private func conversion(_ group: Group) -> Double? { last(group).ofFirst }

    private var groupTable: ReportTable {
        let steps = definition.steps.indices.map { ReportTable.Column("Step \($0 + 1)", key: "step_\($0 + 1)") }
        return ReportTable(
            "How many of each group took each step",
            columns: [.init("Group", key: "group")] + steps + [
                .init("Conversion", key: "rate"), .init("Median time", key: "time_p50_ms"), .init("p90", key: "time_p90_ms"),
            ],
            rows: groups.map { group in
                let times = last(group).fromFirst
                return [.data(group.value)] + group.steps.map { .count($0.count) } + [
                    .share(conversion(group)), .duration(times?.p50), .duration(times?.p90),
                ]
            })
    }

    /// A breakdown: one row a group, with the share of step 1 that reached each step as far as the width has room, and of the last.
    func groupLines(in table: TableReport) -> [String] {
        guard let breakdown = definition.breakdown, !groups.isEmpty else { return [] }
        let last = definition.lastRequiredStep
        let between = steps.indices.dropFirst().filter { $0 != last }
        let title = table.shown(breakdown.description)
        let values = groups.map { table.shown($0.value, atMost: 40) }
        let counts = groups.map { table.number($0.steps[0].count) }
        let valueWidth = min(TerminalText.widest([title] + values), max((table.style.width ?? 80) - 30, 10))
        let countWidth = TerminalText.widest(["entered"] + counts)
        let column = 9
        // The last step is the one that counts; the others come as far as there is room.
        let room = (table.style.width ?? .max / 2) - valueWidth - 2 - countWidth - (last > 0 ? column : 0)
        let shownSteps = Array(between.prefix(max(0, room / column))) + (last > 0 ? [last] : [])

        func row(_ value: String, _ count: String, _ cells: [String]) -> String {
            let name = TerminalText.padded(TerminalText.cut(value, to: valueWidth, ellipsis: table.style.ellipsis), to: valueWidth)
            return name + "  " + TerminalText.rightAligned(count, in: countWidth)
                + cells.map { TerminalText.rightAligned($0, in: column) }.joined()
        }
        let heading = row(title, "entered", shownSteps.map { $0 == last ? "overall" : "step \($0 + 1)" })
        let rows = groups.indices.map { place in
            row(
                values[place], counts[place],
                shownSteps.map { groups[place].steps[$0].ofFirst.map(NumberFormat.percent) ?? table.style.dash })
        }
        return [table.style.faint(heading)] + rows
    }
}

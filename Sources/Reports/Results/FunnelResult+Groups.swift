import Basics
import Funnels

/// The groups of a breakdown side by side: how much of each converted, and how many were at each step.
extension FunnelResult {
    /// A group, how it differs from the rest, and what is claimed of it.
    struct ComparedGroup {
        let group: Group
        let versusRest: VersusRest?
        let claim: Claim?

        /// The difference with other things held equal; `nil` where the crude difference says the same.
        var adjusted: Double? { claim?.adjusted(beside: versusRest?.difference?.value) }
    }

    /// All groups by size. Each access compares all groups: keep the result to look at one group after the other.
    var comparedGroups: [ComparedGroup] {
        zip(groups.indices, versusRest).map { .init(group: groups[$0], versusRest: $1, claim: groupClaims.dropFirst($0).first ?? nil) }
    }

    /// The groups as tables show them: those of values by size, then those without a value, then the rest.
    var orderedGroups: [Group] { orderedComparisons.map(\.group) }

    private var orderedComparisons: [ComparedGroup] {
        let all = comparedGroups
        return all.filter(\.group.isValue) + all.filter { !$0.group.isValue }.sorted { $0.group.value < $1.group.value }
    }

    /// What can be said of groups: which differ from the rest, or that none does. A funnel of one step has none: whoever enters converts.
    var groupFindings: [ReportFinding] {
        if definition.lastRequiredStep == 0 { return [] }
        let findings = findings.map { $0.claim.finding(.group, of: $0.value, from: .groups) }
        if !findings.isEmpty { return findings }
        // Of several claims that do not hold, the one that would need the largest difference speaks for all.
        let claims = groupClaims.compactMap(\.self)
        let silent = claims.filter { $0.refused == nil && !$0.isSaidElsewhere }.max { ($0.detectable ?? 0) < ($1.detectable ?? 0) }
        return (silent ?? claims.first).map { [$0.finding(.group, from: .groups)] } ?? []
    }

    /// The findings in words, for a terminal. If one to three hold, they are left out here: they stand at the head of the report.
    func findingLines(in table: TableReport) -> [String] {
        let findings = groupFindings
        let shown = findings.first?.isDifference == true && findings.count <= 3 ? [] : findings
        return shown.flatMap { table.words(of: $0) }
    }

    /// The groups by size, with a bar for the share that converted. A full bar is 100%, or a smaller share where all are small.
    var groupFigure: ReportFigure {
        let rows = orderedGroups.map { group in
            BarChart.Row(
                name: group.value, value: conversion(group) ?? 0,
                text: "\(ReportValue.share(conversion(group)).shown()) of \(NumberFormat.count(group.steps[0].count))")
        }
        let full = LineChart.ceiling(rows.map(\.value).max() ?? 0)
        let isScaled = full <= 0.4
        return ReportFigure(
            title: "Conversion by group",
            chart: BarChart(rows: rows, full: isScaled ? full : 1, note: isScaled ? "A full bar is \(NumberFormat.percent(full))." : nil),
            table: groupTable)
    }

    /// How long those that converted took, group by group; `nil` where nobody did or only step 1 is required.
    var groupTimeFigure: ReportFigure? {
        let times = orderedGroups.compactMap { group in last(group).fromFirst.map { (group.value, $0) } }
        guard timeToConvert != nil, !times.isEmpty else { return nil }
        let rows = times.map { RangeChart.Row(name: $0.0, median: $0.1.p50, ninetieth: $0.1.p90, ninetyNinth: $0.1.p99) }
        return ReportFigure(
            title: "Time to convert, by group", chart: RangeChart(rows: rows),
            table: ReportTable(
                "Time from step 1 to the last, of each group", of: times,
                [
                    .init("Group", "group") { .data($0.0) }, .init("Converted", "converted") { .count($0.1.n) },
                    .init("Mean", "mean_ms") { .duration($0.1.mean) }, .init("Median", "p50_ms") { .duration($0.1.p50) },
                    .init("p90", "p90_ms") { .duration($0.1.p90) }, .init("p99", "p99_ms") { .duration($0.1.p99) },
                ]))
    }

    private func last(_ group: Group) -> Step { group.steps[definition.lastRequiredStep] }

    private func conversion(_ group: Group) -> Double? { last(group).ofFirst }

    private var groupTable: ReportTable {
        let steps = definition.steps.indices.map { index in
            ReportTable.Field<ComparedGroup>("Step \(index + 1)", "step_\(index + 1)") { .count($0.group.steps[index].count) }
        }
        return ReportTable(
            "How many of each group took each step", of: orderedComparisons,
            [.init("Group", "group") { .data($0.group.value) }] + steps + [
                .init("Conversion", "rate") { .share(conversion($0.group)) },
                .init("95 %", "rate_ci95") { .interval(share(of: $0.group).interval) },
                .init("Against the rest", "versus_rest") { .points($0.versusRest?.difference?.value) },
                .init("95 %", "versus_rest_ci95") { .words($0.versusRest?.difference?.interval.pointsText()) },
                .init("Held equal", "versus_rest_adjusted") { $0.adjusted.map { .points($0) } ?? .none },
                .init("q", "q_value") { .probability($0.versusRest?.qValue) },
                .init("Median time", "time_p50_ms") { .duration(last($0.group).fromFirst?.p50) },
                .init("p90", "time_p90_ms") { .duration(last($0.group).fromFirst?.p90) },
            ])
    }

    /// A breakdown: one row a group, with the share that reached the last required step, and other steps as far as there is room.
    func groupLines(in table: TableReport) -> [String] {
        guard let breakdown = definition.breakdown, !groups.isEmpty else { return [] }
        let (compared, ordered) = (orderedComparisons, orderedGroups)
        let last = definition.lastRequiredStep
        let between = steps.indices.dropFirst().filter { $0 != last }
        let title = table.shown(breakdown.description)
        let values = ordered.map { table.shown($0.value, atMost: 40) }
        let counts = ordered.map { table.number($0.steps[0].count) }
        let valueWidth = min(TerminalText.widest([title] + values), max((table.style.width ?? 80) - 30, 10))
        let countWidth = TerminalText.widest(["entered"] + counts)
        let stepWidth = 9
        func column(_ step: Int) -> Column {
            let shares = ordered.map { $0.steps[step].ofFirst.map(NumberFormat.percent) ?? table.style.dash }
            return (step == last ? "overall" : "step \(step + 1)", stepWidth, shares)
        }
        // The last required step is the one that counts; the others come as far as there is room.
        var room = (table.style.width ?? .max / 2) - valueWidth - 2 - countWidth - (last > 0 ? stepWidth : 0)
        var (differences, hidden): ([Column], [Column]) = ([], [])
        for found in self.differences(of: compared, in: table) {
            if found.width <= room && last > 0 {
                room -= found.width
                differences.append(found)
            } else {
                hidden.append(found)
            }
        }
        let shownSteps = between.prefix(max(0, room / stepWidth))
        let shown = (shownSteps + (last > 0 ? [last] : [])).map(column) + differences
        func row(_ value: String, _ count: String, _ cell: (Column) -> String) -> String {
            let name = TerminalText.padded(TerminalText.cut(value, to: valueWidth, ellipsis: table.style.ellipsis), to: valueWidth)
            let cells = shown.map { TerminalText.rightAligned(cell($0), in: $0.width) }
            return name + "  " + TerminalText.rightAligned(count, in: countWidth) + cells.joined()
        }
        let rows = ordered.indices.map { index in TerminalText.trimmed(row(values[index], counts[index]) { $0.cells[index] }) }
        let left = between.dropFirst(shownSteps.count).map(column) + hidden
        return [table.style.faint(row(title, "entered", \.heading))] + rows + table.notShown(left.map(\.heading))
    }

    private typealias Column = (heading: String, width: Int, cells: [String])

    /// The interval of each group's share, by how many points it differs from the rest, and the q-value of that.
    private func differences(of groups: [ComparedGroup], in table: TableReport) -> [Column] {
        func points(_ value: Double?) -> String? { value.map { NumberFormat.points($0, minus: table.style.minus) } }
        let found: [(String, [String?])] = [
            ("95%", groups.map { share(of: $0.group).interval?.shareText(dash: table.style.dash) }),
            ("vs. rest", groups.map { points($0.versusRest?.difference?.value) }), ("held equal", groups.map { points($0.adjusted) }),
            ("q", groups.map { $0.versusRest?.qValue.map(NumberFormat.probability) }),
        ]
        return found.filter { $0.1.contains { $0 != nil } }.map { heading, found in
            let cells = found.map { $0 ?? "" }
            return (heading, TerminalText.widest([heading] + cells) + 2, cells)
        }
    }
}

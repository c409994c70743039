import Funnels

/// The groups of a breakdown side by side: how much of each converted, and how many were at each step.
extension FunnelResult {
    struct ComparedGroup {
        let group: Group
        let versusRest: VersusRest?

        /// The difference with other things held equal; `nil` where the crude difference says the same.
        var adjusted: Double? { versusRest?.claim?.adjusted(beside: versusRest?.difference?.value) }
    }

    /// All groups by size. Each access compares all groups: keep the result to look at one group after the other.
    var comparedGroups: [ComparedGroup] { zip(groups, versusRest).map(ComparedGroup.init) }

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
        // Of several claims that do not hold, the one that would need the largest difference speaks for all that are not refused.
        let said = zip(groups, groupClaims).compactMap { group, claim in claim?.finding(.group, of: group.value, from: .groups) }
        let silent = said.filter { $0.claim?.refused == nil && $0.claim?.isSaidElsewhere == false }
        let refused = said.first { $0.claim?.refused == .fewOfBoth } ?? (silent.isEmpty ? said.first : nil)
        return [silent.max { ($0.claim?.detectable ?? 0) < ($1.claim?.detectable ?? 0) }, refused].compactMap(\.self)
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
                name: group.value, value: share(of: group).value ?? 0,
                text: "\(ReportValue.share(share(of: group).value).shown()) of \(NumberFormat.count(group.steps[0].count))")
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

    private var groupTable: ReportTable {
        let steps = definition.steps.indices.map { index in
            ReportTable.Field<ComparedGroup>("Step \(index + 1)", "step_\(index + 1)") { .count($0.group.steps[index].count) }
        }
        return ReportTable(
            "How many of each group took each step", of: orderedComparisons,
            [.init("Group", "group") { .data($0.group.value) }] + steps + [
                .init("Conversion", "rate") { .share(share(of: $0.group).value) },
                .init("95 %", "rate_ci95") { .interval(share(of: $0.group).interval) },
                .init("Against the rest", "versus_rest") { .points($0.versusRest?.difference?.value) },
                .init("Held equal", "versus_rest_adjusted") { $0.adjusted.map { .points($0) } ?? .none },
                .init("95 %", "versus_rest_ci95") { .words($0.versusRest?.interval?.pointsText()) },
                .init("q", "q_value") { .probability($0.versusRest?.claim?.qValue) },
                .init("Median time", "time_p50_ms") { .duration(last($0.group).fromFirst?.p50) },
                .init("p90", "time_p90_ms") { .duration(last($0.group).fromFirst?.p90) },
            ])
    }

    /// A breakdown: one row a group, with the share that reached the last required step, and other steps as far as there is room.
    func groupLines(in table: TableReport) -> [String] {
        typealias Column = (heading: String, width: Int, cells: [String])
        guard let breakdown = definition.breakdown, !groups.isEmpty else { return [] }
        let (compared, last) = (orderedComparisons, definition.lastRequiredStep)
        let (title, values) = (table.shown(breakdown.description), compared.map { table.shown($0.group.value, atMost: 40) })
        let (nameWidth, stepWidth) = (min(TerminalText.widest([title] + values), max((table.style.width ?? 80) - 30, 10)), 9)
        func column(_ heading: String, width: Int? = nil, _ cell: (ComparedGroup) -> String?) -> Column {
            let cells = compared.map { cell($0) ?? "" }
            return (heading, width ?? TerminalText.widest([heading] + cells) + 2, cells)
        }
        func points(_ value: Double?) -> String? { value.map { NumberFormat.points($0, minus: table.style.minus) } }
        let entered = column("entered") { table.number($0.group.steps[0].count) }
        let shares = steps.indices.map { step in
            column(step == last ? "overall" : "step \(step + 1)", width: stepWidth) {
                $0.group.steps[step].ofFirst.map(NumberFormat.percent) ?? table.style.dash
            }
        }
        let differences: [Column] = [
            column("95%") { share(of: $0.group).interval?.shareText(dash: table.style.dash) },
            column("vs. rest") { points($0.versusRest?.difference?.value) }, column("held equal") { points($0.adjusted) },
            column("q") { $0.versusRest?.claim?.qValue.map(NumberFormat.probability) },
        ]
        // The last required step is the one that counts; the others come as far as there is room.
        var room = (table.style.width ?? .max / 2) - nameWidth - entered.width - (last > 0 ? stepWidth : 0)
        var (shown, hidden): ([Column], [Column]) = (last > 0 ? [shares[last]] : [], [])
        for found in differences where found.cells.contains(where: { !$0.isEmpty }) {
            let fits = found.width <= room && last > 0
            if fits { room -= found.width }
            if fits { shown.append(found) } else { hidden.append(found) }
        }
        let between = shares.indices.filter { $0 > 0 && $0 != last }.map { shares[$0] }
        let count = max(0, room / stepWidth)
        shown = [entered] + between.prefix(count) + shown
        func row(_ value: String, _ cell: (Column) -> String) -> String {
            let name = TerminalText.padded(TerminalText.cut(value, to: nameWidth, ellipsis: table.style.ellipsis), to: nameWidth)
            return name + shown.map { TerminalText.rightAligned(cell($0), in: $0.width) }.joined()
        }
        let rows = values.indices.map { index in TerminalText.trimmed(row(values[index]) { $0.cells[index] }) }
        return [table.style.faint(row(title, \.heading))] + rows + table.notShown((between.dropFirst(count) + hidden).map(\.heading))
    }
}

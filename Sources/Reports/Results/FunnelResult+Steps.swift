import Basics
import Funnels

/// A funnel's steps: as rows for programs, as a table for people, on a terminal, in JSON.
extension FunnelResult {
    /// All that is known of each step, of everybody and then of each group. A row without a group is of everybody.
    var records: ReportTable {
        let groups: [(value: ReportValue, steps: [Step])] = [(.none, steps)] + orderedGroups.map { (.data($0.value), $0.steps) }
        let fields: [ReportTable.Field<(group: ReportValue, all: [Step], step: Step)>] = [
            .init("group") { $0.group }, .init("step") { .count($0.step.index) },
            .init("name") { .data(definition.steps[$0.step.index - 1].pattern.title) },
            .init("filter") { .data(definition.steps[$0.step.index - 1].pattern.filter) },
            .init("optional") { .flag(definition.steps[$0.step.index - 1].isOptional) }, .init("count") { .count($0.step.count) },
            .init("of_first") { .share($0.step.ofFirst) }, .init("of_previous") { .share($0.step.ofPrevious) },
            .init("dropped") { .count($0.step.dropped) },
        ]
        return ReportTable(
            "One row a step", of: groups.flatMap { group in group.steps.map { (group.value, group.steps, $0) } },
            fields + ReportTable.times("from_previous") { $0.step.fromPrevious } + ReportTable.times("from_first") { $0.step.fromFirst } + [
                .init("of_first_ci95_lower") { .share(share(ofFirst: $0.step, in: $0.all).interval?.lower) },
                .init("of_first_ci95_upper") { .share(share(ofFirst: $0.step, in: $0.all).interval?.upper) },
                .init("of_previous_ci95_lower") { .share(share(ofPrevious: $0.step, in: $0.all).interval?.lower) },
                .init("of_previous_ci95_upper") { .share(share(ofPrevious: $0.step, in: $0.all).interval?.upper) },
            ])
    }

    /// The steps as people want them: as wide as a page.
    var stepTable: ReportTable {
        ReportTable(
            "How many took each step, and how long it took them from the step before", of: steps,
            [
                .init("Step", "step") { .count($0.index) }, .init("Event", "name") { definition.row($0.index) },
                .init("Count", "count") { .count($0.count) }, .init("Of step 1", "of_first") { .share($0.ofFirst) },
                .init("95 %", "of_first_ci95") { $0.index == 1 ? .none : .interval(share(ofFirst: $0, in: steps).interval) },
                .init("Of step before", "of_previous") { $0.index == 1 ? .none : .share($0.ofPrevious) },
                .init("Lost", "dropped") { $0.index == 1 ? .none : .count($0.dropped) },
                .init("Median time", "from_previous_p50_ms") { $0.fromPrevious.map { .duration($0.p50) } ?? .none },
                .init("p90", "from_previous_p90_ms") { $0.fromPrevious.map { .duration($0.p90) } ?? .none },
            ])
    }

    /// One row a step, with as many of its columns as the width leaves room for.
    func stepLines(in table: TableReport) -> [String] {
        let names = steps.map { definition.anySteps($0.index) ?? name(of: definition.steps[$0.index - 1], table) }
        let counts = steps.map { table.number($0.count) }
        let drops = steps.map { $0.index == 1 ? "" : $0.dropped == 0 ? "0" : table.style.minus + table.number($0.dropped) }
        let shares = steps.map { step in
            let share = step.ofPrevious.map(NumberFormat.percent) ?? table.style.dash
            return step.index == 1 ? "" : "\(share) of step \(definition.requiredStep(before: step.index - 1) + 1)"
        }
        let medians = steps.map { $0.fromPrevious.map { "p50 \(NumberFormat.duration($0.p50))" } ?? "" }
        let times = zip(steps, medians).map { step, median -> String in
            let padded = TerminalText.padded(median, to: TerminalText.widest(medians))
            return step.fromPrevious.map { "\(padded)  p90 \(NumberFormat.duration($0.p90))" } ?? ""
        }
        let lost = drops.map { $0.isEmpty ? "" : TerminalText.rightAligned($0, in: TerminalText.widest(drops)) }
        let reserve = RowLayout.narrowestBar + 2
        return RowLayout(
            table: table, prefixes: steps.map { TerminalText.rightAligned(String($0.index), in: 2) + " " }, names: names, counts: counts,
            shares: steps.map(\.ofFirst),
            parts: [
                .init(name: "lost", texts: lost, gap: 2, paint: table.style.red),
                .init(name: "share of the step before", texts: shares, reserve: reserve),
                .init(name: "times", texts: times, reserve: reserve, paint: table.style.faint),
            ]
        ).lines()
    }

    private func name(of step: FunnelStep, _ table: TableReport) -> String {
        let filter = step.pattern.filter.map { "[\(table.shown($0, atMost: 40))]" } ?? ""
        return table.shown(step.pattern.title) + filter + (step.isOptional ? "?" : "")
    }

    func json(_ step: Step, _ defined: FunnelStep, in steps: [Step]) -> JSONObject {
        [
            "index": step.index, "name": defined.pattern.title, "count": step.count, "of_first": step.ofFirst,
            "of_previous": step.ofPrevious, "dropped": step.dropped, "from_previous_ms": step.fromPrevious, "from_first_ms": step.fromFirst,
            "of_first_ci95": share(ofFirst: step, in: steps).interval, "of_previous_ci95": share(ofPrevious: step, in: steps).interval,
        ]
    }
}

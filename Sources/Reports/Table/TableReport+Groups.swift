import Funnels

extension TableReport {
    /// A breakdown: one row a group, with the share of step 1 that reached each step as far as the width has room, and of the last.
    func groupLines(_ funnel: FunnelResult) -> [String] {
        guard let breakdown = funnel.definition.breakdown, !funnel.groups.isEmpty else { return [] }
        let last = funnel.definition.lastRequiredStep
        let between = funnel.steps.indices.dropFirst().filter { $0 != last }
        let title = shown(breakdown.description)
        let values = funnel.groups.map { shown($0.value, atMost: 40) }
        let counts = funnel.groups.map { number($0.steps[0].count) }
        let valueWidth = min(([title] + values).map(TerminalText.width(of:)).max() ?? 0, max((style.width ?? 80) - 30, 10))
        let countWidth = (["entered"] + counts).map(TerminalText.width(of:)).max() ?? 0
        let column = 9
        // The last step is the one that counts; the others come as far as there is room.
        let room = (style.width ?? .max / 2) - valueWidth - 2 - countWidth - (last > 0 ? column : 0)
        let shownSteps = Array(between.prefix(max(0, room / column))) + (last > 0 ? [last] : [])

        func row(_ value: String, _ count: String, _ cells: [String]) -> String {
            let name = TerminalText.padded(TerminalText.cut(value, to: valueWidth, ellipsis: style.ellipsis), to: valueWidth)
            return name + "  " + TerminalText.rightAligned(count, in: countWidth)
                + cells.map { TerminalText.rightAligned($0, in: column) }.joined()
        }
        let heading = row(title, "entered", shownSteps.map { $0 == last ? "overall" : "step \($0 + 1)" })
        let rows = funnel.groups.indices.map { place in
            row(
                values[place], counts[place],
                shownSteps.map { funnel.groups[place].steps[$0].ofFirst.map(NumberFormat.percent) ?? style.dash })
        }
        return [style.faint(heading)] + rows
    }
}

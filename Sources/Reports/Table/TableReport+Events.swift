public import Funnels

extension TableReport {
    public func text(of catalogue: EventCatalogue) -> String {
        let rows = catalogue.entries.map { entry in
            [
                shown(entry.name), number(entry.count), number(entry.users), DateFormat.second(entry.firstMilliseconds, in: style.zone),
                DateFormat.second(entry.lastMilliseconds, in: style.zone),
            ]
        }
        var lines = columns(
            ["event", "count", "users", "first seen (\(style.zone.name))", "last seen (\(style.zone.name))"], rows, rightAligned: [1, 2])
        if rows.isEmpty { lines = ["no events"] }
        let others = catalogue.metaLines + catalogue.timingLines
        if others > 0 {
            lines.append(
                "besides: \(NumberFormat.counted(catalogue.metaLines, "meta line")), "
                    + NumberFormat.counted(catalogue.timingLines, "timing line"))
        }
        lines += inputLines(catalogue.input, key: "user")
        return lines.map { $0 + "\n" }.joined()
    }

    /// Rows under a heading, two blanks between columns; too narrow a terminal loses columns from the right.
    func columns(_ heading: [String], _ rows: [[String]], rightAligned: Set<Int> = []) -> [String] {
        let widths = heading.indices.map { column in
            ([heading] + rows).map { TerminalText.width(of: $0[column]) }.max() ?? 0
        }
        var shown = heading.count
        func width(of columns: Int) -> Int { widths[..<columns].reduce(0, +) + (columns - 1) * 2 }
        while shown > 2, let limit = style.width, width(of: shown) > limit { shown -= 1 }
        func line(_ cells: [String]) -> String {
            var line = ""
            for column in 0..<shown {
                if column > 0 { line += "  " }
                let cell = cells[column]
                if rightAligned.contains(column) {
                    line += TerminalText.rightAligned(cell, in: widths[column])
                } else {
                    line += column + 1 == shown ? cell : TerminalText.padded(cell, to: widths[column])
                }
            }
            return line
        }
        return [style.bold(line(heading))] + rows.map(line)
    }
}

extension TableReport {
    /// The first column is not made narrower than this to save other columns.
    private static let narrowestNames = 20
    /// The text of the last column is not made narrower than this.
    private static let narrowestText = 16

    /// Rows under a heading, two blanks between columns. On a narrow terminal the first column is cut, then columns are left out
    /// from the right, and named in a last line; a text among them is cut instead if there is room for a part of it.
    ///
    /// - Parameters:
    ///   - cutsStart: whether the first column's texts are cut at their beginning, as paths are, which differ at their ends.
    ///   - grounds: a share for each cell that is shaded; empty where none is.
    func columns(
        _ heading: [String], _ rows: [[String]], rightAligned: Set<Int> = [], cutsStart: Bool = false, grounds: [[Double?]] = []
    ) -> [String] {
        var widths = heading.indices.map { column in TerminalText.widest(([heading] + rows).map { $0[column] }) }
        var shown = heading.count
        func width(of columns: Int) -> Int { widths[..<columns].reduce(0, +) + (columns - 1) * 2 }
        if let limit = style.width, let first = widths.first, width(of: shown) > limit {
            widths[0] = min(first, max(first - (width(of: shown) - limit), Self.narrowestNames))
            while shown > 2, width(of: shown) > limit { shown -= 1 }
            // Of a text at the right a part says more than nothing.
            let free = limit - width(of: shown) - 2
            if shown < heading.count, free >= Self.narrowestText, !rightAligned.contains(shown) {
                widths[shown] = min(widths[shown], free)
                shown += 1
            }
            // The first column takes back what left-out columns free, as far as it needs it.
            widths[0] = min(first, max(widths[0] + limit - width(of: shown), 4))
        }
        func line(_ cells: [String], _ grounds: [Double?] = []) -> String {
            var line = ""
            for column in 0..<shown {
                if column > 0 { line += "  " }
                var cell = cells[column]
                if column == 0 || column + 1 == shown {
                    let cut = cutsStart && column == 0 ? TerminalText.cutStart : TerminalText.cut
                    cell = cut(cell, widths[column], style.ellipsis)
                }
                if rightAligned.contains(column) {
                    let cell = TerminalText.rightAligned(cell, in: widths[column])
                    line += grounds.isEmpty ? cell : grounds[column].map { style.shaded(cell, by: $0) } ?? cell
                } else {
                    line += column + 1 == shown ? cell : TerminalText.padded(cell, to: widths[column])
                }
            }
            return TerminalText.trimmed(line)
        }
        let lines = rows.indices.map { line(rows[$0], grounds.isEmpty ? [] : grounds[$0]) }
        return [style.bold(line(heading))] + lines + notShown(heading[shown...])
    }

    /// The names of what the width left no room for, faint, in as many lines as they take; none where all is shown.
    func notShown(_ columns: some Sequence<String>) -> [String] {
        var names = columns.filter { !$0.isEmpty }
        if names.isEmpty { return [] }
        names[0] = "no room for: \(names[0])"
        let lines = style.flow(style.list(names))
        return lines.map { style.faint(TerminalText.cut($0, to: style.width ?? .max / 2, ellipsis: style.ellipsis)) }
    }
}

import Funnels

extension TableReport {
    public func text(of report: FunnelTrendReport) -> String {
        let definition = report.trend.definition
        let title = shown(definition.name ?? "Trend")
        var pieces: [(text: String, gap: String)] = [
            (title, ""), ("\(counted(report.entered, by: definition.key)),", "   "),
            ("every \(report.unit.rawValue) by \(report.zone.name),", " "),
            ("window \(DurationText.exact(definition.windowMilliseconds)) from step 1", " "),
        ]
        if let range = range(report.trend.input) { pieces.append((range, "     ")) }
        var lines = titled(style.flow(pieces), title)
        if report.periods.isEmpty {
            lines.append("Overall \(style.dash): nothing matched step 1")
        } else {
            lines += rows(report)
            let rate = report.entered == 0 ? nil : Double(report.converted) / Double(report.entered)
            lines.append("Overall \(rate.map(NumberFormat.percent) ?? style.dash)")
        }
        lines += inputLines(report.trend.input, key: shown(definition.key.description))
        return lines.map { $0 + "\n" }.joined()
    }

    private func rows(_ report: FunnelTrendReport) -> [String] {
        let heading = [report.unit.rawValue, "entered", "converted", "rate", "", "median", "open"]
        let widest = report.periods.lazy.compactMap { $0.point?.rate }.max() ?? 0
        let cells = report.periods.map { period -> [String] in
            let point = period.point
            return [
                report.label(period), number(point?.entered ?? 0), number(point?.converted ?? 0),
                point?.rate.map(NumberFormat.percent) ?? style.dash, "",
                point?.timeToConvert.map { NumberFormat.duration($0.p50) } ?? "",
                (point?.windowOpen).flatMap { $0 == 0 ? nil : number($0) } ?? "",
            ]
        }
        // The bars fill what the numbers leave.
        let bare = columns(heading, cells, rightAligned: [1, 2, 3, 5, 6]).map(TerminalText.width(of:)).max() ?? 0
        let bar = min(max((style.width ?? 100) - bare - 2, 0), 40)
        let drawn = zip(report.periods, cells).map { period, cells -> [String] in
            var cells = cells
            // The longest bar is the best period's: a trend shows by comparison.
            if bar >= 8, let rate = period.point?.rate, widest > 0 { cells[4] = style.bar(rate / widest, columns: bar) }
            return cells
        }
        return columns(heading, drawn, rightAligned: [1, 2, 3, 5, 6]).map { line in
            var line = line
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}

/// A report to paste into a pull request: tables, and under them the definition and the quality of the input.
public struct MarkdownReport: ReportFormat {
    /// The time zone in which times are shown.
    public let zone: TimeZoneRules

    public init(zone: TimeZoneRules = .utc) { self.zone = zone }

    public var name: String { "md" }
    public var fileExtensions: [String] { ["md", "markdown"] }

    public func bytes(of document: ReportDocument) -> [UInt8] {
        let sections = document.results.map(\.section)
        let matters = ReportMatter.all(of: sections).map { "**What matters**: \(MarkdownText.plain($0.title)): \(sentence($0.finding))" }
        let head = document.title.map { ["# \(MarkdownText.plain($0))"] + matters } ?? []
        return Array(((head + sections.flatMap(blocks)).joined(separator: "\n\n") + "\n").utf8)
    }

    private func blocks(of section: ReportSection) -> [String] {
        var blocks = ["## \(MarkdownText.plain(section.title))"]
        var facts = section.highlights.map { "\($0.label.lowercased()) **\(text($0.value, $0.shown(in: zone)))**" }
        if let first = facts.first { facts[0] = first.prefix(1).uppercased() + first.dropFirst() }
        if let period = section.period(in: zone) { facts.append(period) }
        if !facts.isEmpty { blocks.append(facts.joined(separator: " · ")) }
        for (index, figure) in section.figures.enumerated() { blocks += self.blocks(of: figure, isFirst: index == 0) }
        if !section.remarks.isEmpty { blocks.append(section.remarks.map(MarkdownText.words).joined(separator: " ")) }
        blocks += section.findings.map(sentence)
        if !section.definition.isEmpty { blocks.append("**Definition** · " + line(section.definition)) }
        if !section.quality.isEmpty { blocks.append("**Input** · " + line(section.quality)) }
        return blocks
    }

    private func sentence(_ finding: ReportFinding) -> String {
        (finding.subject.map { MarkdownText.code($0) + " " } ?? "") + MarkdownText.words(TerminalText.visible(finding.words))
    }

    private func line(_ facts: [ReportFact]) -> String {
        facts.map { fact in
            let text = text(fact.value, fact.shown(in: zone))
            return "\(fact.label.prefix(1).lowercased() + fact.label.dropFirst()): \(fact.isAlarm ? "**\(text)**" : text)"
        }.joined(separator: " · ")
    }

    private func blocks(of figure: ReportFigure, isFirst: Bool) -> [String] {
        let table = table(figure)
        if isFirst { return [table] }
        // Many rows that few want: folded away, as far as the reader's program can.
        if figure.chart?.hasLongTable == true {
            return ["<details><summary>\(MarkdownText.words(figure.title))</summary>", table, "</details>"]
        }
        return ["### \(MarkdownText.words(figure.title))", table]
    }

    private func table(_ figure: ReportFigure) -> String {
        let table = figure.table
        let columns = table.shownColumns(for: .page)
        if table.rows.isEmpty { return "None." }
        let bars = figure.chart?.rowShares?.map { TextStyle().bar($0, columns: 16) }
        var heading = columns.map { MarkdownText.words(table.heading($0, in: zone)) }
        var rule = columns.map { table.isNumeric($0) ? "---:" : ":---" }
        var rows = table.rows.map { row in columns.map { text(row[$0]) } }
        if let bars, bars.count == rows.count {
            // The bars repeat a column of shares; they need no heading.
            heading.append("")
            rule.append(":---")
            for index in rows.indices { rows[index].append(bars[index]) }
        }
        return ([heading, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    private func text(_ value: ReportValue, _ shown: String? = nil) -> String {
        if case .data(let text) = value { MarkdownText.code(text) } else { MarkdownText.words(shown ?? value.shown(in: zone)) }
    }
}

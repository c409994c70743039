import Basics
import Funnels

/// Reports for people: aligned columns, bars, numbers in words.
///
/// Several results stand one below the other, a blank line between them.
public struct TableReport: ReportFormat {
    /// What the terminal can show.
    public let style: TextStyle

    public init(_ style: TextStyle = TextStyle()) { self.style = style }

    public var name: String { "table" }
    public var fileExtensions: [String] { ["txt"] }

    public func bytes(of document: ReportDocument) -> [UInt8] {
        var parts = document.results.map { $0.lines(in: self) }
        let matters = ReportMatter.all(of: document.results.map(\.section))
        // Several results, or a single funnel, begin with what matters. Any other single result has its sentences below it.
        if !matters.isEmpty, document.title != nil || document.results.first?.section.kind == "funnel" {
            let lines = matters.flatMap { matter in
                words(of: matter.finding, behind: "What matters: " + (document.title == nil ? "" : shown(matter.title, atMost: 40) + ": "))
            }
            parts.insert(lines, at: 0)
        }
        if let title = document.title { parts.insert([style.bold(shown(title, atMost: style.width ?? 200))], at: 0) }
        return parts.joined(separator: [""]).flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
    }

    /// A finding in words. Lines may break between the words of its subject, so each word is isolated by itself.
    func words(of finding: ReportFinding, behind head: String = "") -> [String] {
        let subject = (finding.subject ?? "").split(separator: " ").prefix(40).map { shown(String($0), atMost: 40) }
        let words = shown(finding.words, atMost: 1000).replacing("−", with: style.minus).split(separator: " ").map(String.init)
        return style.flow((head.split(separator: " ").map(String.init) + subject + words).map { ($0, " ") })
    }

    /// A text from data, fit for the terminal and no wider than `columns`; one that runs from right to left turns nothing beside it.
    func shown(_ text: String, atMost columns: Int = 60) -> String {
        style.isolated(TerminalText.cut(TerminalText.visible(text), to: columns, ellipsis: style.ellipsis))
    }

    /// A path, fit for the terminal. A long one loses its beginning: paths differ at their ends.
    func shown(path: String, atMost columns: Int) -> String {
        style.isolated(TerminalText.cutStart(TerminalText.visible(path), to: columns, ellipsis: style.ellipsis))
    }

    /// A table of a section, its headings in small letters; columns without any value are left out.
    ///
    /// - Parameters:
    ///   - none: what stands in its place if it has no rows.
    ///   - most: how many rows are shown; the rest is counted.
    ///   - shadesShares: whether shares are shaded where there are colours, larger ones more strongly.
    func lines(of table: ReportTable, none: String, atMost most: Int = .max, shadesShares: Bool = false) -> [String] {
        if table.rows.isEmpty { return [none] }
        let shown = table.shownColumns(for: .terminal).filter { column in table.rows.contains { $0[column] != .none } }
        let isPath = shown.first.map { table.columns[$0].key == "path" } ?? false
        let rows = table.rows.prefix(most).map { row in shown.map { self.shown(row[$0], isPath: isPath && $0 == shown[0]) } }
        let heading = shown.map { table.columns[$0].title.lowercased() + (table.holdsTimes($0) ? " (\(style.zone.name))" : "") }
        let right = shown.indices.filter { table.isNumeric(shown[$0]) || $0 > 0 && table.holdsFigures(shown[$0]) }
        let rest = table.rows.count - rows.count
        let grounds = shadesShares && style.isColoured ? table.rows.prefix(most).map { row in shown.map { row[$0].shareOfAll } } : []
        return columns(heading, rows, rightAligned: Set(right), cutsStart: isPath, grounds: grounds)
            + (rest > 0 ? ["and \(GroupedNumber.counted(rest, "more row"))"] : [])
    }

    private func shown(_ value: ReportValue, isPath: Bool) -> String {
        switch value {
        case .data(let text): isPath ? shown(path: text, atMost: 80) : shown(text, atMost: 120)
        case .moment(let milliseconds): milliseconds.map { DateFormat.second($0, in: style.zone) } ?? style.dash
        default: style.written(value.shown(in: style.zone))
        }
    }

    /// Looptrail's own words, broken where the terminal ends.
    func words(_ words: String) -> [String] { style.flow(style.written(words).split(separator: " ").map { (String($0), " ") }) }

    func number(_ number: Int) -> String { NumberFormat.count(Int64(number), minus: style.minus) }

    /// `1 user`, `5 by props.plan`.
    func counted(_ count: Int, by key: FunnelKey) -> String {
        key.isProperty ? "\(number(count)) by \(shown(key.description))" : GroupedNumber.counted(count, key.description)
    }

    /// The first lines of a result: its title in bold, what it is of, and the days of the data. A part may break where it has `\n`.
    func heading(_ title: String, _ parts: [String?], _ input: InputQuality) -> [String] {
        let words = style.list(parts.compactMap(\.self)).flatMap { part in
            part.text.split(separator: "\n").map { (text: String($0), gap: part.gap) }
        }
        var pieces = [(title, "")] + words
        if pieces.count > 1 { pieces[1].1 = "   " }
        if let first = input.firstMilliseconds, let last = input.lastMilliseconds {
            let days = [first, last].map { DateFormat.day($0, in: style.zone) }
            pieces.append(("\(days[0]) \(style.dash) \(days[1]) \(style.zone.name)", "     "))
        }
        return flow(pieces)
    }

    func overall(_ share: String, _ words: [String?]) -> [String] {
        style.flow([("Overall \(share)", "")] + words.compactMap(\.self).map { ("\(style.dot) \($0)", " ") })
    }

    /// Pieces as ``TextStyle/flow(_:)`` sets them, the first in bold.
    func flow(_ pieces: [(text: String, gap: String)]) -> [String] {
        guard let title = pieces.first?.text else { return [] }
        let lines = style.flow(pieces)
        return lines.prefix(1).map { style.bold(title) + $0.dropFirst(title.count) } + lines.dropFirst()
    }
}

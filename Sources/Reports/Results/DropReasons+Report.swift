import Basics
public import Funnels

extension DropReasons: Reportable {
    public var section: ReportSection {
        ReportSection(
            kind: "explain", title: definition.name ?? "Why keys did not convert", period: input.period,
            highlights: [
                ReportFact("Entered", .count(entered)), ReportFact("Converted", .count(converted)), ReportFact("Asked", .count(asked)),
            ], remarks: [sentence] + (isSampled ? ["Of those that did not convert a sample was asked, chosen by hash."] : []),
            makeRecords: { table }, makeFigures: { [ReportFigure(title: "What keeps them from converting", table: table)] },
            definition: definition.facts, quality: input.facts(key: definition.key.words))
    }

    private var isSampled: Bool { asked < entered - converted }

    /// `412 late at step 2, by 2h in the median; 90 never had step 3. 12 of them still have time; --mature counts only …`
    private var sentence: String {
        if asked == 0 { return entered == 0 ? "Nobody entered." : "Everybody who entered converted." }
        let rest = unsearched == 0 ? [] : ["\(NumberFormat.count(unsearched)) not searched to the end, with too many events"]
        let parts = counts.prefix(3).map { "\(NumberFormat.count($0.count)) \($0.words)" } + rest
        let advice = "of them still have time; --mature counts only starts whose time is over."
        let open = windowOpen == 0 ? "" : " \(NumberFormat.count(windowOpen)) \(advice)"
        return (parts.isEmpty ? "No change of single events makes them convert." : parts.joined(separator: "; ") + ".") + open
    }

    private var table: ReportTable {
        ReportTable(
            "How many one change would make convert, by its kind and step", of: counts,
            [
                .init("Verdict", "kind") { .words($0.kind?.rawValue ?? "several") }, .init("Step", "step") { .count($0.step) },
                .init("Event", "name") { .data(definition.steps[$0.step - 1].pattern.title) }, .init("Count", "count") { .count($0.count) },
                .init("Share", "share") { .share(Double($0.count) / Double(asked)) },
                .init("By, p50", "by_p50_ms") { .duration($0.medianMilliseconds) },
                .init("In words", "words", for: .page) { .words($0.words) },
            ])
    }

    public func lines(in table: TableReport) -> [String] {
        let parts = [
            "\(NumberFormat.count(asked)) of \(table.counted(entered - converted, by: definition.key)) that entered and did not convert",
            definition.windowWords,
        ]
        let limits = definition.modes(in: table) + definition.limits(in: table)
        return table.heading(table.shown(definition.name ?? "Why not"), parts + limits, input)
            + (counts.isEmpty ? [] : table.lines(of: self.table, none: ""))
            + table.flow(sentence.split(separator: " ").map { (String($0), " ") })
            + table.inputLines(input, key: table.shown(definition.key.description))
    }

    public func text(in json: JSONReport) -> String {
        let verdicts = JSONRows(counts) {
            ["kind": $0.kind?.rawValue ?? "several", "step": $0.step, "count": $0.count, "by_ms_p50": $0.medianMilliseconds]
        }
        return json.document(
            definition.json(), ["entered": entered, "converted": converted, "asked": asked, "unsearched": unsearched],
            ["window_open": windowOpen, "verdicts": verdicts], input.json)
    }
}

extension DropReasons.Count {
    /// What follows the number in a sentence.
    fileprivate var words: String {
        let shift = medianMilliseconds.map { ", by \(NumberFormat.duration($0)) in the median" } ?? ""
        return switch kind {
        case .range: "began outside the range of starts\(shift)"
        case .alias: "went on under another id that was never identified"
        case .filter: "had another property at step \(step)"
        case .excluded: "were ended by an exclusion before step \(step)"
        case .interrupted: "had another event before step \(step)"
        case .late: "late at step \(step)\(shift)"
        case .order: "had step \(step) too early\(shift)"
        case .missing: "never had step \(step)"
        case nil: "lack step \(step) and more"
        }
    }
}

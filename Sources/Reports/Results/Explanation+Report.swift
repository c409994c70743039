import Basics
public import Funnels

extension Explanation: Reportable {
    public var section: ReportSection {
        let sentence = sentence { BidiText.isolated(TerminalText.visible($0)) }
        let attempt = chain.isEmpty ? [] : [ReportFigure(title: "The best attempt", table: chainTable)]
        let changes = converted && !chain.isEmpty ? [] : [ReportFigure(title: "What has to change", table: editTable)]
        return ReportSection(
            kind: "explain", title: definition.name ?? "Explanation", period: input.period,
            highlights: [
                ReportFact("Key", .data(key)), ReportFact("Converted", .flag(converted)),
                ReportFact("Step reached", .words("\(reached) of \(definition.steps.count)")), ReportFact("Changes", .count(edits.count)),
            ], remarks: [sentence], makeRecords: { editTable }, makeFigures: { attempt + changes }, definition: definition.facts,
            quality: input.facts(key: definition.key.words))
    }

    private var chainTable: ReportTable {
        ReportTable(
            "The events of the attempt that counts", of: chain,
            [
                .init("Step", "step") { .count($0.step) }, .init("Event", "name") { .data($0.event.name) },
                .init("Time", "time") { .moment($0.event.timeMilliseconds) }, .init("Id", "id") { .data($0.event.id) },
            ])
    }

    private var editTable: ReportTable {
        func moment(_ time: Int64?) -> ReportValue { time.map { .moment($0) } ?? .none }
        return ReportTable(
            "With these changes the funnel counts the key as converted", of: edits.map(\.row),
            [
                .init("Change", "do") { .words($0.word) }, .init("Event", "name") { .data($0.name) },
                .init("Time", "time") { moment($0.time) }, .init("To", "to_time") { moment($0.to) },
                .init("Step", "step") { .count($0.step) }, .init("Property", "path") { .data($0.path) },
                .init("Was", "was") { .data($0.was) }, .init("To", "to") { .data($0.value) }, .init("Id", "id") { .data($0.id) },
            ])
    }

    /// Why, in words; `shown` makes a text from data fit to be shown.
    func sentence(in zone: TimeZoneRules = .utc, _ shown: (String) -> String) -> String {
        func time(_ milliseconds: Int64) -> String { DateFormat.exact(milliseconds, in: zone) + (zone.name == "UTC" ? " UTC" : "") }
        let steps = definition.steps
        func step(_ number: Int) -> String { shown(steps[number - 1].pattern.title) }
        if !hasEvents { return "\(shown(key)) has no event of these steps." }
        let last = chain.last.map { ", \(shown($0.event.name)) at \(time($0.event.timeMilliseconds))," } ?? ""
        if converted { return "\(shown(key)) converted: it reached step \(reached) of \(steps.count)\(last.dropLast())." }
        let head = reached == 0 ? "\(shown(key)) reached no step" : "\(shown(key)) reached step \(reached) of \(steps.count)\(last)"
        let open = openMilliseconds.map { " It still has \(NumberFormat.duration(Double($0)))." } ?? ""
        if let events = unsearchedEvents.map({ NumberFormat.count($0) }) {
            return "\(head) and did not convert. The search for the reason ended early, because of \(events) events.\(open)"
        }
        guard !edits.isEmpty else { return "\(head) and did not convert: no change of single events makes it convert.\(open)" }
        let reasons = edits.map { reason($0, time, step, shown) }
        return "\(head) and did not convert: \(reasons.joined(separator: "; ")).\(open)"
    }

    private func reason(_ edit: Edit, _ time: (Int64) -> String, _ step: (Int) -> String, _ shown: (String) -> String) -> String {
        let shift = (verdict?.byMilliseconds).map { NumberFormat.duration(Double($0)) } ?? ""
        switch edit {
        case .range:
            let isEarly = definition.since.map { since in chain.first.map { $0.event.timeMilliseconds < since } ?? true } ?? false
            return "its attempt began \(shift.isEmpty ? "" : "\(shift) ")\(isEarly ? "before" : "outside") the range of starts"
        case .join(let alias): return "\(shown(alias)) has what is lacking, was in the same session, and was never identified"
        case .set(let event, let path, let was, let to):
            let wanted = verdict?.wanted ?? "=\(to)"
            let had = was.map { "\(shown(path)) \(shown($0))" } ?? "no \(shown(path))"
            return "\(shown(event.name)) had \(had), not \(shown(wanted))"
        case .remove(let event): return "\(shown(event.name)) came between, at \(time(event.timeMilliseconds))"
        case .move(let event, let to):
            if verdict?.kind == .late {
                let isWindow = chain.first.map { to == $0.event.timeMilliseconds.addingClamped(definition.windowMilliseconds) } ?? false
                let late = isWindow ? "after the window ended" : "too late: \(time(to)) would have counted"
                return "\(shown(event.name)) came at \(time(event.timeMilliseconds)), \(shift) \(late)"
            }
            let (name, moved) = (shown(event.name), verdict?.step ?? 1)
            // In order and without exclusions, nothing but a window asks an event of the attempt to come later.
            if moved <= reached && definition.order == .ordered && definition.exclusions.isEmpty {
                return "the steps after \(step(reached)) came too late\(moved < reached ? " for \(name)" : ""), by \(shift)"
            }
            let isBefore = chain.last.map { event.timeMilliseconds < $0.event.timeMilliseconds } ?? true
            if moved <= reached || !isBefore || !definition.order.numbersSteps {
                return "\(name) came \(shift) too early: \(time(to)) would have counted"
            }
            return "\(name) came before \(reached > 0 ? step(reached) : "the range of starts"), by \(shift)"
        case .add(let number, let name, _):
            let pattern = definition.steps[number - 1].pattern
            if pattern.names == .any && pattern.filter == nil { return "it had no further event in time" }
            if hadSteps >> UInt32(number - 1) & 1 == 1 {
                if edits.count == 1, let last = chain.last { return "\(step(number)) did not come after \(step(last.step)) in time" }
                return "\(step(number)) did not come where it was needed"
            }
            return "it never had \(shown(pattern.filter == nil ? name : pattern.description))"
        }
    }

    public func lines(in table: TableReport) -> [String] {
        // No line breaks in a text from data, so that words that run from right to left stay in one isolate.
        let most = min(60, max((table.style.width ?? 60) - 4, 8))
        let sentence = sentence(in: table.style.zone) { table.shown($0, atMost: most).replacing(" ", with: "\u{A0}") }
        var lines = table.flow(sentence.split(separator: " ").map { (String($0).replacing("\u{A0}", with: " "), " ") })
        if !chain.isEmpty { lines += table.lines(of: chainTable, none: "") }
        if edits.count > 1 { lines += table.lines(of: editTable, none: "") }
        return lines + table.inputLines(input, key: table.shown(definition.key.description))
    }

    public func text(in json: JSONReport) -> String {
        let chain = JSONRows(chain) { ["step": $0.step, "name": $0.event.name, "id": $0.event.id, "t_ms": $0.event.timeMilliseconds] }
        let row = if case .set? = edits.first { edits.first?.row } else { Explanation.Edit.Row?.none }
        let verdict: JSONObject? = verdict.map {
            ["kind": $0.kind.rawValue, "step": $0.step, "by_ms": $0.byMilliseconds, "path": row?.path, "was": row?.was]
        }
        return json.document(
            definition.json(), ["key": key, "converted": converted, "reached": reached, "several": edits.count > 1],
            ["open_ms": openMilliseconds, "unsearched_events": unsearchedEvents, "verdict": verdict], ["edits": JSONRows(edits, \.json)],
            ["sentence": self.sentence { $0 }], ["chain": chain], input.json)
    }
}

extension Explanation.Edit {
    fileprivate typealias Row = (
        word: String, name: String?, time: Int64?, to: Int64?, step: Int?, path: String?, was: String?, value: String?, id: String?
    )

    fileprivate var row: Row {
        switch self {
        case .range: ("range", nil, nil, nil, nil, nil, nil, nil, nil)
        case .join(let alias): ("join", nil, nil, nil, nil, "alias", nil, alias, nil)
        case .set(let event, let path, let was, let to): ("set", event.name, event.timeMilliseconds, nil, nil, path, was, to, event.id)
        case .remove(let event): ("remove", event.name, event.timeMilliseconds, nil, nil, nil, nil, nil, event.id)
        case .move(let event, let to): ("move", event.name, event.timeMilliseconds, to, nil, nil, nil, nil, event.id)
        case .add(let step, let name, let time): ("add", name, time, nil, step, nil, nil, nil, nil)
        }
    }

    fileprivate var json: JSONObject {
        let head: JSONObject = ["do": row.word]
        return switch self {
        case .range: head
        case .join(let alias): head + ["alias": alias]
        case .set(let event, let path, let was, let to): head + event.mark + ["path": path, "was": was, "to": to]
        case .remove(let event): head + event.mark
        case .move(let event, let to): head + event.mark + (event.id == nil ? [:] : ["t_ms": event.timeMilliseconds]) + ["to_ms": to]
        case .add(let step, let name, let time): head + ["step": step, "name": name, "t_ms": time]
        }
    }
}

extension Explanation.Event {
    /// The fields that find it in the data: its id, or its time and name where it has none.
    fileprivate var mark: JSONObject { id.map { ["id": $0] } ?? ["t_ms": timeMilliseconds, "name": name] }
}

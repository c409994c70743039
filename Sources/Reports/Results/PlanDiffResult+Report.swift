import Basics
public import Funnels
public import TrackingPlans

/// What changed between two tracking plans, and which saved funnels that breaks.
public struct PlanDiffResult: Sendable, Hashable {
    /// The plans' names.
    public let old: String
    public let new: String
    public let diff: PlanDiff
    public let impacts: [PlanImpact]

    /// - Parameter funnels: the saved funnels that are to go on matching.
    public init(from old: TrackingPlan, to new: TrackingPlan, funnels: [WrittenFunnel] = []) {
        self.old = Self.title(old)
        self.new = Self.title(new)
        diff = PlanDiff(from: old, to: new)
        impacts = PlanImpact.all(from: old, to: new, on: funnels)
    }

    private static func title(_ plan: TrackingPlan) -> String { plan.version.map { "\(plan.name) \($0)" } ?? plan.name }

    /// Whether a count over files of both plans may change.
    public var isBreaking: Bool { diff.isBreaking || !impacts.isEmpty }
}

extension PlanDiffResult: Reportable {
    public var section: ReportSection {
        let breaking = diff.changes.filter(\.isBreaking).count
        var figures = [ReportFigure("Changes", table: changes)]
        if !diff.renames.isEmpty { figures.append(ReportFigure("Perhaps renamed", table: renames)) }
        if !impacts.isEmpty { figures.append(ReportFigure("Funnels that no longer match", table: broken)) }
        return ReportSection(
            kind: "plan_diff", title: "\(old) → \(new)",
            highlights: [
                ReportFact("Changes", .count(diff.changes.count)), ReportFact("Breaking", .count(breaking), isAlarm: breaking > 0),
                ReportFact("Places in funnels", .count(impacts.count), isAlarm: !impacts.isEmpty),
            ], remarks: diff.changes.isEmpty ? ["The plans do not differ in what events carry."] : [], records: records, figures: figures,
            quality: [])
    }

    /// One row for each change, rename and broken part of a funnel.
    private var records: ReportTable {
        let columns: [ReportTable.Column] = [
            .init("Change", key: "change"), .init("Event", key: "event"), .init("Place", key: "place"), .init("Property", key: "property"),
            .init("What", key: "what"), .init("Breaks", key: "breaking"), .init("Funnel", key: "funnel"), .init("In", key: "part"),
            .init("Step", key: "step"), .init("Column", key: "column"), .init("Text", key: "text"),
        ]
        let changed = diff.changes.map { change in
            [
                .words(change.kind.rawValue), .data(change.event), change.place.map { .words($0) } ?? .none, .data(change.property),
                .data(change.what), .flag(change.isBreaking),
            ] + Array(repeating: ReportValue.none, count: 5)
        }
        let renamed = diff.renames.map { rename in
            [.words("renamed"), .data(rename.old), .none, .none, .data("perhaps renamed to `\(rename.new)`"), .flag(false)]
                + Array(repeating: ReportValue.none, count: 5)
        }
        let broken: [[ReportValue]] = impacts.map { impact in
            [
                .words("funnel"), .none, .none, .none, .data(impact.reason), .flag(true), .data(impact.funnel), .words(impact.part.words),
                .count(impact.step), .count(impact.column), .data(impact.text),
            ]
        }
        return ReportTable("What changed, and what of it breaks", columns: columns, rows: changed + renamed + broken)
    }

    private var changes: ReportTable {
        ReportTable(
            "What changed",
            columns: [
                .init("Change", key: "change"), .init("Of", key: "event"), .init("Property", key: "property"), .init("What", key: "what"),
                .init("Breaks", key: "breaking"),
            ],
            rows: diff.changes.map { change in
                [
                    .words(change.kind.rawValue), change.event.map { .data($0) } ?? .words(change.anyPlace),
                    .data(change.property), .data(change.what), .flag(change.isBreaking),
                ]
            })
    }

    private var renames: ReportTable {
        ReportTable(
            "A removed and an added event with the same properties", columns: [.init("Old", key: "old"), .init("New", key: "new")],
            rows: diff.renames.map { [.data($0.old), .data($0.new)] })
    }

    private var broken: ReportTable {
        ReportTable(
            "Where a funnel no longer matches",
            columns: [
                .init("Funnel", key: "funnel"), .init("In", key: "part"), .init("Step", key: "step"), .init("Column", key: "column"),
                .init("Text", key: "text"), .init("Why", key: "why"),
            ],
            rows: impacts.map { impact in
                [
                    .data(impact.funnel), .words(impact.part.words), .count(impact.step), .count(impact.column),
                    .data(impact.text), .data(impact.reason),
                ]
            })
    }

    public func lines(in table: TableReport) -> [String] {
        let arrow = table.style.isASCII ? "->" : "→"
        let breaking = diff.changes.filter(\.isBreaking).count
        // "0 breaking" alone would deny what the funnels below say.
        let breaks = [
            breaking > 0 || impacts.isEmpty ? "\(breaking) breaking" : nil,
            impacts.isEmpty ? nil : "\(GroupedNumber.counted(impacts.count, "place")) in saved funnels broken",
        ]
        let counts = [GroupedNumber.counted(diff.changes.count, "change")] + breaks.compactMap(\.self)
        var lines = ["\(table.shown(old)) \(arrow) \(table.shown(new)): \(counts.joined(separator: ", "))"]
        func shown(_ text: String) -> String { table.shown(table.style.isASCII ? text.replacing("→", with: "->") : text, atMost: 120) }
        for change in diff.changes {
            let subject = [change.event ?? change.place, change.property].compactMap(\.self).joined(separator: ".")
            lines.append("  \(change.isBreaking ? "breaks " : "       ") \(table.shown(subject, atMost: 80)): \(shown(change.what))")
        }
        for rename in diff.renames { lines.append("perhaps renamed: \(table.shown(rename.old)) \(arrow) \(table.shown(rename.new))") }
        for (impact, steps) in bySteps {
            let step = steps.isEmpty ? "" : ", step\(steps.count > 1 ? "s" : "") \(steps.map(String.init).joined(separator: ", "))"
            lines.append(
                "funnel \(table.shown(impact.funnel))\(step), column \(impact.column) of its \(impact.part.words): "
                    + "\(table.shown(impact.text, atMost: 80)) no longer matches, as \(shown(impact.reason))")
        }
        return lines
    }

    /// Each broken part of a funnel once, with the steps it breaks: a breakdown breaks all steps at once.
    private var bySteps: [(impact: PlanImpact, steps: [Int])] {
        var broken: [(impact: PlanImpact, steps: [Int])] = []
        for impact in impacts {
            if let last = broken.last, last.impact.isSamePart(as: impact) {
                broken[broken.count - 1].steps += impact.step.map { [$0] } ?? []
            } else {
                broken.append((impact, impact.step.map { [$0] } ?? []))
            }
        }
        return broken
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            writer.line(["old": old, "new": new, "breaking": isBreaking])
            writer.line([
                "changes": JSONRows(diff.changes) {
                    [
                        "kind": $0.kind.rawValue, "event": $0.event, "place": $0.place, "property": $0.property, "what": $0.what,
                        "breaking": $0.isBreaking,
                    ]
                }
            ])
            writer.line(["renames": JSONRows(diff.renames) { ["old": $0.old, "new": $0.new] }])
            writer.line([
                "funnels": JSONRows(impacts) {
                    ["funnel": $0.funnel, "part": $0.part.words, "step": $0.step, "column": $0.column, "text": $0.text, "why": $0.reason]
                }
            ])
        }
    }
}

extension PlanDiff.Change {
    /// Where the property of no single event stands, in words.
    fileprivate var anyPlace: String { place == "session" ? "a session" : "any event" }
}

extension PlanImpact {
    fileprivate func isSamePart(as other: PlanImpact) -> Bool {
        funnel.isExactly(other.funnel) && part == other.part && column == other.column && text.isExactly(other.text)
            && reason.isExactly(other.reason)
    }
}

extension PlanImpact.Part {
    /// The key of the saved funnel.
    fileprivate var words: String {
        switch self {
        case .steps: "steps"
        case .exclusion(let number): "exclude \(number)"
        case .breakdown: "breakdown"
        case .hold: "hold"
        case .key: "by"
        }
    }
}

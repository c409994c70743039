import Basics
public import Funnels
public import PlanAuthoring
public import TrackingPlans

/// What changed between two tracking plans, and which saved funnels that breaks.
public struct PlanDiffResult: Sendable, Hashable, Reportable {
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

    public var section: ReportSection {
        let breaking = diff.changes.filter(\.isBreaking).count
        let others = [("Perhaps renamed", renames), ("Funnels that no longer match", broken)].filter { !$1.rows.isEmpty }
        return ReportSection(
            kind: "plan_diff", title: "\(old) → \(new)",
            highlights: [
                ReportFact("Changes", .count(diff.changes.count)), ReportFact("Breaking", .count(breaking), isAlarm: breaking > 0),
                ReportFact("Places in funnels", .count(impacts.count), isAlarm: !impacts.isEmpty),
            ], remarks: diff.changes.isEmpty ? ["The plans do not differ in what events carry."] : [], makeRecords: { records },
            makeFigures: { [ReportFigure(title: "Changes", table: changes)] + others.map { ReportFigure(title: $0, table: $1) } },
            quality: [])
    }

    /// One row for each change, rename and broken part of a funnel.
    private var records: ReportTable {
        typealias Record = (
            change: String, event: String?, scope: String?, property: String?, what: String, isBreaking: Bool, impact: PlanImpact?
        )
        let changed = diff.changes.map { Record($0.kind.rawValue, $0.event, $0.place, $0.property, $0.what, $0.isBreaking, nil) }
        let renamed = diff.renames.map { Record("renamed", $0.old, nil, nil, "perhaps renamed to `\($0.new)`", false, nil) }
        let broken = impacts.map { Record("funnel", nil, nil, nil, $0.reason, true, $0) }
        return ReportTable(
            "What changed, and what of it breaks", of: changed + renamed + broken,
            [
                .init("change") { .words($0.change) }, .init("event") { .data($0.event) }, .init("place") { .words($0.scope) },
                .init("property") { .data($0.property) }, .init("what") { .data($0.what) }, .init("breaking") { .flag($0.isBreaking) },
                .init("funnel") { .data($0.impact?.funnel) }, .init("part") { .words($0.impact?.part.words) },
                .init("step") { .count($0.impact?.step) }, .init("column") { .count($0.impact?.column) },
                .init("text") { .data($0.impact?.text) },
            ])
    }

    private var changes: ReportTable {
        ReportTable(
            "What changed", of: diff.changes,
            [
                .init("Change", "kind") { .words($0.kind.rawValue) }, .init("event", for: []) { .data($0.event) },
                .init("place", for: []) { .words($0.place) },
                .init("Of", "of") { $0.event.map { .data($0) } ?? .words($0.place == "session" ? "a session" : "any event") },
                .init("Property", "property") { .data($0.property) }, .init("What", "what") { .data($0.what) },
                .init("Breaks", "breaking") { .flag($0.isBreaking) },
            ])
    }

    private var renames: ReportTable {
        ReportTable(
            "A removed and an added event with the same properties", of: diff.renames,
            [.init("Old", "old") { .data($0.old) }, .init("New", "new") { .data($0.new) }])
    }

    private var broken: ReportTable {
        ReportTable(
            "Where a funnel no longer matches", of: impacts,
            [
                .init("Funnel", "funnel") { .data($0.funnel) }, .init("In", "part") { .words($0.part.words) },
                .init("Step", "step") { .count($0.step) }, .init("Column", "column") { .count($0.column) },
                .init("Text", "text") { .data($0.text) }, .init("Why", "why") { .data($0.reason) },
            ])
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
        func shown(_ text: String) -> String { table.shown(table.style.isASCII ? text.replacing("→", with: "->") : text, atMost: 120) }
        let changes = diff.changes.map { change in
            let subject = [change.event ?? change.place, change.property].compactMap(\.self).joined(separator: ".")
            return "  \(change.isBreaking ? "breaks " : "       ") \(table.shown(subject, atMost: 80)): \(shown(change.what))"
        }
        let renames = diff.renames.map { "perhaps renamed: \(table.shown($0.old)) \(arrow) \(table.shown($0.new))" }
        let broken = bySteps.map { impact, steps in
            let step = steps.isEmpty ? "" : ", step\(steps.count > 1 ? "s" : "") \(steps.map(String.init).joined(separator: ", "))"
            return "funnel \(table.shown(impact.funnel))\(step), column \(impact.column) of its \(impact.part.words): "
                + "\(table.shown(impact.text, atMost: 80)) no longer matches, as \(shown(impact.reason))"
        }
        return ["\(table.shown(old)) \(arrow) \(table.shown(new)): \(counts.joined(separator: ", "))"] + changes + renames + broken
    }

    /// Each broken part of a funnel once, with the steps that it breaks: a breakdown may break all steps at once.
    private var bySteps: [(impact: PlanImpact, steps: [Int])] {
        var broken: [(impact: PlanImpact, steps: [Int])] = []
        for impact in impacts {
            if let last = broken.last?.impact, last.funnel.isExactly(impact.funnel), last.part == impact.part, last.column == impact.column,
                last.text.isExactly(impact.text), last.reason.isExactly(impact.reason)
            {
                broken[broken.count - 1].steps += impact.step.map { [$0] } ?? []
            } else {
                broken.append((impact, impact.step.map { [$0] } ?? []))
            }
        }
        return broken
    }

    public func text(in json: JSONReport) -> String {
        let changes = JSONRows(changes, ["kind", "event", "place", "property", "what", "breaking"])
        return json.document(
            ["old": old, "new": new, "breaking": isBreaking], ["changes": changes], ["renames": JSONRows(renames)],
            ["funnels": JSONRows(broken)])
    }
}

extension PlanImpact.Part {
    /// The part's key in the file of saved funnels.
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

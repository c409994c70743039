import Basics
public import Funnels
import TrackingPlans

extension PlanCheckResult: Reportable {
    public var section: ReportSection {
        let places: [ReportTable.Field<Violation>] = [
            .init("First in file", "file", for: []) { .data($0.file) }, .init("Line", "line", for: []) { .count($0.line) },
        ]
        let records = table(at: places, \.example) { $0.versions.map { "\($0.name): \($0.count)" }.joined(separator: ", ") }
        return ReportSection(
            kind: "plan_check", title: plan, period: input.period,
            highlights: [ReportFact("Differences", .count(violations.count), isAlarm: !isClean)],
            remarks: violations.isEmpty ? ["Every event is as the plan has it."] : [], makeRecords: { records },
            makeFigures: { [ReportFigure(title: "Differences", table: shownTable)] }, definition: range.facts(of: "Events") + cohort.facts,
            quality: input.facts(key: "user"))
    }

    private var shownTable: ReportTable {
        table(at: [.init("First at", "place") { .data("\($0.file):\($0.line)") }], example(of:), versions)
    }

    /// `"10"` where a number was expected: without quotes nobody would see what is wrong with it.
    private func example(of violation: Violation) -> String? {
        violation.kind == .wrongType && violation.isString ? violation.example.map(JSONText.quoted) : violation.example
    }

    private func table(
        at places: [ReportTable.Field<Violation>], _ example: @escaping (Violation) -> String?,
        _ versions: @escaping (Violation) -> String
    ) -> ReportTable {
        let head: [ReportTable.Field<Violation>] = [
            .init("Difference", "difference") { .words($0.kind.rawValue) }, .init("Event", "event") { .data($0.event) },
            .init("Property", "property") { .data($0.property) }, .init("Count", "count") { .count($0.count) },
            .init("Events", "events", for: .page) { .count($0.events) }, .init("Share", "share") { .share($0.share) },
            .init("First", "first") { .moment($0.firstMilliseconds) }, .init("Last", "last", for: .page) { .moment($0.lastMilliseconds) },
        ]
        return ReportTable(
            "How events differ from the plan", of: violations,
            head + places + [.init("Example", "example") { .data(example($0)) }, .init("Versions", "versions") { .data(versions($0)) }])
    }

    /// `2.1.0 (40), (none) (2)`, of many versions the first few.
    private func versions(of violation: Violation) -> String {
        let shown = violation.versions.prefix(4).map { "\($0.name) (\(NumberFormat.count($0.count)))" }
        let rest = violation.versions.count - shown.count
        return (shown + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ")
    }

    public func lines(in table: TableReport) -> [String] {
        table.heading(table.shown(plan), ["\(GroupedNumber.counted(violations.count, "difference")) from the plan"], input)
            + table.lines(of: shownTable, none: "every event is as the plan has it") + table.limits(range, cohort, of: "events")
            + table.inputLines(input, key: "user")
    }

    public func text(in json: JSONReport) -> String {
        let violations = JSONRows(violations) { violation in
            [
                "kind": violation.kind.rawValue, "event": violation.event, "property": violation.property,
                "count": violation.count, "events": violation.events, "first_ms": violation.firstMilliseconds,
                "last_ms": violation.lastMilliseconds, "file": violation.file, "line": violation.line,
                "example": violation.example, "versions": JSONObject(violation.versions.map { ($0.name, $0.count) }),
            ]
        }
        return json.document(["plan": plan], ["violations": violations] + range.json + cohort.json, input.json)
    }
}

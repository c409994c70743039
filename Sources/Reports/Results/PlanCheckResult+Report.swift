import Basics
public import Funnels
import TrackingPlans

extension PlanCheckResult: Reportable {
    public var section: ReportSection {
        let records = ReportTable(
            "How events differ from the plan",
            columns: Self.columns(.init("First in file", key: "file", for: []), .init("Line", key: "line", for: [])),
            rows: violations.map {
                row($0, $0.versions.map { "\($0.name): \($0.count)" }.joined(separator: ", "), .data($0.file), .count($0.line))
            })
        return ReportSection(
            kind: "plan_check", title: plan, period: input.period,
            highlights: [ReportFact("Differences", .count(violations.count), isAlarm: !isClean)],
            remarks: violations.isEmpty ? ["Every event is as the plan has it."] : [], records: records,
            figures: [ReportFigure("Differences", table: shownTable)], definition: range.facts(of: "Events") + cohort.facts,
            quality: input.facts(key: "user"))
    }

    private var shownTable: ReportTable {
        ReportTable(
            "How events differ from the plan", columns: Self.columns(.init("First at", key: "place")),
            rows: violations.map { row($0, versions(of: $0), .data("\($0.file):\($0.line)")) })
    }

    private static func columns(_ locations: ReportTable.Column...) -> [ReportTable.Column] {
        [
            .init("Difference", key: "difference"), .init("Event", key: "event"), .init("Property", key: "property"),
            .init("Count", key: "count"), .init("Events", key: "events", for: .page), .init("Share", key: "share"),
            .init("First", key: "first"), .init("Last", key: "last", for: .page),
        ] + locations + [.init("Example", key: "example"), .init("Versions", key: "versions")]
    }

    private func row(_ violation: Violation, _ versions: String, _ locations: ReportValue...) -> [ReportValue] {
        [
            .words(violation.kind.rawValue), .data(violation.event), .data(violation.property), .count(violation.count),
            .count(violation.events), .share(violation.share), .moment(violation.firstMilliseconds), .moment(violation.lastMilliseconds),
        ] + locations + [.data(violation.example), .data(versions)]
    }

    /// `2.1.0 (40), (none) (2)`, of many versions the first few.
    private func versions(of violation: Violation) -> String {
        let shown = violation.versions.prefix(Self.shownVersions).map { "\($0.name) (\(NumberFormat.count($0.count)))" }
        let rest = violation.versions.count - shown.count
        return (shown + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ")
    }

    private static let shownVersions = 4

    public func lines(in table: TableReport) -> [String] {
        table.heading(table.shown(plan), ["\(GroupedNumber.counted(violations.count, "difference")) from the plan"], input)
            + table.lines(of: shownTable, none: "every event is as the plan has it") + table.limits(range, cohort, of: "events")
            + table.inputLines(input, key: "user")
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            writer.line(["plan": plan])
            writer.line([
                "violations": JSONRows(violations) { violation in
                    [
                        "kind": violation.kind.rawValue, "event": violation.event, "property": violation.property,
                        "count": violation.count, "events": violation.events, "first_ms": violation.firstMilliseconds,
                        "last_ms": violation.lastMilliseconds, "file": violation.file, "line": violation.line,
                        "example": violation.example, "versions": VersionCounts(versions: violation.versions),
                    ]
                }
            ])
            range.write(to: &writer)
            cohort.write(to: &writer)
            input.write(to: &writer)
        }
    }
}

/// An object whose keys are data: `{"2.1.0":40}`.
private struct VersionCounts: JSONValue {
    let versions: [PlanCheckResult.Version]

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for version in versions {
                writer.key(named: version.name)
                version.count.write(to: &writer)
            }
        }
    }
}

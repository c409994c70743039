import Basics
public import Funnels
import TrackingPlans

extension PlanCheckResult: Reportable {
    public var section: ReportSection {
        let records = ReportTable(
            "How events differ from the plan",
            columns: Self.columns(
                .init("First in file", key: "file", isForProgramsOnly: true), .init("Line", key: "line", isForProgramsOnly: true)),
            rows: violations.map {
                row($0, $0.versions.map { "\($0.name): \($0.count)" }.joined(separator: ", "), .data($0.file), .count($0.line))
            })
        let figure = ReportTable(
            "How events differ from the plan", columns: Self.columns(.init("First at", key: "place")),
            rows: violations.map { row($0, versions(of: $0), .data("\($0.file):\($0.line)")) })
        return ReportSection(
            kind: "plan_check", title: plan, period: input.period,
            highlights: [
                ReportFact("Differences", .count(violations.count), isAlarm: !isClean)
            ],
            remarks: violations.isEmpty ? ["Every event is as the plan has it."] : [], records: records,
            figures: [ReportFigure("Differences", table: figure)], definition: range.facts(of: "Events") + cohort.facts,
            quality: input.facts(key: "user"))
    }

    private static func columns(_ places: ReportTable.Column...) -> [ReportTable.Column] {
        [
            .init("Difference", key: "difference"), .init("Event", key: "event"), .init("Property", key: "property"),
            .init("Count", key: "count"), .init("Events", key: "events"), .init("Share", key: "share"), .init("First", key: "first"),
            .init("Last", key: "last"),
        ] + places + [.init("Example", key: "example"), .init("Versions", key: "versions")]
    }

    private func row(_ violation: Violation, _ versions: String, _ places: ReportValue...) -> [ReportValue] {
        [
            .words(violation.kind.rawValue), .data(violation.event), violation.property.map { .data($0) } ?? .none,
            .count(violation.count), .count(violation.events), .share(violation.share), .moment(violation.firstMilliseconds),
            .moment(violation.lastMilliseconds),
        ] + places + [violation.example.map { .data($0) } ?? .none, .data(versions)]
    }

    /// `2.1.0 (40), (none) (2)`, of many versions the first few.
    private func versions(of violation: Violation) -> String {
        let shown = violation.versions.prefix(Self.shownVersions).map { "\($0.name) (\(NumberFormat.count($0.count)))" }
        let rest = violation.versions.count - shown.count
        return (shown + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ")
    }

    private static let shownVersions = 4

    public func lines(in table: TableReport) -> [String] {
        var lines = table.heading(table.shown(plan), ["\(GroupedNumber.counted(violations.count, "difference")) from the plan"], input)
        if violations.isEmpty {
            lines.append("every event is as the plan has it")
        } else {
            let rows = violations.map { violation in
                [
                    table.shown(violation.event, atMost: 32), violation.kind.rawValue, table.shown(violation.property ?? "", atMost: 32),
                    table.number(violation.count), NumberFormat.percent(violation.share),
                    DateFormat.second(violation.firstMilliseconds, in: table.style.zone), table.shown(violation.example ?? "", atMost: 24),
                    table.shown(versions(of: violation), atMost: 48), table.shown(path: "\(violation.file):\(violation.line)", atMost: 60),
                ]
            }
            let first = "first (\(table.style.zone.name))"
            lines += table.columns(
                ["event", "difference", "property", "count", "share", first, "example", "versions", "first at"], rows, rightAligned: [3, 4])
        }
        let limits = [table.times(range, what: "events")].compactMap(\.self) + cohort.words(in: table)
        if !limits.isEmpty { lines.append(limits.joined(separator: ", ")) }
        lines += table.inputLines(input, key: "user")
        return lines
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            writer.breakLine(" ")
            writer.member("plan", plan)
            writer.breakLine(" ")
            writer.key("violations")
            writer.array(violations, onePerLine: true) { writer, violation in write(violation, to: &writer) }
            range.write(to: &writer)
            cohort.write(to: &writer)
            writer.breakLine(" ")
            input.write(to: &writer)
        }
    }

    private func write(_ violation: Violation, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("kind", violation.kind.rawValue)
            writer.member("event", violation.event)
            writer.member("property", violation.property)
            writer.member("count", violation.count)
            writer.member("events", violation.events)
            writer.member("first_ms", violation.firstMilliseconds)
            writer.member("last_ms", violation.lastMilliseconds)
            writer.member("file", violation.file)
            writer.member("line", violation.line)
            writer.member("example", violation.example)
            writer.key("versions")
            writer.object { writer in
                for version in violation.versions {
                    writer.key(named: version.name)
                    writer.integer(Int64(version.count))
                }
            }
        }
    }
}

import Basics
import TrackingEvents

@testable import EventFiles
@testable import Funnels
@testable import Reports

extension SampleResults {
    /// A result of every kind, with the name wherever a result takes text.
    static func everything(named name: String) throws -> [any Reportable] {
        let more: [any Reportable] = [
            timings(named: name), PathsReportTests.paths(name: name), PropertyReportTests.catalogue(name: name, path: [name], text: name),
            try TrendReportTests.report([(0, 4, 2), (1, 3, 3)], name: name), try MembersReportTests.members(key: name, group: name),
            try ComparisonReportTests.comparison(name: name), try groups([name, name + name]), repair(of: name), try retention(name: name),
            forgetting(of: name), person(named: name), try why(named: name), indexing(of: name), faultyCheck(of: name),
            try comparedGroups([name, FunnelBreakdown.none], ofUsersIn: name), try mature(name), try explanation(named: name),
        ]
        return try results(named: name) + more + PlanReportsTests.results(named: name)
    }

    /// Two cohorts, the second of which is not over, in two groups.
    static func retention(name: String) throws -> RetentionResult {
        let step = FunnelStep(name).pattern
        let definition = try RetentionDefinition(
            start: step, returning: step, periods: 2, key: .property([name]), breakdown: FunnelBreakdown(path: [name]))
        let cohorts = [
            Retention.Cohort(startMilliseconds: 0, size: 4, retained: [2, 1, 0]),
            Retention.Cohort(startMilliseconds: 86_400_000, size: 2, retained: [2, 1, nil]),
        ]
        return RetentionResult(
            Retention(
                definition: definition, endMilliseconds: 259_199_999, cohorts: cohorts,
                groups: [.init(value: name, cohorts: cohorts), .init(value: FunnelBreakdown.none, cohorts: cohorts)],
                input: InputQuality(), unseenNames: []), every: .day, in: .utc)
    }

    /// A key that stopped at step 1, and would have to have another property and another event.
    static func explanation(named name: String) throws -> Explanation {
        let event = Explanation.Event(id: name, name: name, timeMilliseconds: 0)
        return Explanation(
            definition: try FunnelDefinition(name: name, steps: [FunnelStep(name), FunnelStep("b")]), key: name, hasEvents: true,
            converted: false, reached: 1, chain: [Explanation.Taken(step: 1, event: event)], hadSteps: 1, openMilliseconds: nil,
            verdict: nil, edits: [.set(event, path: name, was: name, to: name), .add(step: 2, name: name, at: 0)], unsearchedEvents: nil,
            input: InputQuality(), unseenNames: [])
    }

    /// Forgetting a person: one file was replaced, another was refused because it is open.
    static func forgetting(of name: String) -> ForgetResult {
        var report = ForgetResult(ids: PersonIDs([name], owners: [ExactText("a-\(name)"): ExactText(name)]))
        report.files = [
            .init(path: name, lines: 3, outcome: .replaced(by: name)), .init(path: name, lines: 1, outcome: .refused(.open)),
        ]
        report.quarantined = [name]
        return report
    }

    /// A person's lines: a sound one, and one whose properties are no JSON.
    static func person(named name: String) -> PersonEvents {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("t_ms", 0)
            writer.member("name", name)
            writer.member("user", name)
        }
        let lines = [writer.text, writer.text.dropLast() + #","props":{"a":}}"#]
        return PersonEvents(
            ids: PersonIDs([name], owners: [ExactText("a-\(name)"): ExactText(name)]),
            events: lines.map { line in
                .init(timeMilliseconds: 0, name: name, user: name, session: name, sequence: 1, line: Array(line.utf8))
            })
    }

    /// A repair of one file, whose damaged original is kept under another name.
    static func repair(of path: String) -> RepairResult {
        var file = RepairResult.File(FileReadResult(path: path))
        (file.output, file.original, file.savedLines) = (path, path + ".damaged", 7)
        var report = RepairResult()
        report.files = [file]
        report.check = CheckResult()
        return report
    }

    /// A fork of 100 visits, with a candidate of each kind. The first one holds; nearly the same visits have the third.
    static func why(
        named name: String, candidates: [Why.Candidate]? = nil, converted: Int = 60, dropped: Int = 40, leftOut: [Int] = [3, 2, 1],
        key: FunnelKey = .user, counting: FunnelDefinition.Counting = .visits, findings: [Why.Finding]? = nil
    ) throws -> Why {
        let funnel = try FunnelDefinition(
            name: name, steps: [FunnelStep(name), FunnelStep("b")], windowMilliseconds: 3_600_000, key: key, counting: counting)
        let found =
            candidates ?? [
                candidate(.property, "props.\(name)", name, qValue: 0.001), candidate(.event, name, nil, qValue: 0.04),
                candidate(.session, "session.\(name)", name, qValue: 0.2),
            ]
        return Why(
            definition: try WhyDefinition(funnel, lookBackMilliseconds: 60_000, minCount: 5), converted: converted, dropped: dropped,
            leftOutOpen: leftOut[0], leftOutEarly: leftOut[1], leftOutSpoilt: leftOut[2], tested: found.count, candidates: found,
            findings: findings ?? (candidates == nil ? [finding([found[0]], same: [found[2]])] : []), silence: silence, ids: [name],
            input: InputQuality(), unseenNames: [])
    }

    /// A finding that 55 of the 100 visits have; 45 of them converted.
    static func finding(_ of: [Why.Candidate], same: [Why.Candidate] = [], isChanging: Bool = false) -> Why.Finding {
        var claim = Claim()
        (claim.kind, claim.difference, claim.interval) = (.more, 0.312, ConfidenceInterval(0.26, 0.364))
        (claim.pValue, claim.qValue, claim.visits) = (0.0005, 0.001, 55)
        claim.adjustedFor = isChanging ? [.user, .day] : [.day, .eventsBefore]
        return Why.Finding(of: of, same: same, entered: 55, converted: 45, claim: claim)
    }

    private static var silence: Claim {
        var claim = Claim()
        claim.detectable = 0.031
        return claim
    }

    static func candidate(_ kind: Why.Kind, _ name: String, _ value: String?, oddsRatio: Double = 9, qValue: Double) -> Why.Candidate {
        Why.Candidate(
            kind: kind, name: name, value: value, convertedWith: 45, droppedWith: 10, oddsRatio: oddsRatio, lower: oddsRatio / 2,
            upper: oddsRatio * 2, pValue: qValue / 4, qValue: qValue)
    }

    /// Files with a summary, and one without for each reason.
    static func indexing(of path: String) -> IndexResult {
        let refusals: [IndexResult.Refusal] = [
            .notSealed, .damaged, .notUTF8(line: 12), .gone, .busy, .cancelled, .failed("\(path): no space"), .link,
        ]
        return IndexResult(
            files: [
                .init(path: path, outcome: .made, bytes: 2_000_000, summaryBytes: 1_200_000, rows: 12_345),
                .init(path: path + "2", outcome: .kept, bytes: 1000, summaryBytes: 600, rows: 1),
            ] + refusals.enumerated().map { .init(path: "\(path)-\($0)", outcome: .refused($1), bytes: 10) })
    }

    /// A check with findings of unreadable names, waiting consent, rings, useless summaries and last segments.
    static func faultyCheck(of path: String) -> CheckResult {
        var check = CheckResult()
        check.unnameable = [path]
        check.pending = [.init(path: path, files: 1, bytes: 10)]
        check.rings = [.init(path: path, lines: 1)]
        check.uselessSummaries = [.init(path: path, reason: path)]
        check.lastSegments = [.init(writer: path, path: path, isOpen: true)]
        return check
    }

    /// Two times compared, in groups: only the users of one list, without the keys of another.
    static func comparedGroups(_ values: [String], ofUsersIn file: String) throws -> FunnelComparison {
        func result(_ counts: [Int], since: Int64, until: Int64) throws -> FunnelResult {
            var definition = try FunnelDefinition(
                steps: FunnelStep.parse("a > b"), breakdown: FunnelBreakdown(path: ["plan"]), since: since, until: until)
            definition.cohort = CohortFilter(
                only: try Cohort(Array("u1\nu2\n".utf8), name: file),
                except: try Cohort(Array(#"{"definition":{"by":"props.sku"},"members":["x"]}"#.utf8), name: file))
            let steps = funnel(definition, counts: counts, milliseconds: [1000]).steps
            return FunnelResult(
                definition: definition, steps: steps, groups: values.map { .init(value: $0, steps: steps) }, windowOpen: 0,
                input: InputQuality(), unseenNames: [])
        }
        return FunnelComparison(
            result: try result([100, 20], since: 0, until: 604_800_000),
            other: try result([200, 80], since: -86_400_000 * 10, until: -1))
    }

    /// A funnel of mature starts only, with a given end of the data.
    static func mature(_ name: String) throws -> FunnelResult {
        var definition = try FunnelDefinition(
            name: name, steps: FunnelStep.parse("a > b"), windowMilliseconds: 3_600_000, compat: .clickhouse([]))
        (definition.starts, definition.dataEnd) = (.mature, 86_400_000)
        return FunnelResult(
            definition: definition, steps: funnel(definition, counts: [8, 2], milliseconds: [1000]).steps, windowOpen: 0,
            input: InputQuality(), unseenNames: [],
            mature: FunnelResult.Mature(untilMilliseconds: 82_800_001, entered: 8, converted: 2, leftOut: 1_234),
            dataEnd: DataEnd(milliseconds: 86_400_000))
    }
}

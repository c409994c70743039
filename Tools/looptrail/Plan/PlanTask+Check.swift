import Funnels
import Reports

extension PlanTask {
    func check(_ invocation: Invocation) throws -> ExitStatus {
        guard let plan = invocation.plan else {
            throw UsageError("--plan is needed, for example `\(CommonFlags.plan.declaration.example)`")
        }
        let range = try TimeFlags.range(invocation)
        let cohort = try CohortFlags.filter(invocation)
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let outcome = try source.read { reader, progress in
            try PlanCheckRun(plan, range: range, cohort: cohort).report(reading: reader, threads: source.threads, progress: progress)
        }
        try output.write(ReportDocument(outcome.report))
        invocation.warn(ofNothingLeftOf: "events", in: range, of: cohort, outcome.report.input)
        let status = invocation.verdict(on: outcome.report.input, outcome.reading, from: source)
        guard status == .fine && !outcome.report.isClean else { return status }
        // With the report elsewhere, the exit status alone would leave people guessing.
        if let path = output.path { invocation.console.error("not every event is as planned; see `\(path)`") }
        return .gateMissed
    }
}

import EventFiles
import Funnels
import Reports

extension Command {
    static let planCheck = Command(
        name: "plan check",
        summary: "find what in event files is not as planned, by version of the app",
        discussion: [
            "Compares each event, and the line that begins each session, with the plan, and lists the differences: unplanned_event, "
                + "missing_property, wrong_type, unknown_value, out_of_range, unplanned_property, deprecated_event. For each: how many "
                + "events, the share of all with the name, the first time, an example, the first place as FILE:LINE, and how many by the "
                + "session's app_version.",
            "`null` is missing. A sensitive property may be absent or of any type, as it may be dropped, masked or hashed. `number` takes "
                + "whole numbers, too; `int` takes no 9.0.",
            "Exits with 4 if anything but deprecated_event was found, with 0 if not.",
        ],
        operands: .inputs,
        flags: [PlanFlags.plan.declaration] + PlanFlags.selecting + CohortFlags.all + PlanFlags.report + PlanFlags.reading,
        examples: [
            Example("find what is not as planned", ["plan", "check", "events/", "--plan", "tracking-plan.json"]),
            Example(
                "in a build, of the last day",
                ["plan", "check", "events/", "--plan", "tracking-plan.json", "--since", "now-1d", "--strict", "-o", "drift.html"]),
        ], seeAlso: ["plan"]
    ) { invocation in
        guard let plan = invocation.plan else { throw UsageError("--plan is needed") }
        let range = try TimeFlags.range(invocation)
        let cohort = try CohortFlags.filter(invocation)
        let output = try ReportOutput(invocation)
        let source = try InputPaths(invocation)
        let (result, reading) = try source.read { reader, progress in
            try reader.requireFiles()
            return try PlanCheckRun(plan, range: range, cohort: cohort).answer(reading: reader, threads: source.threads, progress: progress)
        }
        if source.isNothing(result.input.bytes) { return .failure }
        try output.write(ReportDocument(result))
        invocation.warn(ofNothingLeftOf: "events", in: range, of: cohort, result.input)
        let status = invocation.verdict(on: result.input, reading, from: source)
        guard status == .fine && !result.isClean else { return status }
        // If the report goes to a file, the exit status alone would leave people guessing.
        if let path = output.path { invocation.console.error("not every event is as planned; see `\(path)`") }
        return .gateMissed
    }
}

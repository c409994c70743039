import Basics
import Funnels
import Reports

extension Command {
    static let planDiff = Command(
        name: "plan diff",
        summary: "compare two plans, and name what the change breaks",
        discussion: [
            "Lists what was added, removed and changed. These break reports over files of both plans: a removed event or property, a new "
                + "property that is needed, a changed type, a removed value, a narrower range. A removed and an added event with the same "
                + "properties are shown as a possible rename.",
            "With --funnels it names each place of a saved funnel that matched before and cannot match any more: the funnel, the step, and the "
                + "column in its text.",
            "Exits with 4 if anything breaks, with 0 if not.",
        ],
        operands: .files(placeholder: "OLD NEW", usage: "OLD NEW", summary: "Two plans, the older first"),
        flags: [PlanFlags.funnels.declaration] + PlanFlags.report,
        examples: [
            Example(
                "which reports does this change break?", ["plan", "diff", "old.json", "tracking-plan.json", "--funnels", "funnels.json"])
        ], seeAlso: ["plan"]
    ) { invocation in
        let operands = invocation.arguments.operands
        var files = invocation.arguments[PlanFlags.funnels] ?? []
        // `--funnels a.json b.json` has its second file among the operands.
        if !files.isEmpty { files += operands.dropFirst(2) }
        guard operands.count == 2 || operands.count > 2 && !files.isEmpty else {
            throw UsageError("`plan diff` needs two plans, OLD and NEW, for example `looptrail plan diff old.json tracking-plan.json`")
        }
        let funnels = try files.flatMap(FunnelFlags.savedFunnels)
        let output = try ReportOutput(invocation)
        let result = PlanDiffResult(from: try PlanFile.plan(operands[0]), to: try PlanFile.plan(operands[1]), funnels: funnels)
        try output.write(ReportDocument(result))
        if result.isBreaking, let path = output.path { invocation.console.error("the change breaks reports; see `\(path)`") }
        return result.isBreaking ? .gateMissed : .fine
    }
}

import Funnels
import Reports

extension Command {
    static let planDocs = Command(
        name: "plan docs",
        summary: "show a plan for people to read, with counts if there are files",
        discussion: [
            "A catalogue of the events and their properties. With event files each event has its count and when it was last seen, and events "
                + "that the plan does not have are listed, too."
        ],
        operands: .textAndInputs(placeholder: "FILE", example: "tracking-plan.json", summary: "The plan"),
        flags: PlanFlags.selecting + PlanFlags.report + PlanFlags.reading,
        examples: [
            Example("a page for everyone", ["plan", "docs", "tracking-plan.json", "events/", "-o", "plan.html"])
        ], pathNote: "; - is standard input. Without any, the plan is shown without counts", seeAlso: ["plan"]
    ) { invocation in
        let plan = try PlanFile.plan(invocation.arguments.operands[0])
        let paths = invocation.inputs
        let range = try TimeFlags.range(invocation)
        let output = try ReportOutput(invocation)
        if paths.isEmpty {
            if let flag = TimeFlags.all.first(where: invocation.arguments.has) {
                throw UsageError("\(flag.dashed) chooses events to count: give their PATH behind the plan")
            }
            try output.write(ReportDocument(PlanCatalogue(plan)))
            return .fine
        }
        let source = try InputPaths(invocation, operands: paths)
        let (catalogue, reading) = try source.answer(CatalogueRun(range: range))
        try output.write(ReportDocument(PlanCatalogue(plan, seen: catalogue)))
        invocation.warn(ofNothingLeftOf: "events", in: range, catalogue.input)
        return invocation.verdict(on: catalogue.input, reading, from: source)
    }
}

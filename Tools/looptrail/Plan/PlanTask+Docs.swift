import Funnels
import Reports

extension PlanTask {
    func docs(_ invocation: Invocation) throws -> ExitStatus {
        guard let file = invocation.inputs.first else {
            throw UsageError("`plan docs` needs a plan, for example `looptrail plan docs tracking-plan.json`")
        }
        let plan = try PlanFile.plan(file)
        let paths = Array(invocation.inputs.dropFirst())
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
        let outcome = try source.read { reader, progress in
            try CatalogueRun(range: range).catalogue(reading: reader, threads: source.threads, progress: progress)
        }
        try output.write(ReportDocument(PlanCatalogue(plan, seen: outcome.catalogue)))
        invocation.warn(ofNothingLeftOf: "events", in: range, outcome.catalogue.input)
        return invocation.verdict(on: outcome.catalogue.input, outcome.reading, from: source)
    }
}

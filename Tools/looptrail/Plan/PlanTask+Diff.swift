import Basics
import Funnels
import Reports

extension PlanTask {
    func diff(_ invocation: Invocation) throws -> ExitStatus {
        let operands = invocation.inputs
        var files = invocation.arguments[PlanFlags.funnels] ?? []
        // `--funnels a.json b.json` has its second file among the operands.
        if !files.isEmpty { files += operands.dropFirst(2) }
        guard operands.count == 2 || operands.count > 2 && !files.isEmpty else {
            throw UsageError("`plan diff` needs two plans, OLD and NEW, for example `looptrail plan diff old.json tracking-plan.json`")
        }
        var funnels: [WrittenFunnel] = []
        for file in files { funnels += try saved(file) }
        let output = try ReportOutput(invocation)
        let report = PlanDiffResult(from: try PlanFile.plan(operands[0]), to: try PlanFile.plan(operands[1]), funnels: funnels)
        try output.write(ReportDocument(report))
        if report.isBreaking, let path = output.path { invocation.console.error("the change breaks reports; see `\(path)`") }
        return report.isBreaking ? .gateMissed : .fine
    }

    private func saved(_ file: String) throws(UsageError) -> [WrittenFunnel] {
        let bytes = try PlanFlags.funnels.file(file, atMost: 1 << 20)
        do throws(SavedFunnelError) { return try WrittenFunnel.all(bytes) } catch { throw UsageError("--funnels: \(file):\(error)") }
    }
}

import TrackingPlans

extension PlanTask {
    func swift(_ invocation: Invocation) throws -> ExitStatus {
        guard let file = invocation.inputs.first, invocation.inputs.count == 1 else {
            throw UsageError("`plan swift` needs one plan, for example `looptrail plan swift tracking-plan.json -o ShopEvent.swift`")
        }
        let output = try PlainOutput(invocation)
        try output.write(SwiftGenerator.source(of: try PlanFile.plan(file)))
        return .fine
    }
}

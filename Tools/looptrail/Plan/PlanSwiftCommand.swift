import PlanAuthoring
import TrackingPlans

extension Command {
    static let planSwift = Command(
        name: "plan swift",
        summary: "write the Swift type of a plan, as the build plugin generates it",
        discussion: [
            "For builds without plugins. The type has a function for each event, so that an event that is not planned does not compile. Equal "
                + "plans give equal bytes: a test can hold a file that was checked in against its plan."
        ],
        operands: .files(placeholder: "FILE", usage: "FILE", summary: "The plan"),
        flags: PlanFlags.output,
        examples: [
            Example("the Swift type, where no plugin runs", ["plan", "swift", "tracking-plan.json", "-o", "ShopEvent.swift"])
        ], seeAlso: ["plan"]
    ) { invocation in
        guard let file = invocation.arguments.operands.first, invocation.arguments.operands.count == 1 else {
            throw UsageError("`plan swift` needs one plan, for example `looptrail plan swift tracking-plan.json -o ShopEvent.swift`")
        }
        let output = try PlainOutput(invocation)
        try output.write(SwiftGenerator.source(of: try PlanFile.plan(file)))
        return .fine
    }
}

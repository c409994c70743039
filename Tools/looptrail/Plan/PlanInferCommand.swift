import Funnels
import PlanAuthoring
import TrackingPlans

extension Command {
    static let planInfer = Command(
        name: "plan infer",
        summary: "write the plan of what event files hold, to begin with",
        discussion: [
            "Reads every event and writes a plan: the events by name with their properties, in the order of their first appearance, and the "
                + "properties of sessions. A property that some events lack is optional. Whole numbers are `int`, mixed ones `number`. "
                + "There are no ranges: the plan is a beginning, to be reviewed by hand.",
            "A string has a list of values if at most 12 were seen, together at least 50 times and each at least twice. Texts of more than "
                + "64 bytes, and those that look like numbers, versions or dates, are never listed: tomorrow there are others.",
            "The plan passes `looptrail plan check` on the same files. What no plan can say is noted on standard error, and `plan check` "
                + "reports it: a property of several types, which the plan has as a string; a name without a letter or digit; two names "
                + "that are one in Swift.",
        ],
        operands: .inputs,
        flags: [PlanFlags.name.declaration] + PlanFlags.output + PlanFlags.reading,
        examples: [
            Example("begin with what the files hold", ["plan", "infer", "events/", "--name", "Shop", "-o", "tracking-plan.json"])
        ], seeAlso: ["plan"]
    ) { invocation in
        let name = invocation.arguments[PlanFlags.name] ?? "Events"
        if let problem = problem(withName: name) { throw UsageError("--name `\(name)`: \(problem)") }
        let output = try PlainOutput(invocation)
        let source = try InputPaths(invocation)
        let (draft, reading) = try source.answer(PlanInferenceRun(name: name))
        do throws(PlanError) { _ = try TrackingPlan(Array(draft.text.utf8)) } catch {
            invocation.console.error("the files hold more than a plan can say: \(error.message)")
            return .failure
        }
        try output.write(draft.text)
        for note in draft.notes { invocation.console.note(note) }
        return invocation.verdict(on: draft.input, reading, from: source)
    }

    /// What is wrong with a plan's name; `nil` if a plan can have it.
    private static func problem(withName name: String) -> String? {
        let text = PlanDraft(name: name, events: [], session: []).written().text
        do throws(PlanError) { _ = try TrackingPlan(Array(text.utf8)) } catch { return error.message }
        return nil
    }
}

import Funnels
import TrackingPlans

extension PlanTask {
    func infer(_ invocation: Invocation) throws -> ExitStatus {
        let name = invocation.arguments[PlanFlags.name] ?? "Events"
        if let problem = PlanName.problem(name) { throw UsageError("--name `\(name)`: \(problem)") }
        let output = try PlainOutput(invocation)
        let source = try InputPaths(invocation)
        let outcome = try source.read { reader, progress in
            try PlanInferenceRun(name: name).plan(reading: reader, threads: source.threads, progress: progress)
        }
        do throws(PlanError) { _ = try TrackingPlan(Array(outcome.text.utf8)) } catch {
            invocation.console.error("the files hold more than a plan can say: \(error.message)")
            return .failure
        }
        try output.write(outcome.text)
        for note in outcome.notes { invocation.console.note(note) }
        return invocation.verdict(on: outcome.input, outcome.reading, from: source)
    }
}

/// Whether a plan can have a name.
enum PlanName {
    /// What is wrong with it; `nil` for a name that a plan can have.
    static func problem(_ name: String) -> String? {
        let text = PlanDraft(name: name, events: [], session: []).written().text
        do throws(PlanError) { _ = try TrackingPlan(Array(text.utf8)) } catch { return error.message }
        return nil
    }
}

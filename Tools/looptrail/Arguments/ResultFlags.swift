import Funnels
import TrackingEvents

/// The flags of `funnel` about its result.
enum ResultFlags {
    static let failUnder = Flag(
        collecting: "fail-under", in: .output, .gates,
        "Exit with 4 if fewer of step 1 reach a step: 4:30%, or several: 3:50%,4:30%")
    static let compare = Flag(
        "compare", in: .time, .momentRange, "Show another range of starts beside it; differences are in points", repetition: .refused)

    static let confident = Flag(
        "confident", in: .output, "Let --fail-under fail only if the share's whole 95% interval is below it; visits count as independent")

    static let all = [failUnder.declaration, confident.declaration, compare.declaration]

    /// Refuses flags whose answers gauges cannot show: gauges are of funnels and their groups only.
    ///
    /// - Parameter flags: the flags that ask for something else.
    static func refuseGauges(_ output: ReportOutput, beside flags: [FlagDeclaration], _ invocation: Invocation) throws(UsageError) {
        guard output.targets.contains(where: { $0.formatName == CommonFlags.gauges }),
            let flag = flags.first(where: invocation.arguments.has)
        else { return }
        throw UsageError("\(flag.dashed) has no gauges: leave it out, or take another format than \(CommonFlags.gauges)")
    }

    /// The gates that every funnel must pass.
    static func gates(_ invocation: Invocation, for definitions: [FunnelDefinition]) throws(UsageError) -> [Gate] {
        let gates = invocation.arguments[failUnder]?.flatMap { $0 } ?? []
        if gates.isEmpty && invocation.arguments[confident] {
            throw UsageError("--confident says when --fail-under fails: it needs --fail-under, for example `--fail-under 4:30%`")
        }
        for gate in gates {
            guard let short = definitions.first(where: { $0.steps.count < gate.step }) else { continue }
            let funnel = short.name.map { "funnel `\($0)`" } ?? "the funnel"
            throw UsageError(
                "--fail-under \(gate.step):\(gate.share): \(funnel) has \(short.steps.count) step\(short.steps.count == 1 ? "" : "s")")
        }
        return gates
    }

    /// For each funnel the one to compare it with. Empty if the call compares nothing.
    static func compared(_ invocation: Invocation, with definitions: [FunnelDefinition]) throws(UsageError) -> [FunnelDefinition] {
        guard let range = invocation.arguments[compare] else { return [] }
        let zone = try invocation.zone()
        let clock = invocation.surroundings.clock
        let since = range.from.milliseconds(now: clock.milliseconds, zone: zone)
        let until = range.to.milliseconds(now: clock.milliseconds, zone: zone)
        do throws(FunnelDefinitionError) {
            return try definitions.map { funnel throws(FunnelDefinitionError) in try funnel.with(since: since, until: until) }
        } catch {
            throw UsageError("--compare: the range is empty: FROM is not before TO")
        }
    }
}

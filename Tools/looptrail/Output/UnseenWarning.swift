import EventFiles
import Funnels
import Reports
import TrackingPlans

extension Invocation {
    /// Warns of properties that no event or session has, and offers the nearest name that occurs. With `--plan` it warns of those of
    /// sessions only, because ``warnOfProperties(in:from:)`` warns of those of events.
    func warn(ofPaths unseen: [UnseenName], events: String = "event of the steps") {
        var warned: Set<String> = []
        for unseen in unseen where warned.insert(unseen.name).inserted && (plan == nil || unseen.name.hasPrefix("session.")) {
            let whose = unseen.name.hasPrefix("session.") ? "session" : events
            console.warning("no \(whose) has the property `\(unseen.name)`\(meant(unseen.nearest))")
        }
    }

    /// Warns of event names that occur nowhere, and offers the nearest that does. With `--plan`, the plan's names are known, too.
    func warn(of unseen: [UnseenName]) {
        // Several funnels may ask for the same name.
        var warned: Set<String> = []
        for unseen in unseen where warned.insert(unseen.name).inserted {
            guard let plan else {
                console.warning("no event is named `\(unseen.name)`\(meant(unseen.nearest))")
                continue
            }
            if plan.event(named: unseen.name) != nil { continue }
            let nearest = NearestName.find(unseen.name, in: [unseen.nearest].compactMap(\.self) + plan.events.map(\.name))
            console.warning("no event is named `\(unseen.name)` in the plan or the data\(meant(nearest))")
        }
    }

    /// Warns of a breakdown by `:all` whose values do not get to some step: it may be that no event of that step has the property.
    func warn(ofStepsWithoutValueIn results: [FunnelResult]) {
        for result in results {
            guard let breakdown = result.definition.breakdown, breakdown.attribution == .all else { continue }
            let groups = result.groups.filter { $0.value != FunnelBreakdown.none && $0.steps[0].count > 0 }
            let lost = result.definition.steps.indices.first { step in
                !result.definition.steps[step].isOptional && groups.allSatisfy { $0.steps[step].count == 0 }
            }
            guard let lost, !groups.isEmpty else { continue }
            console.warning(
                "nothing gets to step \(lost + 1) with a value of `\(breakdown)`: with :all the event of each step must have the property")
        }
    }

    /// With `--plan`, warns of properties that these funnels ask for and that are in neither the plan nor the data. It reads the files
    /// again only if the plan lacks one of them.
    func warnOfProperties(in definitions: [FunnelDefinition], from source: InputPaths) throws {
        guard let plan, !console.isQuiet else { return }
        let run = PlannedPathsRun(plan, asking: definitions)
        if run.isAnswered { return }
        let isReadable = try source.canBeReadAgain()
        let unplanned = try isReadable ? source.answer(run).answer : run.unplanned
        for path in unplanned {
            let subject = path.event.map { "event `\($0)` has no" } ?? "no event has"
            let place = isReadable ? "in the plan or the data" : "in the plan"
            console.warning("\(subject) `\(path.path)` \(place)\(meant(path.nearest))")
        }
    }

    /// The end of a warning that offers a name of the data, if there is a near one. A line feed in the name must not begin a line of its own.
    private func meant(_ nearest: String?) -> String { nearest.map { ": did you mean `\(TerminalText.visible($0))`?" } ?? "" }
}

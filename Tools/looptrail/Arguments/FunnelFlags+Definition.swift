import Basics
import Funnels
import TrackingEvents

extension FunnelFlags {
    /// The funnels of the call, at least one: that of `--steps`, or those of `--funnels`. Other flags change them.
    static func definitions(_ invocation: Invocation) throws(UsageError) -> [FunnelDefinition] {
        let arguments = invocation.arguments
        switch (arguments[steps], arguments[funnels]) {
        case (_?, _?): throw UsageError("--steps and --funnels both say what the funnel is: give one of them")
        case (nil, nil): throw UsageError("--steps is needed, for example `\(steps.declaration.example)`, or --funnels FILE")
        case (let steps?, nil):
            let cohort = try CohortFlags.filter(invocation, countedBy: [arguments[by] ?? .user])
            return [try made(by: SavedFunnel(steps: steps), invocation, cohort, called: nil)]
        case (nil, let file?):
            var definitions: [FunnelDefinition] = []
            let all = try savedFunnels(file)
            let cohort = try CohortFlags.filter(invocation, countedBy: all.map { arguments[by] ?? $0.funnel.key })
            for (place, saved) in all.enumerated() {
                let called = saved.funnel.name.map { "funnel `\($0)`" } ?? "funnel \(place + 1)"
                definitions.append(try made(by: saved.funnel, invocation, cohort, called: "\(file):\(saved.line): \(called)"))
            }
            return definitions
        }
    }

    /// The one funnel that a command can take.
    ///
    /// - Throws: ``UsageError`` if `--funnels` has several funnels, and whatever ``definitions(_:)`` throws.
    static func single(_ invocation: Invocation) throws(UsageError) -> FunnelDefinition {
        let definitions = try definitions(invocation)
        guard definitions.count == 1 else {
            throw UsageError("--funnels has \(definitions.count) funnels, and `looptrail \(invocation.command.name)` takes one")
        }
        return definitions[0]
    }

    /// The funnels in a file.
    static func savedFunnels(_ file: String) throws(UsageError) -> [WrittenFunnel] {
        // Nobody writes a megabyte of funnels by hand.
        let bytes = try funnels.file(file, atMost: 1 << 20)
        do throws(SavedFunnelError) { return try WrittenFunnel.all(bytes) } catch {
            throw UsageError("--funnels: \(file):\(error)")
        }
    }

    /// - Parameter file: where the funnel comes from: file, line and name; `nil` for the command line.
    private static func made(
        by saved: SavedFunnel, _ invocation: Invocation, _ cohort: CohortFilter, called file: String?
    ) throws(UsageError) -> FunnelDefinition {
        let arguments = invocation.arguments
        let place = file.map { "\($0): " } ?? ""
        var saved = saved
        if let window = arguments[window] { saved.window = window }
        if let stepWindow = arguments[stepWindow] { saved.stepWindow = stepWindow }
        if let key = arguments[by] { saved.key = key }
        if let order = arguments[order].flatMap(FunnelDefinition.Order.init) { saved.order = order }
        if let counting = arguments[count].flatMap(FunnelDefinition.Counting.init) { saved.counting = counting }
        if let timeout = arguments[sessionTimeout] { saved.sessionTimeout = timeout }
        if let exclusions = arguments[exclude] { saved.exclusions = exclusions }
        if let hold = arguments[hold] { saved.hold = hold }
        if let breakdown = arguments[breakdown] { saved.breakdown = breakdown }
        // A command without groups may have a --top of its own.
        if let top = arguments[top], invocation.command.flags.contains(where: { $0.name == Self.breakdown.declaration.name }) {
            guard saved.breakdown != nil else { throw UsageError("\(place)--top says how many groups to show: it needs --breakdown") }
            saved.breakdown?.top = top
        }
        if arguments[noIdentify] { saved.identify = false }
        if let compat = arguments[compat] { saved.compat = compat }
        let since = try moment(invocation, arguments[since], or: saved.since, in: file)
        let until = try moment(invocation, arguments[until], or: saved.until, in: file)
        let (starts, end) = (try starts(invocation), try moment(invocation, arguments[dataEnd], or: nil, in: file))
        do throws(FunnelDefinitionError) {
            var definition = try saved.definition(since: since, until: until)
            if saved.counting == nil, invocation.comparesVisits(of: saved), definition.obstacleToVisits == nil {
                saved.counting = .visits
                definition = try saved.definition(since: since, until: until)
            }
            definition.cohort = cohort
            (definition.starts, definition.dataEnd) = (starts, end)
            return definition
        } catch {
            throw UsageError("\(place)\(error.usage)")
        }
    }

    /// Which starts count. By default these are all, or the mature ones if the call compares times.
    static func starts(_ invocation: Invocation) throws(UsageError) -> FunnelDefinition.Starts {
        switch (invocation.arguments[mature], invocation.arguments[includeOpen]) {
        case (true, true): throw UsageError("--mature and --include-open exclude each other: give one of them")
        case (true, false): return .mature
        case (false, true): return .all
        case (false, false): return invocation.comparesTimes ? .mature : .all
        }
    }

    /// The moment of the flag, or else of the saved funnel, in milliseconds since 1970 UTC.
    private static func moment(
        _ invocation: Invocation, _ flag: Moment?, or saved: String?, in file: String?
    ) throws(UsageError) -> Int64? {
        var moment = flag
        if moment == nil, let saved {
            moment = Moment(saved)
            if moment == nil { throw UsageError("\(file ?? "--funnels"): `\(saved)` is not a date or time") }
        }
        return moment?.milliseconds(now: invocation.surroundings.clock.milliseconds, zone: try invocation.zone())
    }
}

extension Invocation {
    /// Notes that all outputs count users because one is of gauges, where the others alone would count visits.
    func noteUsers(in definitions: [FunnelDefinition], besideGaugesIn output: ReportOutput) {
        let formats = Set(output.targets.map(\.formatName))
        guard formats.contains(CommonFlags.gauges), formats.count > 1, arguments[FunnelFlags.count] == nil else { return }
        let haveVisits = definitions.contains {
            $0.counting == .users && $0.breakdown?.attribution == .first && $0.obstacleToVisits == nil
        }
        if haveVisits { console.note("gauges count users, and so do the other outputs: --count visits counts visits in all of them") }
    }

    /// Whether visits are counted by default. They are in `trend` and `why`. In commands that have `--compare`, and in `cluster prepare`,
    /// they are with `--compare` or a breakdown by `:first`, unless `--fail-under` or gauges ask about users.
    fileprivate func comparesVisits(of funnel: SavedFunnel) -> Bool {
        if ["trend", "why"].contains(command.name) { return true }
        let flags = command.flags.map(\.name)
        guard flags.contains(ResultFlags.compare.declaration.name) || command.name == "cluster prepare" else { return false }
        if flags.contains(ResultFlags.failUnder.declaration.name), arguments[ResultFlags.failUnder] != nil { return false }
        if arguments[CommonFlags.format] == CommonFlags.gauges || outputs.contains(where: { $0.hasSuffix(".\(CommonFlags.gauges)") }) {
            return false
        }
        return funnel.breakdown?.attribution == .first
            || flags.contains(ResultFlags.compare.declaration.name) && arguments[ResultFlags.compare] != nil
    }

    /// Whether the call compares times. It then counts mature starts alone, because late starts have had less time to convert.
    fileprivate var comparesTimes: Bool {
        let flags = command.flags.map(\.name)
        if command.name == "trend" || arguments[SQLFlags.form] == "trend" { return true }
        return flags.contains(ResultFlags.compare.declaration.name) && arguments[ResultFlags.compare] != nil
    }
}

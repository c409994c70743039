/// Asks what those that went on to a step had in common, compared with those that did not. It has all settings that can change a number.
///
/// 1. **Fork**: of each visit, or of each key where users are counted, the first attempt to reach the required step before ``step``. The
///    deepest attempt, which a funnel counts, would choose the fork by its outcome, and find causes in data without any.
/// 2. **Outcome**: whether *that* attempt goes on to the step. So the counts differ from the funnel's.
/// 3. **Left out**: visits with a start that was still open when the data ended; those whose fork lies nearer than
///    ``lookBackMilliseconds`` to the first event read, as something may be missing before it; those that an exclusion takes out.
/// 4. **Candidates**: names of the key's events from ``lookBackMilliseconds`` before the fork up to it, except the funnel's own; the
///    properties of the fork's event; the context of its session. What fewer than ``minCount`` forks have, or lack, is no candidate.
/// 5. **Findings**: where visits are counted, with the day and the number of other events before the fork held equal
///    (``Why/Finding``); pairs of values are looked at, too, where ``depth`` is 2.
///
/// ```swift
/// let funnel = try FunnelDefinition(steps: FunnelStep.parse("cart_added > checkout_started > payment_succeeded"))
/// let why = try WhyDefinition(funnel, step: 3).answer(reading: EventFileReader(paths: ["events/"])).answer
/// for finding in why.findings { print(finding.of.map(\.name), finding.difference) }
/// ```
/// Memory: about 52 bytes for each event that has a key; 16 for each event that can be the fork, and 4 for each of its properties; about
/// 100 for each line that begins a session, and 4 for each of its values; 16 to 37 for each id; and the reader's buffers. Time:
/// O(bytes + events), if each key's events stand nearly in the order of time.
public struct WhyDefinition: Sendable, Hashable, EventQuestion {
    public static let defaultMinCount = 30
    public static let defaultTop = 10
    /// The longest look back by default: a day.
    public static let mostLookBackMilliseconds: Int64 = 86_400_000
    /// A property with more different values than this is taken for an id, and is no candidate.
    public static let mostValues = 10_000

    public private(set) var funnel: FunnelDefinition
    /// The step that some go on to, 2 for the second; a required one.
    public let step: Int
    public let lookBackMilliseconds: Int64
    /// The fewest forks that must have a candidate, and that must lack it.
    public let minCount: Int
    /// How many candidates are listed; all are tested.
    public let top: Int
    /// How many values of different properties are looked at together: 1 or 2.
    public let depth: Int
    /// Whether each visit can have a fork; if not, each key can have one.
    public let countsVisits: Bool
    /// Whose days are held equal; those of UTC unless it is set.
    package var calendar = WhyCalendar()

    /// - Parameters:
    ///   - funnel: not in `any` order, not of attempts, not by a session's context; without a breakdown, a held property or a `compat`.
    ///   - step: 2 or more, a required one; `nil` for the last required one.
    ///   - lookBackMilliseconds: 0 or more; `nil` for the window, or a day if that is less.
    ///   - minCount: 1 or more.
    ///   - top: 0 or more.
    ///   - depth: 1 or 2.
    ///   - besideFunnel: whether it is asked beside the funnel's own numbers. A breakdown is then ignored, because its groups are among the
    ///     candidates anyway. Visits are counted where they can be, whatever the funnel counts.
    /// - Throws: ``WhyDefinitionError``.
    public init(
        _ funnel: FunnelDefinition, step: Int? = nil, lookBackMilliseconds: Int64? = nil, minCount: Int = defaultMinCount,
        top: Int = defaultTop, depth: Int = 2, besideFunnel: Bool = false
    ) throws(WhyDefinitionError) {
        let step = step ?? funnel.lastRequiredStep + 1
        guard step <= funnel.steps.count else { throw .stepBeyond(step, steps: funnel.steps.count) }
        guard step >= 2 else { throw funnel.steps.count == 1 ? .oneStep : .firstStep }
        if funnel.steps[step - 1].isOptional { throw .optionalStep(step) }
        if !funnel.order.numbersSteps { throw .notTogether("--order \(funnel.order.rawValue): its steps have no order to fork in") }
        if funnel.counting == .attempts { throw .notTogether("--count attempts: each visit has one fork") }
        if funnel.breakdown != nil && !besideFunnel { throw .notTogether("--breakdown: groups are among the candidates by themselves") }
        if case .context = funnel.key { throw .notTogether("--by session.PATH: a fork belongs to one session") }
        if funnel.hold != nil { throw .notTogether("--hold") }
        if funnel.compat != nil { throw .notTogether("--compat") }
        self.funnel = funnel
        self.step = step
        self.lookBackMilliseconds = max(lookBackMilliseconds ?? min(funnel.windowMilliseconds, Self.mostLookBackMilliseconds), 0)
        self.minCount = max(minCount, 1)
        self.top = max(top, 0)
        self.depth = depth
        countsVisits = funnel.obstacleToVisits == nil && (besideFunnel || funnel.counting == .visits)
        // What is read depends on it: each visit has a user, also where sessions are the keys.
        if countsVisits { self.funnel.counting = .visits }
    }

    /// The index of the step before the fork's outcome, from 0.
    package var forkStep: Int { funnel.requiredStep(before: step - 1) }

    public var pass: EventPass<Why> {
        let plan = CompiledFunnel([funnel])
        return EventPass(summaryNeeds, into: { WhyBatch(self, plan, expecting: $0) }) { WhyAccumulator(self, plan) }
    }
}

/// Gives the day that a time lies in. All calendars are equal: a question is the same in any time zone.
package struct WhyCalendar: Sendable, Hashable {
    package var day = FunnelRun.dayOfUTC

    package static func == (_: WhyCalendar, _: WhyCalendar) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

/// Why a question about a fork makes no sense.
public enum WhyDefinitionError: Error, Sendable, Hashable, CustomStringConvertible {
    case oneStep, firstStep
    case stepBeyond(Int, steps: Int)
    case optionalStep(Int)
    /// A setting of the funnel, and why it does not go with the question.
    case notTogether(String)

    public var description: String {
        switch self {
        case .oneStep: "the funnel has 1 step, and nobody can go on in it: give two or more"
        case .firstStep: "nobody goes on to step 1: give --step 2 or more"
        case .stepBeyond(let step, let steps): "--step \(step): the funnel has \(steps) step\(steps == 1 ? "" : "s")"
        case .optionalStep(let step): "step \(step) is optional, and nobody has to take it: give a required one"
        case .notTogether(let what): "why does not go with \(what)"
        }
    }
}

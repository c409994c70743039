import Basics
import EventFiles

/// One event as the question why keeps it: 24 bytes.
struct WhyEvent: TimedEvent {
    var time: Int64
    var steps: UInt32
    var exclusions: UInt32
    var name: UInt32
    /// The index of the event's details, plus 1; 0 if it has none.
    var detail: UInt32
}

/// Finds the forks of one key after the other, and whether their attempts went on.
final class WhyForks {
    /// The first attempt of a visit that reaches the fork: its time to go on is over, and the fork is not too near to the first event read.
    struct Found {
        var user: UInt32
        var isConverted: Bool
        var event: WhyEvent
        /// The key's events at the fork and in the time before it.
        var before: [WhyEvent]
    }

    /// How many visits came to the fork and are left out.
    private(set) var (open, early, spoilt) = (0, 0, 0)

    private let definition: WhyDefinition
    private let funnel: FunnelDefinition
    /// Engines that follow attempts to the fork, and to the step behind it.
    private let toFork: any ChainEngine
    private let toStep: any ChainEngine
    private let visits: VisitFold
    /// The exclusions that matter before the fork, and before the step behind it, by their numbers.
    private let forkExclusions: [Int]
    private let stepExclusions: [Int]
    private let first: Int64
    private let dataEnd: Int64
    /// The first millisecond in which a start is no longer mature.
    private let matureUntil: Int64?
    private let starts: StartRange
    private var ofKey: [StepEvent] = []
    private var ofStart: [StepEvent] = []

    init(_ definition: WhyDefinition, first: Int64, dataEnd: Int64) throws(FunnelDefinitionError) {
        (self.definition, funnel, self.first, self.dataEnd) = (definition, definition.funnel, first, dataEnd)
        let forkSteps = definition.forkStep + 1
        forkExclusions = funnel.exclusions.indices.filter { [funnel] in funnel.exclusions[$0].clipped(to: forkSteps) != nil }
        stepExclusions = funnel.exclusions.indices.filter { [funnel] in funnel.exclusions[$0].clipped(to: definition.step) != nil }
        var ofFork = try funnel.firstSteps(forkSteps)
        // Where users are counted, all starts of a key are one visit.
        ofFork.sessionTimeoutMilliseconds = definition.countsVisits ? funnel.sessionTimeoutMilliseconds : .max
        toFork = ofFork.engine()
        let ofStep = try funnel.firstSteps(definition.step)
        toStep = ofStep.engine()
        matureUntil = ofStep.windowEnded(before: dataEnd)
        visits = VisitFold(ofFork, toFork, values: [])
        starts = StartRange(funnel)
        visits.onSpoilt = { [unowned self] visit in
            if toFork.spoiltDepth > definition.forkStep && starts.contains(visit.first) { spoilt += 1 }
        }
    }

    /// Calls `body` with each fork of a key, whose events come by rising time.
    ///
    /// - Parameter hold: the number of an event's session, or of its user where the key is a session; 0 for an event without details.
    func follow(_ key: UInt32, _ all: UnsafeBufferPointer<WhyEvent>, hold: (WhyEvent) -> UInt32, _ body: (Found) -> Void) {
        let countsVisits = definition.countsVisits
        ofKey.removeAll(keepingCapacity: true)
        for event in all {
            var step = event.step(ofFirst: definition.forkStep + 1, forkExclusions)
            if !countsVisits && !starts.contains(event.time) { step.steps &= ~1 }
            if step.steps | step.exclusions == 0 && !funnel.order.keepsUnmatched { continue }
            if countsVisits || funnel.key == .session { step.hold = hold(event) }
            ofKey.append(step)
        }
        ofKey.withUnsafeBufferPointer { events in
            visits.follow(key, events, dataEnd: .max) { chain, visit in
                guard chain.depth > definition.forkStep, starts.contains(visit.first) else { return }
                take(visit, all, from: chain.start, to: chain.times[definition.forkStep], body)
            }
        }
    }

    private func take(_ visit: Visit, _ all: UnsafeBufferPointer<WhyEvent>, from start: Int64, to time: Int64, _ body: (Found) -> Void) {
        let isSilent = funnel.key == .session && all[all.count - 1].time <= dataEnd.subtractingClamped(funnel.sessionTimeoutMilliseconds)
        if let matureUntil, (definition.countsVisits ? visit.last : start) >= matureUntil, !isSilent {
            open += 1
            return
        }
        if UInt64(bitPattern: time &- first) < UInt64(definition.lookBackMilliseconds) {
            early += 1
            return
        }
        // That attempt alone: events before its start are left out, and later ones start nothing.
        ofStart.removeAll(keepingCapacity: true)
        let end = start.addingClamped(funnel.windowMilliseconds)
        for event in all[all.partitionPoint { $0.time >= start }...].prefix(while: { $0.time <= end }) {
            var step = event.step(ofFirst: definition.step, stepExclusions)
            if event.time > start { step.steps &= ~1 }
            if step.steps | step.exclusions != 0 || funnel.order.keepsUnmatched { ofStart.append(step) }
        }
        var isConverted = false
        ofStart.withUnsafeBufferPointer { events in
            toStep.follow(events, dataEnd: .max) { chain in isConverted = chain.depth >= definition.step }
        }
        if !isConverted && toStep.spoiltDepth > 0 {
            spoilt += 1
            return
        }
        let earliest = time.subtractingClamped(definition.lookBackMilliseconds)
        let bit: UInt32 = 1 << UInt32(definition.forkStep)
        let outcome: UInt32 = 1 << UInt32(definition.step - 1)
        var fork: WhyEvent?
        var before: [WhyEvent] = []
        for event in all[all.partitionPoint { $0.time >= earliest }...].prefix(while: { $0.time <= time }) {
            // If several events of the fork's millisecond fit its step, the one whose name came first in the data is taken.
            if event.time == time, event.steps & bit != 0, event.name < fork?.name ?? .max { fork = event }
            // An event of the fork's millisecond that takes the step behind it is the outcome, and does not come before the fork.
            if event.time == time && event.steps & outcome != 0 && event.steps & bit == 0 { continue }
            before.append(event)
        }
        if let fork { body(Found(user: visit.user, isConverted: isConverted, event: fork, before: before)) }
    }
}

extension WhyEvent {
    /// The event in a funnel of the first steps, with some of the exclusions, by their numbers.
    fileprivate func step(ofFirst count: Int, _ kept: [Int]) -> StepEvent {
        var step = StepEvent(time: time, steps: steps & UInt32.max >> UInt32(32 - count))
        if exclusions != 0 {
            for (index, number) in kept.enumerated() where exclusions >> UInt32(number) & 1 == 1 { step.exclusions |= 1 << UInt32(index) }
        }
        return step
    }
}

extension FunnelDefinition {
    /// The first steps of this funnel, with what applies to them, and starts at any time.
    fileprivate func firstSteps(_ count: Int) throws(FunnelDefinitionError) -> FunnelDefinition {
        try FunnelDefinition(
            steps: Array(steps.prefix(count)), windowMilliseconds: windowMilliseconds, stepWindowMilliseconds: stepWindowMilliseconds,
            key: key, order: order, exclusions: exclusions.compactMap { $0.clipped(to: count) }, identify: identify)
    }
}

extension FunnelExclusion {
    /// The exclusion in a funnel of the first steps only; `nil` if it holds only behind them.
    fileprivate func clipped(to count: Int) -> FunnelExclusion? {
        guard let steps else { return count > 1 ? self : nil }
        let last = min(steps.upperBound, count)
        return steps.lowerBound < last ? FunnelExclusion(pattern, steps: steps.lowerBound...last, spoils: spoils) : nil
    }
}

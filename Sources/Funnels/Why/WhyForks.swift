import EventFiles

/// One event as the question why keeps it: 24 bytes.
struct WhyEvent: TimedEvent {
    var time: Int64
    var steps: UInt32
    var exclusions: UInt32
    /// The name's number.
    var name: UInt32
    /// The place of the event's details and 1; 0 if it can be no fork.
    var detail: UInt32
}

/// Finds the fork of one key after the other, and where it led.
final class WhyForks {
    /// What became of a key.
    enum Fate {
        /// It never came to the fork.
        case none
        case open
        case early
        case spoilt
        /// Whether it went on; its events at the fork and in the time before it, and the fork's own.
        case counted(isConverted: Bool, fork: WhyEvent, before: ArraySlice<WhyEvent>)
    }

    private let definition: WhyDefinition
    /// To the fork, and to the step behind it.
    private let toFork: any ChainEngine
    private let toStep: any ChainEngine
    private let keepsUnmatched: Bool
    /// The exclusions that matter before the fork, and before the step behind it, by their numbers.
    private let forkExclusions: [Int]
    private let stepExclusions: [Int]
    private let first: Int64
    /// The first millisecond in which a start is no longer mature.
    private let matureUntil: Int64
    private var events: [StepEvent] = []

    init(_ definition: WhyDefinition, first: Int64, dataEnd: Int64) throws(FunnelDefinitionError) {
        self.definition = definition
        self.first = first
        let funnel = definition.funnel
        let forkSteps = definition.forkStep + 1
        forkExclusions = funnel.exclusions.indices.filter { funnel.exclusions[$0].clipped(to: forkSteps) != nil }
        stepExclusions = funnel.exclusions.indices.filter { funnel.exclusions[$0].clipped(to: definition.step) != nil }
        toFork = try funnel.firstSteps(forkSteps).engine()
        // Its attempt is chosen already: no range of starts.
        toStep = try funnel.firstSteps(definition.step, isRanged: false).engine()
        keepsUnmatched = funnel.order.keepsUnmatched
        let (last, overflow) = dataEnd.subtractingReportingOverflow(try funnel.firstSteps(definition.step).millisecondsToMature)
        matureUntil = overflow ? .min : last
    }

    /// - Parameter all: of one key, by rising time.
    func fate(of all: UnsafeBufferPointer<WhyEvent>) -> Fate {
        load(all, steps: definition.forkStep + 1, exclusions: forkExclusions)
        var found: (start: Int64, time: Int64)?
        events.withUnsafeBufferPointer { events in
            toFork.follow(events, dataEnd: .max) { chain in
                if chain.depth > definition.forkStep { found = (chain.start, chain.times[definition.forkStep]) }
            }
        }
        guard let found else { return toFork.spoiltDepth > definition.forkStep ? .spoilt : .none }
        if found.start > matureUntil { return .open }
        if UInt64(bitPattern: found.time &- first) < UInt64(definition.lookBackMilliseconds) { return .early }

        // That attempt alone: what came before its start is gone, and later starts are none.
        load(all, steps: definition.step, exclusions: stepExclusions, from: found.start)
        var isConverted = false
        events.withUnsafeBufferPointer { events in
            toStep.follow(events, dataEnd: .max) { chain in isConverted = chain.depth >= definition.step }
        }
        if !isConverted && toStep.spoiltDepth > 0 { return .spoilt }
        return counted(all, at: found.time, isConverted: isConverted)
    }

    /// - Parameters:
    ///   - count: how many steps there are.
    ///   - exclusions: which of them count, by their numbers.
    ///   - start: of the only attempt; `nil` for all attempts.
    private func load(_ all: UnsafeBufferPointer<WhyEvent>, steps count: Int, exclusions kept: [Int], from start: Int64? = nil) {
        events.removeAll(keepingCapacity: true)
        let known = UInt32.max >> UInt32(32 - count)
        for event in all {
            var step = StepEvent(time: event.time, steps: event.steps & known, exclusions: event.exclusions)
            if event.exclusions != 0 {
                step.exclusions = 0
                for (place, number) in kept.enumerated() where event.exclusions >> UInt32(number) & 1 == 1 {
                    step.exclusions |= 1 << UInt32(place)
                }
            }
            if let start {
                if event.time < start { continue }
                if event.time > start { step.steps &= ~1 }
            }
            if keepsUnmatched || step.steps | step.exclusions != 0 { events.append(step) }
        }
    }

    private func counted(_ all: UnsafeBufferPointer<WhyEvent>, at time: Int64, isConverted: Bool) -> Fate {
        let (sum, overflow) = time.subtractingReportingOverflow(definition.lookBackMilliseconds)
        let earliest = overflow ? Int64.min : sum
        let bit: UInt32 = 1 << UInt32(definition.forkStep)
        let outcome: UInt32 = 1 << UInt32(definition.step - 1)
        var fork: WhyEvent?
        var before: [WhyEvent] = []
        for event in all where event.time >= earliest && event.time <= time {
            // Of several in the fork's millisecond the one whose name came first in the data.
            if event.time == time, event.steps & bit != 0, event.name < fork?.name ?? .max { fork = event }
            // What took the step behind the fork in its millisecond is the outcome, not what came before it.
            if event.time == time && event.steps & outcome != 0 && event.steps & bit == 0 { continue }
            before.append(event)
        }
        guard let fork else { return .none }
        return .counted(isConverted: isConverted, fork: fork, before: before[...])
    }
}

extension FunnelDefinition {
    /// The first steps of this funnel, with what applies to them.
    func firstSteps(_ count: Int, isRanged: Bool = true) throws(FunnelDefinitionError) -> FunnelDefinition {
        try FunnelDefinition(
            steps: Array(steps.prefix(count)), windowMilliseconds: windowMilliseconds, stepWindowMilliseconds: stepWindowMilliseconds,
            key: key, order: order, exclusions: exclusions.compactMap { $0.clipped(to: count) }, since: isRanged ? since : nil,
            until: isRanged ? until : nil, identify: identify)
    }
}

extension FunnelExclusion {
    /// The exclusion in a funnel of the first steps only; `nil` if it holds behind them.
    fileprivate func clipped(to count: Int) -> FunnelExclusion? {
        guard let steps else { return count > 1 ? self : nil }
        let last = min(steps.upperBound, count)
        return steps.lowerBound < last ? FunnelExclusion(pattern, steps: steps.lowerBound...last, spoils: spoils) : nil
    }
}

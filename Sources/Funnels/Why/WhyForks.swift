import Basics

/// One event as the question why keeps it: 24 bytes.
struct WhyEvent: SteppedEvent {
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
        /// The names of the key's events at the fork and in the time before it, and how often each came.
        var before: [UInt32: UInt32]
    }

    /// How many visits came to the fork and are left out.
    private(set) var (open, early, spoilt) = (0, 0, 0)
    /// How many events were looked at to learn what came before forks and behind them.
    private(set) var looks = 0

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
    /// The key's forks before it is known what came behind them.
    private var reached: [(user: UInt32, start: Int64, time: Int64)] = []
    /// For each step, the times of the events that fit it.
    private var times: [[Int64]]
    private var moment: StepSets

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
        (times, moment) = (Array(repeating: [], count: definition.step), StepSets(stepCount: definition.step))
        matureUntil = ofStep.windowEnded(before: dataEnd)
        visits = VisitFold(ofFork, toFork, values: [])
        starts = StartRange(funnel)
        visits.onSpoilt = { [unowned self] visit in
            if toFork.spoiltDepth > definition.forkStep && starts.contains(visit.first) { spoilt += 1 }
        }
    }

    /// Calls `body` with each fork of a key by rising time, as its events come.
    ///
    /// - Parameter hold: the number of an event's session, or of its user where the key is a session; 0 for an event without details.
    /// - Complexity: O(events + forks · (log events + names before a fork)). Funnels for ``GeneralChains`` add each fork's window.
    func follow(_ key: UInt32, _ all: UnsafeBufferPointer<WhyEvent>, hold: (WhyEvent) -> UInt32, _ body: (Found) -> Void) {
        let countsVisits = definition.countsVisits
        ofKey.removeAll(keepingCapacity: true)
        reached.removeAll(keepingCapacity: true)
        for step in times.indices { times[step].removeAll(keepingCapacity: true) }
        for event in all {
            for step in event.steps.bitNumbers where step < times.count { times[step].append(event.time) }
            var step = event.step(ofFirst: definition.forkStep + 1, forkExclusions)
            if !countsVisits && !starts.contains(event.time) { step.steps &= ~1 }
            if step.steps | step.exclusions == 0 && !funnel.order.keepsUnmatched { continue }
            if countsVisits || funnel.key == .session { step.hold = hold(event) }
            ofKey.append(step)
        }
        let isSilent = funnel.key == .session && all[all.count - 1].time <= dataEnd.subtractingClamped(funnel.sessionTimeoutMilliseconds)
        ofKey.withUnsafeBufferPointer { events in
            visits.follow(key, events, dataEnd: .max) { chain, visit in
                guard chain.depth > definition.forkStep, starts.contains(visit.first) else { return }
                let time = chain.times[definition.forkStep]
                if let matureUntil, (countsVisits ? visit.last : chain.start) >= matureUntil, !isSilent {
                    open += 1
                } else if UInt64(bitPattern: time &- first) < UInt64(definition.lookBackMilliseconds) {
                    early += 1
                } else {
                    reached.append((visit.user, chain.start, time))
                }
            }
        }
        reached.sort { $0.time < $1.time }
        takeReached(all, body)
    }

    /// Moves a window over the events: those in the time before each fork.
    private func takeReached(_ all: UnsafeBufferPointer<WhyEvent>, _ body: (Found) -> Void) {
        let (bit, outcome): (UInt32, UInt32) = (1 << UInt32(definition.forkStep), 1 << UInt32(definition.step - 1))
        var (low, high) = (0, 0)
        var (event, had, after) = (WhyEvent?.none, [UInt32: UInt32](), [UInt32]())
        for fork in reached {
            if high == 0 || all[high - 1].time < fork.time {
                for name in after { had[name, default: 0] += 1 }
                (event, after) = (nil, [])
                while high < all.count && all[high].time <= fork.time {
                    let one = all[high]
                    high += 1
                    // An event of the fork's millisecond that takes the step behind it is the outcome, and does not come before the fork.
                    let isOutcome = one.time == fork.time && one.steps & (bit | outcome) == outcome
                    if isOutcome { after.append(one.name) } else { had[one.name, default: 0] += 1 }
                    // If several events of the fork's millisecond fit its step, the one whose name came first in the data is taken.
                    if one.time == fork.time, one.steps & bit != 0, one.name < event?.name ?? .max { event = one }
                }
                while all[low].time < fork.time.subtractingClamped(definition.lookBackMilliseconds) {
                    had[all[low].name] = had[all[low].name].flatMap { $0 > 1 ? $0 - 1 : nil }
                    low += 1
                }
            }
            let isConverted = goesOn(all[all.partitionPoint { $0.time >= fork.start }...])
            if !isConverted && toStep.spoiltDepth > 0 {
                spoilt += 1
            } else if let event {
                body(Found(user: fork.user, isConverted: isConverted, event: event, before: had))
            }
        }
        looks += low + high
    }

    /// Whether an attempt goes on alone: events before its start are left out, and later ones start nothing.
    private func goesOn(_ events: Slice<UnsafeBufferPointer<WhyEvent>>) -> Bool {
        let start = events[events.startIndex].time
        let end = start.addingClamped(funnel.windowMilliseconds)
        if toStep is OrderedChains {
            // Nothing ends it: it goes from the events of one millisecond to the next event of the step that it lacks.
            var (step, time) = (0, start)
            while time <= end {
                moment.removeAll()
                for event in events[events.partitionPoint { $0.time >= time }...].prefix(while: { $0.time == time }) {
                    moment.add(event.steps & UInt32.max >> UInt32(32 - definition.step))
                    looks += 1
                }
                step = moment.end(ofRunFrom: step)
                if step >= definition.step { return true }
                let next = times[step].partitionPoint { $0 > time }
                if next == times[step].count { return false }
                time = times[step][next]
            }
            return false
        }
        let events = events.prefix { $0.time <= end }
        ofStart.removeAll(keepingCapacity: true)
        for event in events {
            var step = event.step(ofFirst: definition.step, stepExclusions)
            if event.time > start { step.steps &= ~1 }
            if step.steps | step.exclusions != 0 || funnel.order.keepsUnmatched { ofStart.append(step) }
        }
        looks += events.count
        var isConverted = false
        ofStart.withUnsafeBufferPointer { events in
            toStep.follow(events, dataEnd: .max) { chain in isConverted = chain.depth >= definition.step }
        }
        return isConverted
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

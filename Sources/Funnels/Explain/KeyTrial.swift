import EventFiles

/// One event of a key as the search changes it.
struct TrialEvent {
    var time: Int64
    /// The steps and exclusions whose names it has, and path by path those whose tests hold.
    var named: UInt64
    var holding: [UInt64]
    var hold = Fingerprint.none
    var session = Fingerprint.none
    /// When the line of its session was written that counts for it; `nil` without one.
    var line: Int64?
    var texts: ExplainedTexts?

    /// The steps and exclusions that it fits.
    var fitting: UInt64 { holding.reduce(named) { $0 & $1 } }
    var steps: UInt32 { UInt32(truncatingIfNeeded: fitting) }
    var exclusions: UInt32 { UInt32(truncatingIfNeeded: fitting >> 32) }
}

/// Lets the engine of a funnel count one key's events, as they are or changed.
final class KeyTrial {
    /// How far the engine counts a key.
    struct Reach {
        /// The last step of the best chain; 0 for none.
        var depth = 0
        var taken: UInt32 = 0
        var times: [Int64] = []
        /// Whether an attempt could still go on when the data ended.
        var isOpen = false
    }

    let definition: FunnelDefinition
    let dataEnd: Int64
    /// When attempts may begin for the key to count.
    let starts: StartRange
    let matcher: StepMatcher
    private let paths: TestedPaths
    private let contexts: SessionContexts
    private let engine: any ChainEngine
    private let fold: GroupFold?
    private var plain: [StepEvent] = []
    private var grouped: [GroupEvent] = []
    /// How many events the engine has followed.
    private(set) var work = 0

    init(_ asked: AskedFunnel, _ contexts: SessionContexts, dataEnd: Int64) {
        (definition, matcher, paths) = (asked.definition, asked.matcher, asked.paths)
        (self.contexts, self.dataEnd) = (contexts, dataEnd)
        starts = StartRange(definition).before(definition.starts == .mature ? definition.matureUntil(dataEnd: dataEnd) : nil)
        engine = definition.engine()
        fold = definition.hold == nil ? nil : GroupFold(definition, engine, values: [])
    }

    /// The text at a tested path of an event's session; `nil` where there is none.
    func value(_ path: Int, of event: TrialEvent) -> String? {
        let number = paths.all[..<path].count { $0.source == .session }
        return contexts.value(number, of: event.session, at: event.time).map { String(decoding: $0, as: UTF8.self) }
    }

    /// An event at another time, when another line of its session may count.
    func moved(_ event: TrialEvent, to time: Int64) -> TrialEvent {
        var moved = event
        moved.time = time
        let line = contexts.line(of: event.session, at: time)
        if line == event.line { return moved }
        moved.holding = paths.answered(event.holding, in: event.session, at: time, contexts)
        moved.line = line
        // Whose it would be then is another question.
        if case .context = definition.key { moved.named = 0 }
        return moved
    }

    /// - Parameters:
    ///   - events: by rising time.
    ///   - isRanged: whether only starts in the range count.
    func reach(_ events: [TrialEvent], isRanged: Bool = true) -> Reach {
        work += events.count + 1
        let range = isRanged ? starts : StartRange()
        var reach = Reach()
        func note(_ chain: FunnelChain) {
            reach = Reach(
                depth: chain.depth, taken: chain.taken, times: (0..<chain.depth).map { chain.times[$0] }, isOpen: chain.isOpen)
        }
        let keepsAll = definition.order.keepsUnmatched
        plain.removeAll(keepingCapacity: true)
        grouped.removeAll(keepingCapacity: true)
        for event in events {
            let step = StepEvent(time: event.time, steps: event.steps, exclusions: event.exclusions)
            if step.steps | step.exclusions == 0 && !keepsAll { continue }
            if fold == nil {
                plain.append(step)
            } else if !event.hold.isNone {
                grouped.append(GroupEvent(event: step, value: 0, hold: event.hold))
            }
        }
        if let fold {
            let part = StartSelection.Part(range: range, counts: .all)
            grouped.withUnsafeBufferPointer { fold.follow($0, [part], dataEnd: dataEnd) { chain, _, _ in note(chain) } }
        } else {
            engine.limitStarts(to: range)
            plain.withUnsafeBufferPointer { events in
                engine.follow(events.reached(from: range, window: definition.windowMilliseconds), dataEnd: dataEnd, note)
            }
        }
        return reach
    }

    func converts(_ events: [TrialEvent], isRanged: Bool = true) -> Bool {
        reach(events, isRanged: isRanged).depth > definition.lastRequiredStep
    }
}

/// Where one more event could complete a chain, if nothing but the order of steps and the window mattered: what this rules out no engine
/// counts, so that the engine need not be asked.
///
/// For each time of an event it knows how late an attempt can have begun that has taken the first n required steps, and how early the
/// others can be done. For steps in any order each has to lie within a window.
struct PossibleChains {
    private let required: [Int]
    private let window: UInt64
    private let starts: StartRange
    private let isOrdered: Bool
    private var times: [Int64] = []
    /// By the number of steps taken, then by time.
    private var begun: [[Int64]]
    private var ended: [[Int64]]
    /// For each step the times of its events.
    private var timesOfStep: [[Int64]]

    /// - Parameter events: by rising time.
    init(_ events: [TrialEvent], _ definition: FunnelDefinition, _ starts: StartRange) {
        required = definition.steps.indices.filter { !definition.steps[$0].isOptional }
        window = UInt64(definition.windowMilliseconds)
        isOrdered = definition.order.numbersSteps
        self.starts = starts
        timesOfStep = definition.steps.map { _ in [] }
        for event in events {
            for step in event.steps.bitNumbers { timesOfStep[step].append(event.time) }
            if times.last != event.time { times.append(event.time) }
        }
        begun = Array(repeating: Array(repeating: .min, count: times.count), count: required.count)
        ended = Array(repeating: Array(repeating: .max, count: times.count), count: required.count)
        var moments = times.map { _ in UInt32(0) }
        var moment = -1
        for event in events {
            if moment < 0 || times[moment] != event.time { moment += 1 }
            moments[moment] |= event.steps
        }
        for (moment, time) in times.enumerated() {
            for (number, step) in required.enumerated() {
                if moment > 0 { begun[number][moment] = begun[number][moment - 1] }
                guard moments[moment] >> UInt32(step) & 1 == 1 else { continue }
                let start = number > 0 ? begun[number - 1][moment] : starts.contains(time) ? time : .min
                begun[number][moment] = max(begun[number][moment], start)
            }
        }
        for moment in times.indices.reversed() {
            for (number, step) in required.enumerated().reversed() {
                if moment + 1 < times.count { ended[number][moment] = ended[number][moment + 1] }
                guard moments[moment] >> UInt32(step) & 1 == 1 else { continue }
                let end = number + 1 < required.count ? ended[number + 1][moment] : times[moment]
                ended[number][moment] = min(ended[number][moment], end)
            }
        }
    }

    /// Whether an event at a time that takes a step may complete a chain.
    func allow(_ step: Int, at time: Int64) -> Bool {
        guard isOrdered else { return isWindowFull(around: time, but: step) }
        let before = required.count { $0 < step }
        let start = before > 0 ? begun(before - 1, by: time) : starts.contains(time) ? time : .min
        let next = before + (required.contains(step) ? 1 : 0)
        return fits(start, next < required.count ? ended(next, from: time) : time)
    }

    /// Whether a chain that is there already reaches over a time.
    func reach(over time: Int64) -> Bool {
        guard isOrdered else { return isWindowFull(around: time, but: nil) }
        return required.count < 2 || (1..<required.count).contains { fits(begun($0 - 1, by: time), ended($0, from: time)) }
    }

    private func fits(_ start: Int64, _ end: Int64) -> Bool { start != .min && end != .max && UInt64(bitPattern: end &- start) <= window }

    private func isWindowFull(around time: Int64, but step: Int?) -> Bool {
        required.allSatisfy { one in
            if one == step { return true }
            let times = timesOfStep[one]
            let index = times.partitionPoint { $0 >= time || UInt64(bitPattern: time &- $0) <= window }
            return index < times.count && (times[index] <= time || UInt64(bitPattern: times[index] &- time) <= window)
        }
    }

    private func begun(_ number: Int, by time: Int64) -> Int64 {
        let index = times.partitionPoint { $0 > time }
        return index == 0 ? .min : begun[number][index - 1]
    }

    private func ended(_ number: Int, from time: Int64) -> Int64 {
        let index = times.partitionPoint { $0 >= time }
        return index == times.count ? .max : ended[number][index]
    }
}

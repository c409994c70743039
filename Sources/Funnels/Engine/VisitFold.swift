/// A visit of a key: the starts of one session; or, if they have none, a run of starts with less than the session timeout between them.
struct Visit {
    /// When its first start and its last start were, in milliseconds since 1970 UTC.
    var first: Int64
    var last: Int64
    /// The number of its user, the same for all visits of that user.
    var user: UInt32
    /// The number of its group's value, 0 for none.
    var group: UInt32 = 0
    /// Whether it had a value of the breakdown's property when it began; not asked where the breakdown takes all values.
    var isKnownAtStart = false
    /// How deep the best of its starts got so far.
    var depth = 0
    /// The time of the event that its group's value comes from.
    var groupTime: Int64 = 0
}

/// Follows one key's visits. A visit belongs to the time of its first start, and its chain is the best of its starts.
///
/// In a plain funnel, if no event fits two steps, one walk through a key's events follows all of its starts, because the next event of each
/// step only moves forward. That costs O(events) for a given number of steps. Else the engine follows each visit, as far as its window
/// reaches: O(visits · events within a window).
final class VisitFold {
    private let engine: any ChainEngine
    private let attribution: FunnelBreakdown.Attribution?
    /// Texts of the breakdown's values; a value's number is the index + 1.
    private let values: [[UInt8]]
    /// Whether the funnel is plain: ordered steps, none of them optional, without exclusions and step windows.
    private let isPlain: Bool
    private let countsSessions: Bool
    private let keepsAll: Bool
    private let timeout: Int64
    private let window: UInt64
    /// How long after its start an attempt may take its last step.
    private let reach: UInt64
    private let chain: FunnelChain
    private let previous: [Int]
    private let range: StartRange
    @exclusivity(unchecked) private var visits: [Visit] = []
    /// For each session's number, the index of its last visit + 1; 0 without a visit.
    @exclusivity(unchecked) private var visitOfSession: [UInt32] = []
    /// The number of each visit's session.
    @exclusivity(unchecked) private var sessions: [UInt32] = []
    /// The visits whose starts have no session.
    @exclusivity(unchecked) private var withoutSession: [Int] = []
    /// The visit of each start, in the order of events.
    @exclusivity(unchecked) private var visitOfStart: [Int] = []
    /// For each visit, the times of the steps that its best start so far reached.
    @exclusivity(unchecked) private var times: [Int64] = []
    /// For each step, the index of the event from which the walk looks for it next, and the time at which the current start reached it.
    @exclusivity(unchecked) private var next: [Int]
    @exclusivity(unchecked) private var own: [Int64]
    @exclusivity(unchecked) private var run: [StepEvent] = []
    /// Gets each visit that the engine follows and that has a spoilt attempt.
    var onSpoilt: (Visit) -> Void = { _ in }

    init(_ definition: FunnelDefinition, _ engine: any ChainEngine, values: [[UInt8]]) {
        self.engine = engine
        self.values = values
        attribution = definition.breakdown?.attribution
        isPlain = engine is OrderedChains
        (countsSessions, keepsAll) = (definition.key == .session, definition.order.keepsUnmatched)
        (timeout, window) = (definition.sessionTimeoutMilliseconds, UInt64(definition.windowMilliseconds))
        reach = UInt64(definition.millisecondsToMature)
        range = StartRange(definition)
        chain = FunnelChain(stepCount: definition.steps.count)
        previous = definition.steps.indices.map(definition.requiredStep(before:))
        (next, own) = (previous.map { _ in 0 }, previous.map { _ in 0 })
    }

    /// - Parameters:
    ///   - events: all of the key by rising time, or of one value. ``StepEvent/hold`` is the session, or where these are keys the user.
    ///   - body: gets each visit with its chain.
    func follow(_ key: UInt32, _ events: UnsafeBufferPointer<StepEvent>, dataEnd: Int64, _ body: (FunnelChain, Visit) -> Void) {
        // A key without a start in the range has no visit in it.
        guard events.contains(where: { $0.steps & 1 == 1 && range.contains($0.time) }) else { return }
        divide(key, events)
        findGroups(events)
        if isPlain && events.allSatisfy({ $0.steps & ($0.steps &- 1) == 0 }) {
            walk(events)
            for visit in visits.indices where range.contains(visits[visit].first) {
                let depth = visits[visit].depth
                times.withUnsafeBufferPointer { all in
                    guard let base = all.baseAddress else { return }
                    chain.set(depth: depth, times: base + visit * chain.stepCount, previous: previous)
                }
                chain.isOpen = depth < chain.stepCount && visits[visit].last.isOpen(for: window, at: dataEnd)
                emit(visit, chain, events, body)
            }
        } else {
            engine.rules.starts = StartRange()
            var (index, start) = (0, 0)
            for visit in visits.indices where range.contains(visits[visit].first) {
                while events[index].time < visits[visit].first {
                    start += Int(events[index].steps & 1)
                    index += 1
                }
                take(visit, events[index...], start)
                run.withUnsafeBufferPointer { engine.follow($0, dataEnd: dataEnd) { emit(visit, $0, events, body) } }
                if engine.spoiltDepth > 0 { onSpoilt(visits[visit]) }
            }
        }
    }

    private func emit(_ visit: Int, _ chain: FunnelChain, _ events: UnsafeBufferPointer<StepEvent>, _ body: (FunnelChain, Visit) -> Void) {
        if case .step(let step)? = attribution {
            let bit: UInt32 = 1 << UInt32(step - 1)
            visits[visit].group = chain.taken & bit != 0 ? events.value(at: chain.times[step - 1], of: bit, values) : 0
        }
        body(chain, visits[visit])
    }

    /// Finds the visits, in the order of their first starts.
    private func divide(_ key: UInt32, _ events: UnsafeBufferPointer<StepEvent>) {
        for session in sessions { visitOfSession[Int(session)] = 0 }
        sessions.removeAll(keepingCapacity: true)
        visits.removeAll(keepingCapacity: true)
        visitOfStart.removeAll(keepingCapacity: true)
        withoutSession.removeAll(keepingCapacity: true)
        for event in events where event.steps & 1 == 1 {
            let session = countsSessions ? 1 : event.hold
            if let known = visit(of: session), session != 0 || event.time &- visits[known].last < timeout {
                visits[known].last = event.time
                if visits[known].user == 0 { visits[known].user = event.hold }
                visitOfStart.append(known)
            } else {
                if session >= visitOfSession.count {
                    visitOfSession += repeatElement(0, count: Int(session) + 1024 + visitOfSession.count / 2 - visitOfSession.count)
                }
                visitOfSession[Int(session)] = UInt32(visits.count + 1)
                sessions.append(session)
                if session == 0 { withoutSession.append(visits.count) }
                visitOfStart.append(visits.count)
                visits.append(Visit(first: event.time, last: event.time, user: countsSessions ? event.hold : key))
            }
        }
        for visit in visits.indices where visits[visit].user == 0 { visits[visit].user = key }
    }

    @inline(__always)
    private func visit(of session: UInt32) -> Int? {
        guard session < visitOfSession.count, visitOfSession[Int(session)] != 0 else { return nil }
        return Int(visitOfSession[Int(session)]) - 1
    }

    /// Finds each visit's group: the first or the last value of its own events, from its first start on.
    private func findGroups(_ events: UnsafeBufferPointer<StepEvent>) {
        guard let attribution else { return }
        if attribution == .all, let value = events.first?.value {
            for visit in visits.indices { visits[visit].group = value }
            return
        }
        // The index in `withoutSession` of the visit that events without a session belong to now; -1 before the first.
        var loose = -1
        for event in events {
            var visit: Int? = 0
            if !countsSessions {
                while loose + 1 < withoutSession.count, visits[withoutSession[loose + 1]].first <= event.time { loose += 1 }
                visit = event.hold != 0 ? self.visit(of: event.hold) : loose < 0 ? nil : withoutSession[loose]
            }
            guard let visit, event.steps != 0, event.value != 0, event.time >= visits[visit].first,
                countsSessions || event.hold != 0 || event.time &- visits[visit].last < timeout
            else { continue }
            if event.time == visits[visit].first && event.steps & 1 == 1 { visits[visit].isKnownAtStart = true }
            if attribution == .last && event.time > visits[visit].groupTime { visits[visit].group = 0 }
            note(event, for: &visits[visit])
        }
    }

    /// Takes an event's value if the visit has none yet, or has one of the same millisecond that sorts after it.
    private func note(_ event: StepEvent, for visit: inout Visit) {
        if visit.group != 0 {
            guard event.time == visit.groupTime, values[Int(event.value) - 1].lexicographicallyPrecedes(values[Int(visit.group) - 1])
            else { return }
        }
        (visit.group, visit.groupTime) = (event.value, event.time)
    }

    /// Follows all starts at once. Keeps for each visit the deepest; of equally deep starts the first to get there, then the last to begin.
    ///
    /// No event fits two steps, so within a millisecond each attempt can take the step that it wants next, in any order of the events.
    private func walk(_ events: UnsafeBufferPointer<StepEvent>) {
        let count = chain.stepCount
        if times.count < visits.count * count { times = Array(repeating: 0, count: visits.count * count * 2) }
        for step in 0..<count { next[step] = 0 }
        var start = 0
        for event in events where event.steps & 1 == 1 {
            let visit = visitOfStart[start]
            start += 1
            if !range.contains(visits[visit].first) { continue }
            own[0] = event.time
            var depth = 1
            while depth < count {
                var index = next[depth]
                while index < events.count, events[index].steps >> UInt32(depth) & 1 == 0 || events[index].time < own[depth - 1] {
                    index += 1
                }
                next[depth] = index
                guard index < events.count, UInt64(bitPattern: events[index].time &- event.time) <= window else { break }
                own[depth] = events[index].time
                depth += 1
            }
            let base = visit * count
            let isBetter = depth != visits[visit].depth ? depth > visits[visit].depth : own[depth - 1] <= times[base + depth - 1]
            guard isBetter else { continue }
            visits[visit].depth = depth
            for step in 0..<depth { times[base + step] = own[step] }
        }
    }

    /// The events that a visit's starts can reach, with no other starts among them.
    ///
    /// - Parameter start: the number of the first start in `events`.
    private func take(_ visit: Int, _ events: Slice<UnsafeBufferPointer<StepEvent>>, _ start: Int) {
        run.removeAll(keepingCapacity: true)
        let last = visits[visit].last
        var (start, behind) = (start, 0)
        for event in events {
            if event.time > last {
                if UInt64(bitPattern: event.time &- last) > reach { break }
                // In strict order each event lets an attempt take a step, or ends it. All events of a millisecond come together.
                if keepsAll && behind >= chain.stepCount && event.time > run[run.count - 1].time { break }
                behind += 1
            }
            var own = event
            if own.steps & 1 == 1 {
                if visitOfStart[start] != visit { own.steps &= ~1 }
                start += 1
            }
            if own.steps != 0 || own.exclusions != 0 || keepsAll { run.append(own) }
        }
    }
}

import EventFiles

/// Follows the events of each key, divided by the held property if there is one, and finds the group of each chain.
final class GroupFold {
    private let engine: any ChainEngine
    private let window: Int64
    private let holds: Bool
    private let countsAttempts: Bool
    private let numbersSteps: Bool
    private let attribution: FunnelBreakdown.Attribution?
    /// Texts of the breakdown's values; a value's number is the index + 1.
    private let values: [[UInt8]]
    private let best: FunnelChain
    /// The group of all of the key's chains, unless the breakdown is by a step. It is found once, because a key may have many attempts.
    private var groupOfKey: UInt32 = 0

    init(_ definition: FunnelDefinition, _ engine: any ChainEngine, values: [[UInt8]]) {
        self.engine = engine
        window = definition.windowMilliseconds
        holds = definition.hold != nil
        countsAttempts = definition.counting == .attempts
        numbersSteps = definition.order.numbersSteps
        attribution = definition.breakdown?.attribution
        self.values = values
        best = FunnelChain(stepCount: definition.steps.count)
    }

    /// - Parameters:
    ///   - events: all of one key by rising time, or those of one value if the breakdown takes all values.
    ///   - parts: which starts are followed.
    ///   - fingerprints: those of the held property's values, by the values' numbers.
    ///   - body: gets each chain that counts, the number of its value (0 for none), and what it counts for.
    func follow(
        _ events: UnsafeBufferPointer<StepEvent>, _ parts: [StartSelection.Part], holds fingerprints: [Fingerprint], dataEnd: Int64,
        _ body: (FunnelChain, UInt32, StartSelection.Part) -> Void
    ) {
        groupOfKey =
            switch attribution {
            case .first?: events.firstValue(values) { $0.steps != 0 }
            case .last?: events.reversed().firstValue(values) { $0.steps != 0 }
            case .all?: events.first?.value ?? 0
            case .step?, nil: 0
            }
        guard holds else {
            for part in parts { follow(chainsOf: events, part, dataEnd) { body($0, self.group(of: $0, heldBy: events), part) } }
            return
        }
        // Sorted by fingerprint, because the first of equal chains counts and the order of the data must not decide which is first.
        let byHold = events.sorted { one, other in
            if one.hold == other.hold { return one.time < other.time }
            let (hold, otherHold) = (fingerprints[Int(one.hold)], fingerprints[Int(other.hold)])
            return (hold.high, hold.low) < (otherHold.high, otherHold.low)
        }
        byHold.withUnsafeBufferPointer { byHold in
            for part in parts { followHeld(byHold, part, dataEnd, body) }
        }
    }

    private func followHeld(
        _ byHold: UnsafeBufferPointer<StepEvent>, _ part: StartSelection.Part, _ dataEnd: Int64,
        _ body: (FunnelChain, UInt32, StartSelection.Part) -> Void
    ) {
        best.depth = 0
        var (found, spoiltDepth, isOpen) = (UInt32(0), 0, false)
        byHold.forEachRun(sameAs: { $0.hold == $1.hold }) { run in
            follow(chainsOf: run, part, dataEnd) { chain in
                if countsAttempts { return body(chain, self.group(of: chain, heldBy: run), part) }
                isOpen = isOpen || chain.isOpen
                if chain.depth == 0 || best.isBetter(than: chain) { return }
                let group = self.group(of: chain, heldBy: run)
                guard chain.isBetter(than: best) || self.breaksTie(chain, group, found) else { return }
                best.copy(chain)
                found = group
            }
            spoiltDepth = max(spoiltDepth, engine.spoiltDepth)
        }
        guard best.depth > 0 && best.depth >= spoiltDepth else { return }
        best.isOpen = isOpen
        body(best, found, part)
    }

    /// Whether a chain that is as good as the best one counts in its place. At the first step that they took at different times, the one
    /// that took it earlier wins; else the one with a group; else the one whose group's text sorts first. ``FunnelSQL`` chooses alike.
    private func breaksTie(_ chain: FunnelChain, _ group: UInt32, _ found: UInt32) -> Bool {
        for step in 0..<chain.depth where (chain.taken & best.taken) >> UInt32(step) & 1 == 1 && chain.times[step] != best.times[step] {
            return chain.times[step] < best.times[step]
        }
        if group == 0 || found == 0 { return group > found }
        return values[Int(group) - 1].lexicographicallyPrecedes(values[Int(found) - 1])
    }

    private func follow(
        chainsOf events: UnsafeBufferPointer<StepEvent>, _ part: StartSelection.Part, _ dataEnd: Int64, _ body: (FunnelChain) -> Void
    ) {
        engine.rules.starts = part.range
        engine.follow(events.reached(from: part.range, window: window), dataEnd: dataEnd, body)
    }

    /// The number of the value that a chain counts under.
    ///
    /// - Parameter run: the events that the chain could take.
    private func group(of chain: FunnelChain, heldBy run: UnsafeBufferPointer<StepEvent>) -> UInt32 {
        guard case .step(let step)? = attribution else { return groupOfKey }
        guard chain.taken >> UInt32(step - 1) & 1 == 1 else { return 0 }
        // The n-th event of the chain is meant, whichever step it takes.
        return run.value(at: chain.times[step - 1], of: numbersSteps ? 1 << UInt32(step - 1) : .max, values)
    }
}

extension Sequence<StepEvent> {
    /// The number of the value of the first event that has one and for which `counts` holds; in one millisecond, what sorts first. 0: none.
    ///
    /// - Parameter values: the texts; a value's number is the index + 1.
    func firstValue(_ values: [[UInt8]], where counts: (StepEvent) -> Bool) -> UInt32 {
        var found: StepEvent?
        for event in self {
            if let found, found.time != event.time { break }
            guard event.value != 0, counts(event) else { continue }
            if found.map({ values[Int(event.value) - 1].lexicographicallyPrecedes(values[Int($0.value) - 1]) }) ?? true { found = event }
        }
        return found?.value ?? 0
    }
}

extension UnsafeBufferPointer<StepEvent> {
    /// The number of the value of those events of a millisecond that fit any of `steps`; of several the first in order. 0 if there is none.
    ///
    /// - Parameter values: the texts; a value's number is the index + 1.
    /// - Complexity: O(log n + events of the millisecond)
    func value(at time: Int64, of steps: UInt32, _ values: [[UInt8]]) -> UInt32 {
        self[partitionPoint { $0.time >= time }...].prefix { $0.time == time }.firstValue(values) { $0.steps & steps != 0 }
    }
}

extension UnsafeBufferPointer {
    /// Calls `body` with each run of neighbours that are the same.
    func forEachRun(sameAs isSame: (Element, Element) -> Bool, _ body: (UnsafeBufferPointer) -> Void) {
        var start = 0
        while start < count {
            var end = start + 1
            while end < count && isSame(self[start], self[end]) { end += 1 }
            body(UnsafeBufferPointer(rebasing: self[start..<end]))
            start = end
        }
    }
}

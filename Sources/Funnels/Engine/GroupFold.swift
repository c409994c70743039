import EventFiles

/// Follows one key's events, as a held property or a breakdown divides them.
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
    ///   - fingerprints: of the held property's values, by their numbers.
    ///   - body: gets each chain that counts, the number of its value (0 for none), and what it counts for.
    func follow(
        _ events: UnsafeBufferPointer<StepEvent>, _ parts: [StartSelection.Part], holds fingerprints: [Fingerprint], dataEnd: Int64,
        _ body: (FunnelChain, UInt32, StartSelection.Part) -> Void
    ) {
        guard holds else {
            for part in parts { follow(chainsOf: events, part, dataEnd) { body($0, self.group(of: $0, heldBy: events, events), part) } }
            return
        }
        // By fingerprint, which does not depend on the order of the data: of equal chains the first counts.
        let byHold = events.sorted { one, other in
            if one.hold == other.hold { return one.time < other.time }
            let (hold, otherHold) = (fingerprints[Int(one.hold)], fingerprints[Int(other.hold)])
            return (hold.high, hold.low) < (otherHold.high, otherHold.low)
        }
        byHold.withUnsafeBufferPointer { byHold in
            for part in parts { followHeld(byHold, events, part, dataEnd, body) }
        }
    }

    private func followHeld(
        _ byHold: UnsafeBufferPointer<StepEvent>, _ events: UnsafeBufferPointer<StepEvent>, _ part: StartSelection.Part, _ dataEnd: Int64,
        _ body: (FunnelChain, UInt32, StartSelection.Part) -> Void
    ) {
        best.depth = 0
        var (found, spoiltDepth, isOpen) = (UInt32(0), 0, false)
        byHold.forEachRun(sameAs: { $0.hold == $1.hold }) { run in
            follow(chainsOf: run, part, dataEnd) { chain in
                if countsAttempts { return body(chain, self.group(of: chain, heldBy: run, events), part) }
                isOpen = isOpen || chain.isOpen
                guard chain.isBetter(than: best) else { return }
                best.copy(chain)
                found = self.group(of: chain, heldBy: run, events)
            }
            spoiltDepth = max(spoiltDepth, engine.spoiltDepth)
        }
        guard best.depth > 0 && best.depth >= spoiltDepth else { return }
        best.isOpen = isOpen
        body(best, found, part)
    }

    private func follow(
        chainsOf events: UnsafeBufferPointer<StepEvent>, _ part: StartSelection.Part, _ dataEnd: Int64, _ body: (FunnelChain) -> Void
    ) {
        engine.limitStarts(to: part.range)
        engine.follow(events.reached(from: part.range, window: window), dataEnd: dataEnd, body)
    }

    /// The number of the value that a chain counts under.
    ///
    /// - Parameters:
    ///   - run: the events that the chain could take.
    ///   - events: all of its key.
    private func group(
        of chain: FunnelChain, heldBy run: UnsafeBufferPointer<StepEvent>, _ events: UnsafeBufferPointer<StepEvent>
    ) -> UInt32 {
        switch attribution {
        case nil: return 0
        case .all: return events.first?.value ?? 0
        case .first: return events.firstValue(values) { $0.steps != 0 }
        case .last: return events.reversed().firstValue(values) { $0.steps != 0 }
        case .step(let step):
            guard chain.taken >> UInt32(step - 1) & 1 == 1 else { return 0 }
            let time = chain.times[step - 1]
            // The n-th event of the chain is meant, whichever step it takes.
            let bit: UInt32 = numbersSteps ? 1 << UInt32(step - 1) : .max
            return run[run.partitionPoint { $0.time >= time }...].prefix { $0.time == time }.firstValue(values) { $0.steps & bit != 0 }
        }
    }
}

extension Sequence<StepEvent> {
    /// The number of the first value that an event has for which `counts` holds; of several in one millisecond, the one that sorts first.
    /// 0 if there is none.
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

extension UnsafeBufferPointer {
    /// Calls `body` with each stretch of neighbours that are the same.
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

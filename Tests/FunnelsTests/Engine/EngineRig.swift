import TrackingEvents

@testable import Funnels

/// Runs an engine on the events of one key.
struct EngineRig {
    struct Chain: Equatable {
        var taken: [Int: Int64]
        var isOpen = false
        var depth: Int { (taken.keys.max() ?? -1) + 1 }
    }

    let definition: FunnelDefinition

    init(
        _ steps: Int, optional: [Bool] = [], window: Int64, stepWindow: Int64? = nil, order: FunnelDefinition.Order = .ordered,
        counting: FunnelDefinition.Counting = .users, exclusions: [(steps: ClosedRange<Int>?, spoils: Bool)] = [],
        since: Int64? = nil, until: Int64? = nil, compat: FunnelCompat? = nil
    ) throws {
        definition = try FunnelDefinition(
            steps: (0..<steps).map {
                FunnelStep(EventPattern(names: .oneOf(["s\($0)"])), isOptional: optional.indices.contains($0) && optional[$0])
            },
            windowMilliseconds: window, stepWindowMilliseconds: stepWindow, order: order, counting: counting,
            exclusions: exclusions.map { FunnelExclusion(EventPattern(names: .any), steps: $0.steps, spoils: $0.spoils) },
            since: since, until: until, compat: compat)
    }

    /// The chains that count, with the times of their steps.
    func chains(_ events: [StepEvent], dataEnd: Int64 = 1_000_000, _ engine: (any ChainEngine)? = nil) -> [Chain] {
        var chains: [Chain] = []
        let engine = engine ?? definition.engine()
        events.sorted { $0.time < $1.time }
            .withUnsafeBufferPointer { events in
                engine.follow(events, dataEnd: dataEnd) { chain in
                    var taken: [Int: Int64] = [:]
                    for step in 0..<chain.depth where chain.taken >> UInt32(step) & 1 == 1 { taken[step] = chain.times[step] }
                    chains.append(Chain(taken: taken, isOpen: chain.isOpen))
                }
            }
        return chains
    }

    func chain(_ events: [StepEvent]) -> Chain? { chains(events).first }

    /// Steps are written as letters: `a` is step 1, an event of several steps has several letters, `x` and `y` are the first and the
    /// second exclusion, `-` is an event that fits nothing.
    static func events(_ list: [(Int64, String)]) -> [StepEvent] {
        list.map { time, letters in
            var event = StepEvent(time: time, steps: 0)
            for letter in letters.utf8 where letter != UInt8(ascii: "-") {
                switch letter {
                case UInt8(ascii: "x"): event.exclusions |= 1
                case UInt8(ascii: "y"): event.exclusions |= 2
                default: event.steps |= 1 << UInt32(letter - UInt8(ascii: "a"))
                }
            }
            return event
        }
    }
}

/// Small random keys in which ties, repeats and overlaps are frequent.
struct RandomKey {
    var random: SeededRandom
    var steps: Int
    var span: Int64
    /// Whether events may fit several steps; for `hasOthers`, whether some fit nothing.
    var overlaps = false
    var hasOthers = false
    var exclusions = 0
    /// Whether no two events that fit a step share a millisecond.
    var isTieFree = false
    /// The most orders of one key's events that an oracle has to try.
    var mostOrders = 150

    mutating func events(atMost most: Int) -> [StepEvent] {
        var list: [StepEvent] = []
        for _ in 0..<Int.random(in: 0...most, using: &random) {
            var event = StepEvent(time: .random(in: 0...span, using: &random), steps: 0)
            if exclusions > 0 && Int.random(in: 0..<5, using: &random) == 0 {
                event.exclusions = .random(in: 1..<(1 << UInt32(exclusions)), using: &random)
            } else if !hasOthers || Int.random(in: 0..<5, using: &random) > 0 {
                event.steps = 1 << UInt32.random(in: 0..<UInt32(steps), using: &random)
                if overlaps { event.steps |= .random(in: 0..<(1 << UInt32(steps)), using: &random) }
            }
            let steps = list.filter { hasOthers || $0.steps != 0 }
            if event.steps != 0 && isTieFree && steps.contains(where: { $0.time == event.time }) { continue }
            if FunnelOracle.orderCount(of: steps + [event]) <= mostOrders { list.append(event) }
        }
        return list
    }
}

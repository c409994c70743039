/// Follows all attempts of one key through optional steps, exclusions, step windows and strict order, in every order within a millisecond.
///
/// ``OrderedChains`` is faster for funnels without these. Where exclusions spoil, the order that takes one attempt furthest may let another
/// be spoilt further on, and then the key does not count. So each order keeps all its attempts, and orders that leave the same attempts on
/// the same steps go on as one. Where none spoil, attempts do not affect each other, and one ``OrderedWay`` holds what any order reaches.
final class GeneralChains: ChainEngine {
    private typealias Kind = (steps: UInt32, count: Int)
    /// The most subsets of a millisecond's events for following all their orders. Beyond it only ``someOrders(of:)`` are followed.
    private static let mostChoices = 1 << 10

    private(set) var spoiltDepth = 0
    var rules: ChainRules
    /// Whether an exclusion of the definition spoils.
    private let spoils: Bool
    private let chain: FunnelChain
    private let beginning: OrderedWays
    private var ways = OrderedWays()

    init(_ definition: FunnelDefinition) {
        rules = ChainRules(definition)
        spoils = rules.spoils
        chain = FunnelChain(stepCount: definition.steps.count)
        var beginning = OrderedWays()
        beginning.insert(OrderedWay(stepCount: definition.steps.count), rules)
        self.beginning = beginning
    }

    /// - Complexity: O(events), for a given number of steps. A millisecond with events that fit different steps costs more: O(attempts that
    ///   can go on) for each order that makes a difference.
    func follow(_ events: UnsafeBufferPointer<StepEvent>, dataEnd: Int64, _ body: (FunnelChain) -> Void) {
        spoiltDepth = 0
        ways = beginning
        rules.dataEnd = dataEnd
        // Without an exclusion nothing is spoilt: attempts that another replaces need not be followed.
        rules.spoils = spoils && events.contains { $0.exclusions != 0 }
        let lastStart = events.last { $0.steps & 1 == 1 }?.time ?? .min
        events.forEachMoment { moment, time in
            let exclusions = moment.exclusions
            if exclusions != 0 { ways.forEach { $0.exclude(exclusions, at: time, rules) } }
            take(moment, at: time)
            // The first clean attempt to take the last step is the result. Nothing changes that, nor anything once none stands or begins.
            return !ways.all.contains { $0.best?.depth == rules.layout.count } && (time < lastStart || !ways.all.allSatisfy(\.isOver))
        }
        ways.forEach { $0.close(rules) }
        let clean = ways.all.filter { way in way.best.map { $0.depth >= way.spoiltDepth } ?? false }
        guard let best = clean.compactMap(\.best).max(by: { $1.isBetter(than: $0) }) else {
            spoiltDepth = ways.all.map(\.spoiltDepth).min() ?? 0
            return
        }
        // Another order may give an equal attempt that can still go on: the result must not depend on the order of the data.
        let isOpen = clean.contains { way in way.isOpen && way.best.map { !best.isBetter(than: $0) } ?? false }
        chain.set(best, isOpen: isOpen, rules.layout)
        body(chain)
    }

    private func take(_ events: UnsafeBufferPointer<StepEvent>.SubSequence, at time: Int64) {
        var kinds: [Kind] = []
        for event in events {
            let steps = rules.layout.narrowed(event.steps)
            if steps == 0 && !rules.isStrict { continue }
            if events.count == 1 { return ways.forEach { $0.take(steps, 1, at: time, rules) } }
            // An attempt takes one event for each step; in strict order one more ends it. Where exclusions spoil, later ones need more.
            let most = rules.spoils ? rules.layout.count + 1 : steps.nonzeroBitCount + (rules.isStrict ? 1 : 0)
            if let kind = kinds.firstIndex(where: { $0.steps == steps }) {
                kinds[kind].count = min(kinds[kind].count + 1, most)
            } else {
                kinds.append((steps, 1))
            }
        }
        if kinds.count > 1 { return takeInAnyOrder(kinds, at: time) }
        for kind in kinds { ways.forEach { $0.take(kind.steps, kind.count, at: time, rules) } }
    }

    private func takeInAnyOrder(_ kinds: [Kind], at time: Int64) {
        ways.forEach { $0.expire(at: time, rules) }
        let choices = kinds.reduce(1) { min($0 * ($1.count + 1), Self.mostChoices + 1) }
        guard choices <= Self.mostChoices else {
            var next = OrderedWays()
            for order in someOrders(of: kinds) {
                for var way in ways.all {
                    for kind in order { way.take(kind.steps, kind.count, at: time, rules) }
                    next.insert(way, rules)
                }
            }
            ways = next
            return
        }
        // A choice says which events have come: its digits count those of each kind. For each choice, the orders that lead to it.
        var reached = Array(repeating: OrderedWays(), count: choices)
        swap(&reached[0], &ways)
        for choice in 0..<choices - 1 {
            var (here, size) = (OrderedWays(), 1)
            swap(&here, &reached[choice])
            for kind in kinds {
                if choice / size % (kind.count + 1) < kind.count {
                    for var way in here.all {
                        way.take(kind.steps, 1, at: time, rules)
                        reached[choice + size].insert(way, rules)
                    }
                }
                size *= kind.count + 1
            }
        }
        swap(&ways, &reached[choices - 1])
    }

    /// By rising and by falling steps; for each step one with events for it and all later steps first, and one with those up to it last.
    private func someOrders(of kinds: [Kind]) -> [[Kind]] {
        let rising = kinds.sorted { $0.steps < $1.steps }
        func share(_ steps: Range<Int>) -> (chosen: [Kind], left: [Kind]) {
            steps.reduce(into: ([], rising)) { share, step in
                guard let kind = share.left.firstIndex(where: { $0.count > 0 && $0.steps >> UInt32(step) & 1 == 1 }) else { return }
                share.left[kind].count -= 1
                share.chosen.append((share.left[kind].steps, 1))
            }
        }
        return (0..<rules.layout.count).reduce(into: [rising, rising.reversed()]) { orders, step in
            let (wanted, taken) = (share(step..<rules.layout.count), share(0..<step + 1))
            orders += [wanted.chosen + wanted.left, taken.left + taken.chosen]
        }
    }
}

/// Adds up the chains that count: how deep each got, and when.
struct FunnelTally: Sendable {
    /// Chains that took each step.
    var counts: [Int]
    var windowOpen = 0
    /// For each step, of the chains that took it, in no order: milliseconds from step 1 and from the last required step before.
    var sinceFirst: [[Int64]]
    var sincePrevious: [[Int64]]
    private let lastRequired: Int

    init(_ definition: FunnelDefinition) {
        lastRequired = definition.lastRequiredStep
        counts = Array(repeating: 0, count: definition.steps.count)
        sinceFirst = counts.map { _ in [] }
        sincePrevious = sinceFirst
    }

    mutating func add(_ chain: FunnelChain) {
        for step in chain.taken.bitNumbers {
            counts[step] += 1
            guard step > 0 else { continue }
            sinceFirst[step].append(chain.sinceFirst[step])
            sincePrevious[step].append(chain.sincePrevious[step])
        }
        if chain.isOpen && chain.depth <= lastRequired { windowOpen += 1 }
    }

    mutating func add(_ other: FunnelTally) {
        windowOpen += other.windowOpen
        for step in counts.indices {
            counts[step] += other.counts[step]
            sinceFirst[step] += other.sinceFirst[step]
            sincePrevious[step] += other.sincePrevious[step]
        }
    }
}

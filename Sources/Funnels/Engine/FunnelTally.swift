/// Adds up the chains that count: how deep each got, and when.
struct FunnelTally: Sendable {
    let stepCount: Int
    /// Chains that took each step.
    private(set) var counts: [Int]
    private(set) var windowOpen = 0
    /// For each step, of the chains that took it: milliseconds from step 1 and from the last required step before.
    private var sinceFirst: [[Int64]]
    private var sincePrevious: [[Int64]]
    private let lastRequired: Int

    /// - Parameter lastRequired: the step, from 0, at which a chain has converted.
    init(stepCount: Int, lastRequired: Int? = nil) {
        self.stepCount = stepCount
        self.lastRequired = lastRequired ?? stepCount - 1
        counts = Array(repeating: 0, count: stepCount)
        sinceFirst = Array(repeating: [], count: stepCount)
        sincePrevious = sinceFirst
    }

    init(_ definition: FunnelDefinition) {
        self.init(stepCount: definition.steps.count, lastRequired: definition.lastRequiredStep)
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
        for step in 0..<stepCount {
            counts[step] += other.counts[step]
            sinceFirst[step] += other.sinceFirst[step]
            sincePrevious[step] += other.sincePrevious[step]
        }
    }

    /// Takes what another tally held, an element a step.
    mutating func set(counts: [Int], windowOpen: Int, sinceFirst: [[Int64]], sincePrevious: [[Int64]]) {
        (self.counts, self.windowOpen, self.sinceFirst, self.sincePrevious) = (counts, windowOpen, sinceFirst, sincePrevious)
    }

    /// Chains that took step n, from 0.
    func count(_ step: Int) -> Int { counts[step] }

    /// Durations of all chains that took a step, in no order: from step 1, and from the last required step before it.
    func sinceFirst(_ step: Int) -> [Int64] { sinceFirst[step] }
    func sincePrevious(_ step: Int) -> [Int64] { sincePrevious[step] }
}

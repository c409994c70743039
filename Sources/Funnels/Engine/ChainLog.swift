/// Chains kept one after the other, until it is known to which group each belongs.
struct ChainLog {
    private var heads: [(group: UInt32, depth: UInt8, isOpen: Bool, taken: UInt32)] = []
    private var times: [Int64] = []

    mutating func append(_ chain: FunnelChain, group: UInt32) {
        heads.append((group, UInt8(chain.depth), chain.isOpen, chain.taken))
        for step in 0..<chain.depth where chain.taken >> UInt32(step) & 1 == 1 {
            times.append(chain.sinceFirst[step])
            times.append(chain.sincePrevious[step])
        }
    }

    /// How many chains each group has that has any, by its number.
    var sizes: [UInt32: Int] { heads.reduce(into: [:]) { $0[$1.group, default: 0] += 1 } }

    /// Calls `body` with each chain. The chain has the times between its steps, but not the times at which they were taken.
    func forEach(stepCount: Int, _ body: (FunnelChain, UInt32) -> Void) {
        let chain = FunnelChain(stepCount: stepCount)
        var index = 0
        for head in heads {
            (chain.depth, chain.isOpen, chain.taken) = (Int(head.depth), head.isOpen, head.taken)
            for step in 0..<chain.depth where chain.taken >> UInt32(step) & 1 == 1 {
                chain.sinceFirst[step] = times[index]
                chain.sincePrevious[step] = times[index + 1]
                index += 2
            }
            body(chain, head.group)
        }
    }
}

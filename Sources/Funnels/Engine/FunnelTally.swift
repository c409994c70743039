/// Adds up the results of keys: how deep each got, and when.
struct FunnelTally: Sendable {
    let stepCount: Int
    /// How many keys' best attempt reached exactly n + 1 steps.
    private var reached: [Int]
    /// For keys that reached exactly n + 1 steps, n times each: milliseconds from the first step to each further one.
    private var offsets: [[Int64]]
    private(set) var windowOpen = 0

    init(stepCount: Int) {
        self.stepCount = stepCount
        reached = Array(repeating: 0, count: stepCount)
        offsets = Array(repeating: [], count: stepCount)
    }

    /// Adds one key.
    ///
    /// - Parameters:
    ///   - chains: which have followed the key's events.
    ///   - window: of the definition, in milliseconds.
    ///   - dataEnd: time of the last event of all, in milliseconds since 1970 UTC.
    mutating func add(_ chains: OrderedChains, window: Int64, dataEnd: Int64) {
        let depth = chains.depth
        guard depth > 0 else { return }
        reached[depth - 1] += 1
        for step in 1..<max(depth, 1) {
            offsets[depth - 1].append(chains.best[step] &- chains.best[0])
        }
        if let start = chains.latestStart, UInt64(bitPattern: dataEnd &- start) < UInt64(window) { windowOpen += 1 }
    }

    mutating func merge(_ other: FunnelTally) {
        for step in 0..<stepCount {
            reached[step] += other.reached[step]
            offsets[step] += other.offsets[step]
        }
        windowOpen += other.windowOpen
    }

    /// Keys that reached step n + 1, or further.
    func count(_ step: Int) -> Int { reached[step...].reduce(0, +) }

    /// Durations from `earlier` to `later` (steps numbered from 0) of all keys that reached `later`.
    func durations(from earlier: Int, to later: Int) -> [Int64] {
        var durations: [Int64] = []
        durations.reserveCapacity(count(later))
        for width in later..<stepCount where later > 0 {
            let rows = offsets[width]
            for row in stride(from: 0, to: rows.count, by: width) {
                durations.append(rows[row + later - 1] - (earlier == 0 ? 0 : rows[row + earlier - 1]))
            }
        }
        return durations
    }
}

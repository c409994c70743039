/// Counts the numbers missing from each session: highest − lowest + 1 − distinct `seq` read.
///
/// Sequence numbers mostly come in order, and then a session is one growing run of 24 bytes. What does not join its session's
/// run waits in a list that is folded into sorted runs as it grows, so that any order of lines gives the exact count.
struct SequenceLedger: ~Copyable {
    private typealias Run = SessionRuns.Run

    /// The run of each session that began with its first line. A session of 0 marks a free slot.
    private var table: UnsafeMutablePointer<Run>
    private var mask: Int
    private var count = 0
    /// Other runs: the first `sorted` by session and number, none touching another; behind them what came since.
    private var others: [Run] = []
    private var sorted = 0

    init() {
        mask = 255
        table = .allocate(capacity: mask + 1)
        table.initialize(repeating: Run(session: 0, low: 0, high: 0), count: mask + 1)
    }

    deinit { table.deallocate() }

    /// Notes the numbers of a run, 1 or more each.
    @inline(__always)
    mutating func add(_ run: SessionRuns.Run) {
        var slot = Int(truncatingIfNeeded: run.session) & mask
        while table[slot].session != 0 {
            if table[slot].session == run.session {
                if run.low == table[slot].high &+ 1 {
                    table[slot].high = run.high
                } else {
                    addOutOfOrder(run, to: slot)
                }
                return
            }
            slot = (slot + 1) & mask
        }
        table[slot] = run
        count += 1
        if count * 4 > mask * 3 { grow() }
    }

    /// The first slots of some sessions that are about to be noted, added up: see ``FingerprintSet/touch(_:)``.
    @inline(__always)
    borrowing func touch(_ runs: UnsafeBufferPointer<SessionRuns.Run>.SubSequence) -> UInt64 {
        var sum: UInt64 = 0
        for run in runs { sum &+= table[Int(truncatingIfNeeded: run.session) & mask].session }
        return sum
    }

    /// The numbers missing of all sessions together.
    ///
    /// - Complexity: O(sessions + n log n) for n runs that did not join their session's first one; without such, nothing is missing.
    borrowing func gaps() -> Int64 {
        if others.isEmpty { return 0 }
        let torn = Set(others.map(\.session))
        var runs = others
        for slot in 0...mask where table[slot].session != 0 && torn.contains(table[slot].session) { runs.append(table[slot]) }
        Self.join(&runs)
        var gaps: Int64 = 0
        for place in runs.indices.dropFirst() where runs[place].session == runs[place - 1].session {
            // Bounded: a sum over sessions of numbers that foreign files may have made up.
            let gap = runs[place].low - runs[place - 1].high - 1
            let (sum, over) = gaps.addingReportingOverflow(gap)
            gaps = over ? .max : sum
        }
        return gaps
    }

    private mutating func addOutOfOrder(_ run: Run, to slot: Int) {
        if run.low >= table[slot].low && run.high <= table[slot].high { return }
        if run.high < .max && run.high + 1 == table[slot].low {
            table[slot].low = run.low
            return
        }
        if let last = others.last, others.count > sorted, last.session == run.session, last.high < .max, last.high + 1 == run.low {
            others[others.count - 1].high = run.high
            return
        }
        others.append(run)
        if others.count - sorted > sorted + 1 << 16 {
            Self.join(&others)
            sorted = others.count
        }
    }

    /// Sorts runs by session and number and joins those that touch.
    private static func join(_ runs: inout [Run]) {
        runs.sort { ($0.session, $0.low) < ($1.session, $1.low) }
        var kept = 0
        for run in runs {
            if kept > 0, runs[kept - 1].session == run.session, runs[kept - 1].high >= run.low - 1 {
                runs[kept - 1].high = max(runs[kept - 1].high, run.high)
            } else {
                runs[kept] = run
                kept += 1
            }
        }
        runs.removeLast(runs.count - kept)
    }

    private mutating func grow() {
        let capacity = (mask + 1) * 2
        let larger = UnsafeMutablePointer<Run>.allocate(capacity: capacity)
        larger.initialize(repeating: Run(session: 0, low: 0, high: 0), count: capacity)
        for slot in 0...mask where table[slot].session != 0 {
            var place = Int(truncatingIfNeeded: table[slot].session) & (capacity - 1)
            while larger[place].session != 0 { place = (place + 1) & (capacity - 1) }
            larger[place] = table[slot]
        }
        table.deallocate()
        table = larger
        mask = capacity - 1
    }
}

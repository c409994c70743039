/// Counts the numbers missing from each session: highest − lowest + 1 − distinct `seq` read.
///
/// Sequence numbers mostly come in order, and then a session is one growing run of 24 bytes. What does not join its session's
/// run waits in a list that is folded into sorted runs as it grows, so that any order of lines gives the exact count.
struct SequenceLedger: ~Copyable {
    private struct Run {
        var session: UInt64
        var low: Int64
        var high: Int64
    }

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

    /// Notes one line.
    ///
    /// - Parameters:
    ///   - session: fingerprint of the session's id.
    ///   - sequence: 1 or more.
    @inline(__always)
    mutating func add(session: UInt64, sequence: Int64) {
        var slot = Int(truncatingIfNeeded: session) & mask
        while table[slot].session != 0 {
            if table[slot].session == session {
                if sequence == table[slot].high &+ 1 {
                    table[slot].high = sequence
                } else {
                    addOutOfOrder(session: session, sequence: sequence, run: slot)
                }
                return
            }
            slot = (slot + 1) & mask
        }
        table[slot] = Run(session: session, low: sequence, high: sequence)
        count += 1
        if count * 4 > mask * 3 { grow() }
    }

    /// The first slots of some sessions that are about to be noted, added up: see ``FingerprintSet/touch(_:)``.
    @inline(__always)
    borrowing func touch(_ notes: UnsafeBufferPointer<(session: UInt64, sequence: Int64)>.SubSequence) -> UInt64 {
        var sum: UInt64 = 0
        for note in notes { sum &+= table[Int(truncatingIfNeeded: note.session) & mask].session }
        return sum
    }

    /// The numbers missing of all sessions together.
    mutating func gaps() -> Int64 {
        foldOthers(withTable: true)
        var gaps: Int64 = 0
        for place in others.indices.dropFirst() where others[place].session == others[place - 1].session {
            // Bounded: a sum over sessions of numbers that foreign files may have made up.
            let gap = others[place].low - others[place - 1].high - 1
            let (sum, over) = gaps.addingReportingOverflow(gap)
            gaps = over ? .max : sum
        }
        return gaps
    }

    private mutating func addOutOfOrder(session: UInt64, sequence: Int64, run slot: Int) {
        if sequence >= table[slot].low && sequence <= table[slot].high { return }
        if sequence == table[slot].low - 1 {
            table[slot].low = sequence
            return
        }
        if let last = others.last, others.count > sorted, last.session == session, last.high < .max, last.high + 1 == sequence {
            others[others.count - 1].high = sequence
            return
        }
        others.append(Run(session: session, low: sequence, high: sequence))
        if others.count - sorted > sorted + 1 << 16 { foldOthers(withTable: false) }
    }

    private mutating func foldOthers(withTable: Bool) {
        if withTable {
            for slot in 0...mask where table[slot].session != 0 { others.append(table[slot]) }
        }
        others.sort { ($0.session, $0.low) < ($1.session, $1.low) }
        var kept = 0
        for run in others {
            if kept > 0, others[kept - 1].session == run.session, others[kept - 1].high >= run.low - 1 {
                others[kept - 1].high = max(others[kept - 1].high, run.high)
            } else {
                others[kept] = run
                kept += 1
            }
        }
        others.removeLast(others.count - kept)
        sorted = kept
        if withTable {
            // The table's runs are in the list now; emptied, so that nothing is counted twice.
            table.update(repeating: Run(session: 0, low: 0, high: 0), count: mask + 1)
            count = 0
        }
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

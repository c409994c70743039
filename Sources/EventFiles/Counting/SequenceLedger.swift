/// Keeps which sequence numbers of each session were read, in any order and from any file. Numbers mostly come in order, and then a session
/// is one growing run of some 70 bytes. A run that does not continue its session's first goes to a list, which is folded into sorted runs
/// as it grows. So any order of lines gives the exact gaps.
package struct SequenceLedger: ~Copyable {
    package struct Gap: Sendable {
        package var session: Fingerprint
        package var firstMissing: Int64
        package var lastMissing: Int64
        package var file: Int
        package var count: Int64 { lastMissing - firstMissing + 1 }
    }

    /// How many sessions are prefetched at a time: more than the loads that a processor has in flight, and few enough for its cache.
    private static let together = 64

    /// For each session the run that its first line began, in the order in which sessions were first seen.
    private var firsts = ChunkedArray<SequenceRun>()
    /// A hash table that finds these runs, with linear steps. A slot holds 32 bits of a session's fingerprint above its index + 1; 0: free.
    /// It is small beside the runs, so that most look-ups find it in a cache.
    private var slots: UnsafeMutablePointer<UInt64>
    private var mask: Int
    /// All other runs. The first `sorted` are in the order of session and number, and none touches another; newer ones follow.
    private var others: [SequenceRun] = []
    private var sorted = 0
    /// The sums of ``touch(_:)``, kept so that its reads are not optimized away.
    private var touched: UInt64 = 0
    /// Backward steps of the clock where two runs meet, with the file of the later line.
    private(set) var clockSteps: [(file: Int, steps: ClockSteps)] = []

    package init() {
        mask = 255
        slots = Self.emptySlots(mask + 1)
    }

    deinit { slots.deallocate() }

    package var count: Int { firsts.count }

    /// Makes room for the sessions of `runs` runs in one step, if the ledger is empty.
    package mutating func reserve(_ runs: Int) {
        guard count == 0 else { return }
        var capacity = mask + 1
        while runs * 4 > (capacity - 1) * 3 { capacity *= 2 }
        if capacity > mask + 1 { grow(to: capacity) }
    }

    /// Notes the runs of a batch. Batches come in the order of the data.
    package mutating func add(_ runs: [SequenceRun]) {
        runs.withUnsafeBufferPointer { runs in
            for start in stride(from: 0, to: runs.count, by: Self.together) {
                let block = runs[start..<min(start + Self.together, runs.count)]
                touched &+= touch(block)
                for run in block { add(run) }
            }
        }
    }

    /// Reads ahead the first slots of some sessions and the runs that these lead to: see ``FingerprintSet/insert(_:repeated:)``.
    private borrowing func touch(_ runs: Slice<UnsafeBufferPointer<SequenceRun>>) -> UInt64 {
        var sum: UInt64 = 0
        for run in runs {
            let slot = slots[Int(truncatingIfNeeded: run.session.low) & mask]
            let leadsToRun = slot != 0 && slot & Self.tagBits == run.session.high & Self.tagBits
            sum &+= leadsToRun ? firsts[Self.index(in: slot)].session.high : slot
        }
        return sum
    }

    package mutating func add(_ run: SequenceRun) {
        let tag = run.session.high & Self.tagBits
        var slot = Int(truncatingIfNeeded: run.session.low) & mask
        while slots[slot] != 0 {
            if slots[slot] & Self.tagBits == tag {
                let index = Self.index(in: slots[slot])
                if firsts[index].session == run.session { return join(run, at: index) }
            }
            slot = (slot &+ 1) & mask
        }
        slots[slot] = tag | UInt64(count + 1)
        var first = run
        first.order = Int32(truncatingIfNeeded: count)
        firsts.append(first)
        if count * 4 > mask * 3 { grow(to: (mask + 1) * 2) }
    }

    private static let tagBits: UInt64 = 0xFFFF_FFFF_0000_0000

    @inline(__always)
    private static func index(in slot: UInt64) -> Int { Int(truncatingIfNeeded: slot & ~tagBits) &- 1 }

    private mutating func join(_ run: SequenceRun, at index: Int) {
        var run = run
        run.order = firsts[index].order
        if run.low == firsts[index].high &+ 1 {
            noteSteps(firsts[index], run)
            firsts[index].extend(by: run)
        } else if run.low >= firsts[index].low && run.high <= firsts[index].high {
            return
        } else if let last = others.last, others.count > sorted, last.order == run.order, last.high &+ 1 == run.low {
            noteSteps(last, run)
            others[others.count - 1].extend(by: run)
        } else {
            others.append(run)
            if others.count - sorted > sorted + 1 << 16 { fold() }
        }
    }

    /// All gaps, by the order in which sessions were first seen, then by number. Nothing can be added afterwards. O(n log n) for n runs
    /// that did not join their session's first one; without such runs there is no gap.
    package mutating func finish() -> [Gap] {
        if others.isEmpty { return [] }
        for order in Set(others.map(\.order)) { others.append(firsts[Int(order)]) }
        fold()
        var gaps: [Gap] = []
        for (earlier, later) in zip(others, others.dropFirst()) where earlier.order == later.order {
            noteSteps(earlier, later)
            gaps.append(Gap(session: later.session, firstMissing: earlier.high + 1, lastMissing: later.low - 1, file: Int(later.lowFile)))
        }
        return gaps
    }

    /// What is missing before the first number of each session, by the order in which sessions were first seen. Call ``finish()`` before.
    package borrowing func beginnings() -> [Gap] {
        var found: [SequenceRun] = []
        var torn: Set<Int32> = []
        // In `others` the runs are sorted now: the first of a session is its lowest.
        for run in others where torn.insert(run.order).inserted && run.low > 1 { found.append(run) }
        firsts.forEach { if $0.low > 1 && !torn.contains($0.order) { found.append($0) } }
        found.sort { $0.order < $1.order }
        return found.map { Gap(session: $0.session, firstMissing: 1, lastMissing: $0.low - 1, file: Int($0.lowFile)) }
    }

    private mutating func noteSteps(_ earlier: SequenceRun, _ later: SequenceRun) {
        guard later.lowTime < earlier.highTime else { return }
        let file = Int(later.lowFile)
        if clockSteps.last?.file != file { clockSteps.append((file, ClockSteps())) }
        clockSteps[clockSteps.count - 1].steps.note(from: earlier.highTime, to: later.lowTime)
    }

    private mutating func fold() {
        others.sort { ($0.order, $0.low, $0.high) < ($1.order, $1.low, $1.high) }
        var kept = 0
        for run in others {
            if kept > 0, others[kept - 1].order == run.order, others[kept - 1].high >= run.low - 1 {
                if run.low == others[kept - 1].high &+ 1 { noteSteps(others[kept - 1], run) }
                if run.high > others[kept - 1].high { others[kept - 1].extend(by: run) }
            } else {
                others[kept] = run
                kept += 1
            }
        }
        others.removeLast(others.count - kept)
        sorted = kept
    }

    private mutating func grow(to capacity: Int) {
        slots.deallocate()
        (slots, mask) = (Self.emptySlots(capacity), capacity - 1)
        let (slots, mask) = (slots, mask)
        firsts.forEach { run in
            var slot = Int(truncatingIfNeeded: run.session.low) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = run.session.high & Self.tagBits | UInt64(run.order) + 1
        }
    }

    private static func emptySlots(_ capacity: Int) -> UnsafeMutablePointer<UInt64> {
        let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        slots.initialize(repeating: 0, count: capacity)
        return slots
    }
}

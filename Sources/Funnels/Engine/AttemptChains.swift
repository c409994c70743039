/// Counts every attempt of one key: each event of step 1 opens one, and of the open attempts that want an event the oldest takes
/// it (`--count attempts`).
///
/// On each step the open attempts wait in the order of their starts, which is also the order in which they got there and in
/// which their time runs out. So only the first of each queue is ever looked at.
///
/// Events that share a millisecond are taken by rising steps, which lets as many attempts go on as any order does while each
/// fits one step. An attempt that an exclusion spoils counts nowhere and takes nothing any more.
final class AttemptChains: ChainEngine {
    /// Open attempts that stand on one step: slots of the pool, those before `head` gone.
    private struct Queue {
        var slots: [Int] = []
        var head = 0
        var first: Int? { head < slots.count ? slots[head] : nil }

        mutating func removeFirst() {
            head += 1
            if head * 2 > slots.count && head > 64 {
                slots.removeFirst(head)
                head = 0
            }
        }

        mutating func removeAll() {
            slots.removeAll(keepingCapacity: true)
            head = 0
        }
    }

    private var rules: ChainRules
    private let chain: FunnelChain
    private var queues: [Queue]
    /// The times of each attempt, and the steps that it took.
    private var times: [Int64] = []
    private var taken: [UInt32] = []
    private var free: [Int] = []
    private var moment: [UInt32] = []

    init(_ definition: FunnelDefinition) {
        rules = ChainRules(definition)
        chain = FunnelChain(stepCount: definition.steps.count)
        queues = Array(repeating: Queue(), count: definition.steps.count)
    }

    func limitStarts(to starts: StartRange) { rules.starts = starts }

    /// - Complexity: O(events), at a given number of steps, and O(n log n) of those in one millisecond.
    func follow(_ events: UnsafeBufferPointer<StepEvent>, dataEnd: Int64, _ body: (FunnelChain) -> Void) {
        events.forEachMoment { all, time in
            moment.removeAll(keepingCapacity: true)
            for event in all where event.steps != 0 { moment.append(event.steps) }
            let exclusions = all.exclusions
            if exclusions != 0 { exclude(exclusions, at: time, body) }
            if moment.count > 1 { moment.sort() }
            for steps in moment { take(steps, at: time, body) }
            return true
        }
        for step in queues.indices {
            while let slot = queues[step].first { close(slot, on: step, isOpen: isOpen(slot, on: step, dataEnd), body) }
            queues[step].removeAll()
        }
    }

    private func take(_ steps: UInt32, at time: Int64, _ body: (FunnelChain) -> Void) {
        var wanted = steps & ~1
        while wanted != 0 {
            let step = 31 - wanted.leadingZeroBitCount
            wanted &= ~(1 << UInt32(step))
            guard let row = oldest(wanting: step, at: time, body), let slot = queues[row].first else { continue }
            queues[row].removeFirst()
            times[slot * rules.layout.count + step] = time
            taken[slot] |= 1 << UInt32(step)
            queues[step].slots.append(slot)
            if step == rules.layout.count - 1 { close(slot, on: step, isOpen: false, body) }
            break
        }
        if steps & 1 == 1 && rules.mayStart(at: time) {
            let slot = newSlot()
            times[slot * rules.layout.count] = time
            taken[slot] = 1
            queues[0].slots.append(slot)
            if rules.layout.count == 1 { close(slot, on: 0, isOpen: false, body) }
        }
    }

    /// The step on which the oldest attempt stands that wants `step`; those whose time has run out are closed on the way.
    private func oldest(wanting step: Int, at time: Int64, _ body: (FunnelChain) -> Void) -> Int? {
        var oldest: (row: Int, start: Int64)?
        for row in rules.layout.previous[step]..<step {
            while let slot = queues[row].first, !allows(slot, on: row, at: time) { close(slot, on: row, isOpen: false, body) }
            guard let slot = queues[row].first else { continue }
            let start = times[slot * rules.layout.count]
            // Of one start that which got further began first.
            if oldest.map({ start <= $0.start }) ?? true { oldest = (row, start) }
        }
        return oldest?.row
    }

    private func exclude(_ exclusions: UInt32, at time: Int64, _ body: (FunnelChain) -> Void) {
        let spoiling = rules.standing(exclusions, in: rules.spoiling)
        let ending = rules.standing(exclusions, in: rules.ending)
        for row in queues.indices where (spoiling | ending) >> UInt32(row) & 1 == 1 {
            while let slot = queues[row].first {
                // What is over before the exclusion comes is not touched by it.
                if spoiling >> UInt32(row) & 1 == 1 && allows(slot, on: row, at: time) {
                    queues[row].removeFirst()
                    free.append(slot)
                } else {
                    close(slot, on: row, isOpen: false, body)
                }
            }
        }
    }

    private func allows(_ slot: Int, on row: Int, at time: Int64) -> Bool {
        let base = slot * rules.layout.count
        return rules.allows(start: times[base], last: times[base + row], at: time)
    }

    private func isOpen(_ slot: Int, on row: Int, _ dataEnd: Int64) -> Bool {
        let base = slot * rules.layout.count
        return rules.isOpen(start: times[base], last: times[base + row], dataEnd: dataEnd)
    }

    /// Counts an attempt that stands first on its step, or last where it has just taken the last step.
    private func close(_ slot: Int, on row: Int, isOpen: Bool, _ body: (FunnelChain) -> Void) {
        times.withUnsafeBufferPointer { times in
            guard let base = times.baseAddress else { return }
            chain.set(depth: row + 1, taken: taken[slot], times: base + slot * rules.layout.count, previous: rules.layout.previous)
        }
        chain.isOpen = isOpen
        body(chain)
        free.append(slot)
        queues[row].removeFirst()
    }

    private func newSlot() -> Int {
        if let slot = free.popLast() { return slot }
        taken.append(0)
        times.append(contentsOf: repeatElement(0, count: rules.layout.count))
        return taken.count - 1
    }
}

/// Counts every attempt of one key. Each event of step 1 opens an attempt; the oldest open attempt that wants an event takes it.
///
/// On each step the open attempts wait in the order of their starts, which is also the order in which they got there and in
/// which their time runs out. So only the first of each queue is ever looked at.
///
/// The events of one millisecond are taken by rising steps: if each fits one step, no other order lets more attempts go on. An
/// attempt that an exclusion spoils is not counted and takes no further step.
final class AttemptChains: ChainEngine {
    /// Open attempts that stand on one step; those before `head` are gone.
    private struct Queue {
        var attempts: [Attempt] = []
        private var head = 0

        var first: Attempt? { head < attempts.count ? attempts[head] : nil }

        mutating func removeFirst() {
            head += 1
            if head > 64, head * 2 > attempts.count {
                attempts.removeFirst(head)
                head = 0
            }
        }
    }

    var rules: ChainRules
    private let chain: FunnelChain
    private var queues: [Queue]

    init(_ definition: FunnelDefinition) {
        rules = ChainRules(definition)
        chain = FunnelChain(stepCount: definition.steps.count)
        queues = Array(repeating: Queue(), count: definition.steps.count)
    }

    /// - Complexity: O(events), for a given number of steps, and O(n log n) for n events in one millisecond.
    func follow(_ events: UnsafeBufferPointer<StepEvent>, dataEnd: Int64, _ body: (FunnelChain) -> Void) {
        rules.dataEnd = dataEnd
        events.forEachMoment { moment, time in
            let exclusions = moment.exclusions
            if exclusions != 0 { exclude(exclusions, at: time, body) }
            if moment.count == 1 {
                take(moment[moment.startIndex].steps, at: time, body)
            } else {
                for steps in moment.map(\.steps).sorted() { take(steps, at: time, body) }
            }
            return true
        }
        for step in queues.indices {
            while let attempt = queues[step].first {
                queues[step].removeFirst()
                count(attempt, isOpen: rules.isOpen(attempt), body)
            }
            queues[step] = Queue()
        }
    }

    private func take(_ steps: UInt32, at time: Int64, _ body: (FunnelChain) -> Void) {
        var wanted = steps & ~1
        while wanted != 0 {
            let step = 31 - wanted.leadingZeroBitCount
            wanted &= ~(1 << UInt32(step))
            guard let row = oldest(wanting: step, at: time, body), var attempt = queues[row].first else { continue }
            queues[row].removeFirst()
            attempt.take(step, at: time)
            stand(attempt, body)
            break
        }
        if steps & 1 == 1 && rules.mayStart(at: time) { stand(Attempt(at: time), body) }
    }

    private func stand(_ attempt: Attempt, _ body: (FunnelChain) -> Void) {
        if attempt.depth == queues.count { return count(attempt, body) }
        queues[attempt.depth - 1].attempts.append(attempt)
    }

    /// The step on which the oldest attempt that wants `step` stands. Attempts whose time has run out are counted on the way.
    private func oldest(wanting step: Int, at time: Int64, _ body: (FunnelChain) -> Void) -> Int? {
        var oldest: (row: Int, start: Int64)?
        for row in rules.layout.previous[step]..<step {
            while let attempt = queues[row].first, !rules.allows(attempt, at: time) {
                queues[row].removeFirst()
                count(attempt, isOpen: rules.isOpen(attempt), body)
            }
            guard let start = queues[row].first?.start else { continue }
            // Of attempts with the same start, the one that got further began first.
            if oldest.map({ start <= $0.start }) ?? true { oldest = (row, start) }
        }
        return oldest?.row
    }

    private func exclude(_ exclusions: UInt32, at time: Int64, _ body: (FunnelChain) -> Void) {
        let spoiling = rules.standing(exclusions, in: rules.spoiling)
        for row in (spoiling | rules.standing(exclusions, in: rules.ending)).bitNumbers {
            while let attempt = queues[row].first {
                queues[row].removeFirst()
                // An attempt whose time ran out before the exclusion came is not touched by it.
                let isOver = !rules.allows(attempt, at: time)
                if spoiling >> UInt32(row) & 1 == 0 || isOver { count(attempt, isOpen: isOver && rules.isOpen(attempt), body) }
            }
        }
    }

    private func count(_ attempt: Attempt, isOpen: Bool = false, _ body: (FunnelChain) -> Void) {
        chain.set(attempt, isOpen: isOpen, rules.layout)
        body(chain)
    }
}

/// Counts how many distinct steps of one key lie inside one window, in any order (`--order any`).
///
/// The window slides over the events. A match of its steps with its events is sought only where it may hold more steps than any window
/// before. An event that fits several steps can fill only one of them.
final class AnyOrderChains: ChainEngine {
    private(set) var spoiltDepth = 0
    var rules: ChainRules
    private let count: Int
    private let chain: FunnelChain
    private var held: StepSets
    private var scratch: StepSets
    /// The latest events of the last spoilt window that fill as many steps as the whole window does. They are credited with one more step.
    private var spoilt: StepSets
    private var spoiltStart: Int64?

    init(_ definition: FunnelDefinition) {
        rules = ChainRules(definition)
        count = definition.steps.count
        chain = FunnelChain(stepCount: count)
        held = StepSets(stepCount: count)
        scratch = held
        spoilt = held
    }

    /// - Complexity: O(events), for a given number of steps.
    func follow(_ events: UnsafeBufferPointer<StepEvent>, dataEnd: Int64, _ body: (FunnelChain) -> Void) {
        chain.depth = 0
        spoiltDepth = 0
        spoiltStart = nil
        held.removeAll()
        var (head, end, isOpen) = (0, 0, false)
        events.forEachMoment { those, time in
            let (moment, exclusions) = (end, those.exclusions)
            end = those.endIndex
            if time < rules.starts.since {
                head = end
                return true
            }
            while head < moment && UInt64(bitPattern: time &- events[head].time) > rules.window {
                isOpen = isOpen || hasTime(events[head], dataEnd)
                held.remove(events[head].steps)
                head += 1
            }
            if exclusions != 0 {
                exclude(exclusions, events[head..<moment], at: time)
                // No window reaches over an exclusion. But in a funnel of one step no exclusion holds: there are no steps to lie between.
                if count > 1 {
                    held.removeAll()
                    head = moment
                }
            }
            while head < moment && events[head].steps == 0 { head += 1 }
            if let until = rules.starts.until, (head < moment ? events[head].time : time) >= until { return false }
            for event in those where event.steps != 0 {
                takeSpoilt(event)
                held.add(event.steps)
            }
            if held.union.nonzeroBitCount > chain.depth && held.size() > chain.depth { keep(events[head..<end]) }
            return chain.depth < count
        }
        guard chain.depth > 0 && chain.depth >= spoiltDepth else { return }
        chain.isOpen = chain.depth < count && (isOpen || events[head..<end].contains { hasTime($0, dataEnd) })
        body(chain)
    }

    /// Whether a window from this event on goes on after the end of the data.
    private func hasTime(_ event: StepEvent, _ dataEnd: Int64) -> Bool {
        event.steps != 0 && rules.mayStart(at: event.time) && event.time.isOpen(for: rules.window, at: dataEnd)
    }

    /// Takes the times of the first window that holds more steps than any before.
    private func keep(_ window: UnsafeBufferPointer<StepEvent>.SubSequence) {
        scratch.removeAll()
        var (found, start, before) = (0, Int64(0), Int64(0))
        for event in window where event.steps != 0 {
            scratch.add(event.steps)
            guard scratch.union.nonzeroBitCount > found else { continue }
            let size = scratch.size()
            while found < size {
                if found == 0 { start = event.time }
                if found >= chain.depth {
                    chain.times[found] = event.time
                    chain.sinceFirst[found] = event.time &- start
                    chain.sincePrevious[found] = found == 0 ? 0 : event.time &- before
                }
                before = event.time
                found += 1
            }
        }
        chain.start = start
        chain.depth = found
        chain.taken = .max >> UInt32(32 - found)
    }

    private func exclude(_ exclusions: UInt32, _ window: UnsafeBufferPointer<StepEvent>.SubSequence, at time: Int64) {
        if rules.standing(exclusions, in: rules.spoiling) != 0 {
            let size = held.size()
            if size > 0 {
                spoiltDepth = max(spoiltDepth, size)
                // The latest start of a window that holds as many steps.
                spoilt.removeAll()
                for event in window.reversed() where event.steps != 0 {
                    spoilt.add(event.steps)
                    spoiltStart = event.time
                    if spoilt.union.nonzeroBitCount >= size && spoilt.size() == size { break }
                }
            }
            if chain.depth > 0 && UInt64(bitPattern: time &- chain.start) <= rules.window {
                // The chain found so far is spoilt: a window after the exclusion has to hold as many steps.
                spoiltDepth = max(spoiltDepth, chain.depth)
                chain.depth = 0
            }
        }
        if rules.standing(exclusions, in: rules.ending) != 0 { spoiltStart = nil }
    }

    private func takeSpoilt(_ event: StepEvent) {
        guard let start = spoiltStart else { return }
        if UInt64(bitPattern: event.time &- start) > rules.window {
            spoiltStart = nil
        } else if spoilt.grows(with: event.steps) {
            spoiltDepth = max(spoiltDepth, spoilt.size())
            spoiltStart = nil
        }
    }
}

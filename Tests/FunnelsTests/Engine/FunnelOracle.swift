@testable import Funnels

/// Counts the ordered funnel as the definition's text says, slowly: it tries every order of the events that share a
/// millisecond, and in each order it follows every attempt on its own.
enum FunnelOracle {
    /// The times of the best attempt of one key; empty if none started.
    static func best(_ events: [StepEvent], steps: Int, window: Int64, since: Int64 = .min, until: Int64 = .max) -> [Int64] {
        var best: [Int64] = []
        for order in orders(of: events) {
            for start in order.indices where order[start].steps & 1 == 1 && order[start].time >= since && order[start].time < until {
                let times = attempt(in: order, from: start, steps: steps, window: window)
                if best.isEmpty || isBetter(times, than: best) { best = times }
            }
        }
        return best
    }

    /// The better attempt is deeper, else gets there first, else starts later, else has earlier steps between.
    static func isBetter(_ a: [Int64], than b: [Int64]) -> Bool {
        if a.count != b.count { return a.count > b.count }
        if a.last != b.last { return a[a.count - 1] < b[b.count - 1] }
        if a[0] != b[0] { return a[0] > b[0] }
        return a.lexicographicallyPrecedes(b)
    }

    /// The attempt that the event at `start` begins takes the first event that matches its next step.
    static func attempt(in order: [StepEvent], from start: Int, steps: Int, window: Int64) -> [Int64] {
        var times = [order[start].time]
        for event in order[(start + 1)...] where times.count < steps {
            if event.time - times[0] > window { break }
            if event.steps >> UInt32(times.count) & 1 == 1 { times.append(event.time) }
        }
        return times
    }

    /// Every order in which the events may stand: by time, and within a millisecond in any way.
    static func orders(of events: [StepEvent]) -> [[StepEvent]] {
        let moments = Dictionary(grouping: events, by: \.time).sorted { $0.key < $1.key }.map(\.value)
        return moments.reduce([[]]) { orders, moment in
            let permutations = permutations(of: moment)
            return orders.flatMap { order in permutations.map { order + $0 } }
        }
    }

    static func permutations(of events: [StepEvent]) -> [[StepEvent]] {
        guard events.count > 1 else { return [events] }
        return events.indices.flatMap { first in
            var rest = events
            let event = rest.remove(at: first)
            return permutations(of: rest).map { [event] + $0 }
        }
    }

    /// How many orders there are, without making them.
    static func orderCount(of events: [StepEvent]) -> Int {
        Dictionary(grouping: events, by: \.time).values.reduce(1) { $0 * (1...$1.count).reduce(1, *) }
    }
}

/// Where an attempt can stand after the events of one millisecond, in whatever order they come.
///
/// An attempt has to take what it wants when it comes, so it cannot stop anywhere: of `b` and `a` it may take the `b` alone, if the `a`
/// came first, but never neither. So the orders are followed: for each choice of events that have come, the steps on which it can stand.
struct MomentOrders {
    /// With more choices than these, an attempt may stand on each step of the longest run.
    private static let most = 1 << 14

    private var kinds: [UInt32] = []
    private var counts: [Int] = []
    private var standing: [UInt32] = []

    /// Takes the events of another millisecond instead of those before.
    mutating func load(_ events: UnsafeBufferPointer<StepEvent>.SubSequence, by layout: StepLayout) {
        kinds.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
        for event in events {
            let steps = layout.narrowed(event.steps)
            if steps == 0 { continue }
            if let kind = kinds.firstIndex(of: steps) {
                // There are no more steps to take than these.
                counts[kind] = min(counts[kind] + 1, layout.count)
            } else {
                kinds.append(steps)
                counts.append(1)
                // Each kind at least doubles the choices.
                if kinds.count > 20 { return }
            }
        }
    }

    /// The steps, as bits, on which an attempt can stand that stands on `step` now; `nil` for too many choices.
    mutating func ends(from step: Int, _ layout: StepLayout) -> UInt32? {
        var choices = 1
        for count in counts {
            choices *= count + 1
            if choices > Self.most { return nil }
        }
        standing.removeAll(keepingCapacity: true)
        standing.append(contentsOf: repeatElement(0, count: choices))
        standing[0] = 1 << UInt32(step)
        for choice in 0..<choices {
            var size = 1
            for (kind, count) in zip(kinds, counts) {
                if choice / size % (count + 1) < count {
                    for row in standing[choice].bitNumbers {
                        standing[choice + size] |= 1 << UInt32(layout.target(from: row, of: kind) ?? row)
                    }
                }
                size *= count + 1
            }
        }
        return standing[choices - 1]
    }
}

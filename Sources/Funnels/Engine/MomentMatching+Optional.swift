extension MomentMatching {
    /// The steps that an attempt takes at most of the millisecond that is loaded: it gets as far as it can, and on the way takes
    /// as many optional steps as it can. Bit n is step n, from 0.
    ///
    /// - Parameter step: where it stands, −1 for an attempt that is to begin here.
    func furthest(from step: Int, _ layout: StepLayout) -> UInt32 {
        beginMatching()
        var taken: UInt32 = 0
        var end = step
        while end + 1 < layout.count {
            let required = end < 0 ? 0 : layout.next[end]
            guard layout.isRequired(required), add(required) else { break }
            taken |= 1 << UInt32(required)
            end = required
        }
        guard end >= 0 else { return 0 }
        if end + 1 < layout.count {
            // Behind the last required step that can be reached the deepest optional one counts.
            let last = layout.isRequired(layout.next[end]) ? layout.next[end] - 1 : layout.next[end]
            if let optional = stride(from: last, to: end, by: -1).first(where: add) {
                taken |= 1 << UInt32(optional)
                end = optional
            }
        }
        return taken | optionals(between: step, and: end, besides: taken, layout)
    }

    /// The steps of an attempt that gets from `step` (−1 to begin) exactly to `end`: all required ones between, and as many
    /// optional ones as it can. `nil` if it cannot get there, or if it would not take `count` events.
    func steps(from step: Int, to end: Int, taking count: Int?, _ layout: StepLayout) -> UInt32? {
        beginMatching()
        var taken: UInt32 = 0
        for next in (step + 1)...end where next == end || layout.isRequired(next) {
            guard add(next) else { return nil }
            taken |= 1 << UInt32(next)
        }
        let free = count.map { $0 - taken.nonzeroBitCount }
        if let free, free < 0 { return nil }
        taken |= optionals(between: step, and: end, besides: taken, layout, atMost: free ?? .max)
        return count == nil || taken.nonzeroBitCount == count ? taken : nil
    }

    private func optionals(
        between step: Int, and end: Int, besides taken: UInt32, _ layout: StepLayout, atMost most: Int = .max
    ) -> UInt32 {
        guard layout.hasOptional, step < end else { return 0 }
        var (added, left) = (UInt32(0), most)
        for next in (step + 1)...end where left > 0 && (taken >> UInt32(next)) & 1 == 0 && !layout.isRequired(next) && add(next) {
            added |= 1 << UInt32(next)
            left -= 1
        }
        return added
    }
}

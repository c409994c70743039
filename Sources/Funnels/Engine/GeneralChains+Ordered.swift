extension GeneralChains {
    /// One event alone in its millisecond: the deepest step takes it first.
    func takeOrdered(_ event: StepEvent) {
        var wanted = rules.layout.narrowed(event.steps)
        if spoilt.alive != 0 { best.spoilt(spoilt.move(wanted, at: event.time, rules)) }
        while wanted != 0 {
            let step = 31 - wanted.leadingZeroBitCount
            let bit = UInt32(1) << UInt32(step)
            wanted &= ~bit
            if step == 0 {
                begin(at: event.time)
            } else if let source = source(of: step, at: event.time) {
                note(source, taking: bit, at: event.time)
                move(source, to: step, taking: bit, at: event.time)
                // All that stand before the step in its group have taken it: the latest start for all of them.
                rows.end(bit &- (1 << UInt32(rules.layout.previous[step])))
            }
        }
    }

    /// Several events in one millisecond, in the most favourable order for each attempt.
    func takeOrdered(_ events: UnsafeBufferPointer<StepEvent>.SubSequence, at time: Int64) {
        let layout = rules.layout
        matching.load(events, by: layout)
        if spoilt.alive != 0 { best.spoilt(spoilt.move(matching.union, at: time, rules)) }
        var rest = rows.alive
        while rest != 0 {
            // Deepest first: later starts come later and replace what earlier ones did, and no row is read after it was written.
            let row = 31 - rest.leadingZeroBitCount
            rest &= ~(1 << UInt32(row))
            guard rules.allows(start: rows.start(row), last: rows.last(row), at: time) else { continue }
            let steps = matching.furthest(from: row, layout)
            if steps == 0 { continue }
            note(row, taking: steps, at: time)
            // Where an event fits several steps, it may have to be taken, in whatever order it comes.
            stand(row, on: matching.overlaps ? 0x8000_0000 >> UInt32(steps.leadingZeroBitCount) : steps, taking: steps, at: time)
            rows.end(1 << UInt32(row))
        }
        if matching.union & 1 == 1 && rules.mayStart(at: time) {
            let steps = matching.furthest(from: -1, layout) & ~1
            begin(at: time)
            note(0, taking: steps, at: time)
            // What comes before the start is not taken.
            stand(0, on: steps, taking: steps, at: time)
        }
    }

    private func stand(_ source: Int, on places: UInt32, taking steps: UInt32, at time: Int64) {
        var rest = places
        while rest != 0 {
            move(source, to: rest.trailingZeroBitCount, taking: steps, at: time)
            rest &= rest - 1
        }
    }

    private func begin(at time: Int64) {
        guard rules.mayStart(at: time) else { return }
        rows.begin(at: time)
        note(0, taking: 0, at: time)
    }
}

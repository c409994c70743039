extension GeneralChains {
    /// One event alone in its millisecond: the deepest step takes it first.
    func takeOrdered(_ event: StepEvent) {
        var wanted = rules.layout.narrowed(event.steps)
        if spoilt.alive != 0 { best.spoilt(spoilt.move(wanted, at: event.time, rules)) }
        while wanted != 0 {
            let step = 31 - wanted.leadingZeroBitCount
            wanted &= ~(1 << UInt32(step))
            if step == 0 {
                begin(at: event.time)
            } else if let source = source(of: step, at: event.time), !rows.isAlive(step) || rows.start(step) < rows.start(source) {
                extend(source, taking: 1 << UInt32(step), at: event.time)
            }
        }
    }

    /// Several events in one millisecond, in the most favourable order for each attempt.
    func takeOrdered(_ events: UnsafeBufferPointer<StepEvent>.SubSequence, at time: Int64) {
        let layout = rules.layout
        matching.load(events, by: layout)
        if spoilt.alive != 0 { best.spoilt(spoilt.move(matching.union, at: time, rules)) }
        var rest = rows.standing
        while rest != 0 {
            // Deepest first: later starts come later and replace what earlier ones did, and no row is read after it was written.
            let row = 31 - rest.leadingZeroBitCount
            rest &= ~(1 << UInt32(row))
            guard rules.allows(start: rows.start(row), last: rows.last(row), at: time) else { continue }
            let steps = matching.furthest(from: row, layout)
            if steps != 0 { extend(row, taking: steps, at: time) }
        }
        if matching.union & 1 == 1 && rules.mayStart(at: time) {
            let steps = matching.furthest(from: -1, layout)
            begin(at: time)
            if steps & ~1 != 0 { extend(0, taking: steps & ~1, at: time) }
        }
    }

    private func begin(at time: Int64) {
        guard rules.mayStart(at: time) else { return }
        rows.begin(at: time)
        note(0, taking: 0, at: time)
    }
}

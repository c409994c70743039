/// Strict order: an attempt takes the next event or ends.
extension GeneralChains {
    /// One event alone in its millisecond.
    func takeStrict(_ event: StepEvent) {
        let wanted = rules.layout.narrowed(event.steps)
        if spoilt.alive != 0 { best.spoilt(spoilt.move(wanted, at: event.time, rules)) }
        spoilt.removeAll()
        best.isStanding = false
        var (rest, going) = (wanted, UInt32(0))
        while rest != 0 {
            let step = 31 - rest.leadingZeroBitCount
            rest &= ~(1 << UInt32(step))
            if step == 0 {
                guard rules.mayStart(at: event.time) else { continue }
                rows.begin(at: event.time)
                note(0, taking: 0, at: event.time)
            } else if let source = source(of: step, at: event.time) {
                note(source, taking: 1 << UInt32(step), at: event.time)
                rows.extend(source, to: step, taking: 1 << UInt32(step), at: event.time)
            } else {
                continue
            }
            going |= 1 << UInt32(step)
        }
        rows.alive = going
    }

    /// Several events in one millisecond. An attempt goes on only if it takes them all, in whatever order, or if it begins with
    /// one of them: then the others may have come before. How many of them it takes is open, so it may stand on several steps.
    func takeStrict(_ events: UnsafeBufferPointer<StepEvent>.SubSequence, at time: Int64) {
        let layout = rules.layout
        matching.load(events, by: layout)
        if spoilt.alive != 0 { best.spoilt(spoilt.move(matching.union, at: time, rules)) }
        spoilt.removeAll()
        best.isStanding = false
        let isWanted = events.allSatisfy { $0.steps != 0 }
        var (rest, going) = (rows.alive, UInt32(0))
        while rest != 0 {
            let row = 31 - rest.leadingZeroBitCount
            rest &= ~(1 << UInt32(row))
            guard rules.allows(start: rows.start(row), last: rows.last(row), at: time) else { continue }
            let steps = matching.furthest(from: row, layout)
            if steps == 0 { continue }
            note(row, taking: steps, at: time)
            guard isWanted else { continue }
            for end in (row + 1)..<(32 - steps.leadingZeroBitCount) {
                guard let all = matching.steps(from: row, to: end, taking: events.count, layout) else { continue }
                rows.extend(row, to: end, taking: all, at: time)
                going |= 1 << UInt32(end)
            }
        }
        if matching.union & 1 == 1 && rules.mayStart(at: time) {
            let steps = matching.furthest(from: -1, layout)
            rows.begin(at: time)
            note(0, taking: steps & ~1, at: time)
            going |= 1
            for end in 1..<max(32 - steps.leadingZeroBitCount, 1) {
                guard let some = matching.steps(from: -1, to: end, taking: nil, layout) else { continue }
                rows.extend(0, to: end, taking: some & ~1, at: time)
                going |= 1 << UInt32(end)
            }
        }
        rows.alive = going
        best.isStanding = best.isClean && best.last == time && going >> UInt32(best.depth - 1) & 1 == 1
    }
}

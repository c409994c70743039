/// An attempt that may be spoilt, with the times of its steps.
struct SpoilableAttempt {
    /// When it took each step up to its last one; 0 for a step that it skipped.
    private(set) var times: [Int64]
    /// Bit n is set if it took step n, from 0.
    private(set) var taken: UInt32 = 1

    init(at time: Int64) { times = [time] }

    var depth: Int { times.count }
    var start: Int64 { times[0] }
    var last: Int64 { times[times.count - 1] }

    mutating func take(_ step: Int, at time: Int64) {
        while times.count < step { times.append(0) }
        times.append(time)
        taken |= 1 << UInt32(step)
    }

    /// Whether it counts for its key rather than the other: deeper, or as deep and earlier there, or then started later, or then took more
    /// steps, or then took them earlier.
    func isBetter(than other: SpoilableAttempt) -> Bool {
        if depth != other.depth { return depth > other.depth }
        if last != other.last { return last < other.last }
        if start != other.start { return start > other.start }
        if taken.nonzeroBitCount != other.taken.nonzeroBitCount { return taken.nonzeroBitCount > other.taken.nonzeroBitCount }
        return taken == other.taken && times.lexicographicallyPrecedes(other.times)
    }
}

/// One order of a key's events so far: where its attempts stand, and what those that ended reached.
struct OrderedWay {
    /// The best of the clean attempts that go no further.
    private(set) var best: SpoilableAttempt?
    /// How many steps the deepest spoilt attempt reached; 0 if none is spoilt.
    private(set) var spoiltDepth = 0
    /// For each step the attempts that stand there, by rising start.
    private var rows: [[SpoilableAttempt]]
    private var spoilt: SpoiltAttempts

    init(stepCount: Int) {
        rows = Array(repeating: [], count: stepCount)
        spoilt = SpoiltAttempts(stepCount: stepCount)
    }

    /// The best clean attempt if nothing more comes.
    var bestAtEnd: SpoilableAttempt? {
        var end = self
        for row in rows { for attempt in row { end.note(attempt) } }
        return end.best
    }

    /// Whether an attempt can still go on after the end of the data.
    func isOpen(dataEnd: Int64, _ rules: ChainRules) -> Bool {
        rows.contains { $0.contains { rules.isOpen(start: $0.start, last: $0.last, dataEnd: dataEnd) } }
    }

    /// Takes some events of one millisecond, each with the same steps: the deepest step takes the first of them first.
    mutating func take(_ steps: UInt32, _ count: Int, at time: Int64, _ rules: ChainRules) {
        for _ in 0..<count {
            if spoilt.alive != 0 { spoiltDepth = max(spoiltDepth, spoilt.move(steps, at: time, rules)) }
            if rules.isStrict { spoilt.removeAll() }
            for row in rows.indices.reversed() where !rows[row].isEmpty {
                let target = rules.layout.target(from: row, of: steps)
                if target == nil && !rules.isStrict { continue }
                for var attempt in leave(row) {
                    guard let target, rules.allows(start: attempt.start, last: attempt.last, at: time) else {
                        note(attempt)
                        continue
                    }
                    attempt.take(target, at: time)
                    stand(attempt)
                }
            }
            if steps & 1 == 1 && rules.mayStart(at: time) { stand(SpoilableAttempt(at: time)) }
        }
    }

    /// Spoils and ends attempts; what ends one may have spoilt it in the same millisecond.
    mutating func exclude(_ exclusions: UInt32, at time: Int64, _ rules: ChainRules) {
        let spoiling = rules.standing(exclusions, in: rules.spoiling)
        let ending = rules.standing(exclusions, in: rules.ending)
        for row in rows.indices where (spoiling | ending) >> UInt32(row) & 1 == 1 {
            for attempt in leave(row) {
                // What was over before the exclusion came is not touched by it.
                guard spoiling >> UInt32(row) & 1 == 1, rules.allows(start: attempt.start, last: attempt.last, at: time) else {
                    note(attempt)
                    continue
                }
                spoilt.add(row, start: attempt.start, last: attempt.last)
                spoiltDepth = max(spoiltDepth, row + 1)
            }
        }
        spoilt.end(ending, at: time, rules)
    }

    /// Ends the attempts whose time is over.
    mutating func expire(at time: Int64, _ rules: ChainRules) {
        for row in rows.indices {
            let over = rows[row].prefix { !rules.allows(start: $0.start, last: $0.last, at: time) }
            for attempt in over { note(attempt) }
            if !over.isEmpty { rows[row].removeFirst(over.count) }
        }
    }

    private mutating func leave(_ row: Int) -> [SpoilableAttempt] {
        var leaving: [SpoilableAttempt] = []
        swap(&leaving, &rows[row])
        return leaving
    }

    private mutating func stand(_ attempt: SpoilableAttempt) {
        let row = attempt.depth - 1
        if attempt.depth == rows.count {
            note(attempt)
        } else if let other = rows[row].last, other.start == attempt.start, other.last == attempt.last {
            // Two starts of one millisecond: whatever comes to one comes to the other.
            if attempt.isBetter(than: other) { rows[row][rows[row].count - 1] = attempt }
        } else {
            rows[row].append(attempt)
        }
    }

    private mutating func note(_ attempt: SpoilableAttempt) {
        if best.map({ attempt.isBetter(than: $0) }) ?? true { best = attempt }
    }

    /// All on which it depends what can come of the way, but for the times of clean attempts.
    fileprivate func future(_ rules: ChainRules) -> [Int64] {
        var future = [Int64(spoiltDepth)]
        for row in rows {
            future.append(Int64(row.count))
            for attempt in row {
                future.append(attempt.start)
                if rules.stepWindow != .max { future.append(attempt.last) }
            }
        }
        spoilt.describe(to: &future, withLasts: rules.stepWindow != .max)
        return future
    }

    /// Takes what is better of a way with the same future. Of one attempt alone the times are asked in the end, so each may be of either.
    fileprivate mutating func merge(_ other: OrderedWay) {
        if let best = other.best { note(best) }
        for row in rows.indices {
            for (index, attempt) in other.rows[row].enumerated() where attempt.isBetter(than: rows[row][index]) {
                rows[row][index] = attempt
            }
        }
    }
}

/// The orders of a key's events that make a difference for what is to come.
struct OrderedWays {
    /// Further ones are not followed: the key then counts as in the best of so many.
    private static let most = 128

    private(set) var all: [OrderedWay] = []
    private var indexOf: [[Int64]: Int] = [:]

    /// Adds a way, unless one with the same future is there: that gets what is better of it.
    mutating func insert(_ way: OrderedWay, _ rules: ChainRules) {
        let future = way.future(rules)
        if let index = indexOf[future] {
            all[index].merge(way)
        } else if all.count < Self.most {
            indexOf[future] = all.count
            all.append(way)
        }
    }

    /// Lets events happen to all ways. None may be inserted any more.
    mutating func forEach(_ body: (inout OrderedWay) -> Void) {
        for index in all.indices { body(&all[index]) }
    }
}

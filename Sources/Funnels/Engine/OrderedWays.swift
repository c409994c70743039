/// One order of a key's events so far: where its attempts stand, and what those that ended reached.
struct OrderedWay {
    /// The best of the clean attempts that go no further.
    private(set) var best: Attempt?
    /// Whether one of these still had time when the data ended. It may have run out since: some events come after that end (``DataEnd``).
    private(set) var isOpen = false
    /// How many steps the deepest spoilt attempt reached; 0 if none is spoilt.
    private(set) var spoiltDepth = 0
    /// For each step, the attempts that stand there: if exclusions spoil, all of them by rising start; else those that no other replaces.
    private var rows: [[Attempt]]
    /// For each step, the latest attempt there that an exclusion has spoilt, until it takes the one step that still counts.
    private var spoilt: [Attempt?]

    init(stepCount: Int) {
        rows = Array(repeating: [], count: stepCount)
        spoilt = Array(repeating: nil, count: stepCount)
    }

    /// Whether no attempt stands on a step, not even a spoilt one: only a start changes anything then.
    var isOver: Bool { rows.allSatisfy(\.isEmpty) && spoilt.allSatisfy { $0 == nil } }

    /// Lets all attempts go no further: no more events come.
    mutating func close(_ rules: ChainRules) { for attempt in rows.joined() { note(attempt, isOver: true, rules) } }

    /// Takes `count` events of one millisecond that fit the same steps. Deepest row first, so that an event moves an attempt only once.
    mutating func take(_ steps: UInt32, _ count: Int, at time: Int64, _ rules: ChainRules) {
        for _ in 0..<count {
            if rules.spoils { moveSpoilt(steps, at: time, rules) }
            for row in rows.indices.reversed() where !rows[row].isEmpty {
                let target = rules.layout.target(from: row, of: steps)
                if target == nil && !rules.isStrict { continue }
                for var attempt in leave(row) {
                    guard let target, rules.allows(attempt, at: time) else {
                        note(attempt, isOver: !rules.allows(attempt, at: time), rules)
                        continue
                    }
                    attempt.take(target, at: time)
                    stand(attempt, rules)
                }
            }
            if steps & 1 == 1 && rules.mayStart(at: time) { stand(Attempt(at: time), rules) }
        }
    }

    /// Lets each spoilt attempt that wants one of `steps` take it.
    private mutating func moveSpoilt(_ steps: UInt32, at time: Int64, _ rules: ChainRules) {
        for (row, attempt) in spoilt.enumerated() {
            guard let attempt else { continue }
            let target = rules.layout.target(from: row, of: steps)
            if let target, rules.allows(attempt, at: time) { spoiltDepth = max(spoiltDepth, target + 1) }
            if target != nil || rules.isStrict { spoilt[row] = nil }
        }
    }

    /// Spoils and ends attempts. An attempt that is spoilt and ended in the same millisecond is credited with no further step.
    mutating func exclude(_ exclusions: UInt32, at time: Int64, _ rules: ChainRules) {
        let spoiling = rules.standing(exclusions, in: rules.spoiling)
        let ending = rules.standing(exclusions, in: rules.ending)
        for row in (spoiling | ending).bitNumbers {
            for attempt in leave(row) {
                // An attempt whose time ran out before the exclusion came is not touched by it.
                guard spoiling >> UInt32(row) & 1 == 1, rules.allows(attempt, at: time) else {
                    note(attempt, isOver: !rules.allows(attempt, at: time), rules)
                    continue
                }
                if spoilt[row].map({ ($0.start, $0.last) <= (attempt.start, attempt.last) }) ?? true { spoilt[row] = attempt }
                spoiltDepth = max(spoiltDepth, row + 1)
            }
        }
        for row in ending.bitNumbers {
            if let attempt = spoilt[row], rules.allows(attempt, at: time) { spoilt[row] = nil }
        }
    }

    /// Ends the attempts whose time is over.
    mutating func expire(at time: Int64, _ rules: ChainRules) {
        for row in rows.indices where rows[row].contains(where: { !rules.allows($0, at: time) }) {
            for attempt in leave(row) {
                if rules.allows(attempt, at: time) { rows[row].append(attempt) } else { note(attempt, isOver: true, rules) }
            }
        }
    }

    private mutating func leave(_ row: Int) -> [Attempt] {
        defer { rows[row] = [] }
        return rows[row]
    }

    private mutating func stand(_ attempt: Attempt, _ rules: ChainRules) {
        let row = attempt.depth - 1
        if attempt.depth == rows.count { return note(attempt) }
        if rules.spoils {
            if let other = rows[row].last, other.start == attempt.start, other.last == attempt.last {
                // Two starts of one millisecond: whatever comes to one comes to the other.
                if attempt.isBetter(than: other) { rows[row][rows[row].count - 1] = attempt }
                return
            }
        } else {
            for other in rows[row].indices.reversed() {
                if rows[row][other].replaces(attempt, rules) { return note(attempt) }
                if attempt.replaces(rows[row][other], rules) { note(rows[row].remove(at: other)) }
            }
        }
        rows[row].append(attempt)
    }

    /// - Parameter isOver: whether its time ran out, or no more events come.
    private mutating func note(_ attempt: Attempt, isOver: Bool, _ rules: ChainRules) {
        if isOver && rules.isOpen(attempt) { isOpen = true }
        note(attempt)
    }

    private mutating func note(_ attempt: Attempt) { if best.map({ attempt.isBetter(than: $0) }) ?? true { best = attempt } }

    /// Everything that decides what attempts can still reach in this order. Their other times matter only for the result.
    fileprivate func future(_ rules: ChainRules) -> [Int64] {
        var future = [Int64(spoiltDepth)]
        for row in rows + spoilt.map({ $0.map { [$0] } ?? [] }) {
            future.append(Int64(row.count))
            for attempt in row {
                future.append(attempt.start)
                if rules.stepWindow != .max { future.append(attempt.last) }
            }
        }
        return future
    }

    /// Takes over the better attempts of a way with the same future: they differ only in times that matter for the result. Where nothing
    /// spoils, the future does not matter: attempts do not affect each other.
    fileprivate mutating func merge(_ other: OrderedWay, _ rules: ChainRules) {
        if let best = other.best { note(best) }
        isOpen = isOpen || other.isOpen
        for row in rows.indices {
            for (index, attempt) in other.rows[row].enumerated() {
                if !rules.spoils {
                    stand(attempt, rules)
                } else if attempt.isBetter(than: rows[row][index]) {
                    rows[row][index] = attempt
                }
            }
        }
    }
}

/// The orders of a key's events so far that can have different outcomes. Where nothing spoils, one ``OrderedWay`` stands for all.
struct OrderedWays {
    /// The most orders that are followed. The key counts as in the best of them.
    private static let most = 128

    private(set) var all: [OrderedWay] = []
    private var indexOf: [[Int64]: Int] = [:]

    /// Adds a way. If there is one with the same future, that one takes over the better attempts instead.
    mutating func insert(_ way: OrderedWay, _ rules: ChainRules) {
        let future = rules.spoils ? way.future(rules) : []
        if let index = indexOf[future] {
            all[index].merge(way, rules)
        } else if all.count < Self.most {
            indexOf[future] = all.count
            all.append(way)
        }
    }

    /// Calls `body` with each way, to change it. No way may be inserted afterwards: the known futures are no longer right.
    mutating func forEach(_ body: (inout OrderedWay) -> Void) { for index in all.indices { body(&all[index]) } }
}

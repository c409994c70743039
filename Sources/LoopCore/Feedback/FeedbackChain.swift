/// Counts the events that effects sent because of each other since the last event from outside.
@usableFromInline
struct FeedbackChain {
    /// The turn in which work was first called.
    struct WorkTurn {
        fileprivate let number: Int
        /// Whether the turn ends before the work can resume: what the work sends in this turn was then sent before its suspension.
        let endsAtSuspension: Bool
    }

    /// How many events of effects led to each other up to the present one; 0 for an event from outside.
    @usableFromInline private(set) var depth = 0
    /// How many events of effects came since the last event that began a new count.
    private var count = 0
    private var turn = 0

    /// Begins a chain: an event from outside is taken.
    @usableFromInline
    mutating func begin() {
        depth = 0
        count = 0
    }

    /// Continues the chain: an event of an effect is taken. `depth` is 0 if it was sent after its effect suspended.
    @usableFromInline
    mutating func take(depth: Int, _ limit: FeedbackLimit) {
        self.depth = max(depth, 1)
        if case .inARow = limit, depth == 0 { count = 0 }
        count += 1
    }

    /// Whether too many events led to each other, or followed from one event.
    @usableFromInline
    func isRunaway(_ limit: FeedbackLimit) -> Bool { isTooDeep(limit) || count > limit.followers }

    func isTooDeep(_ limit: FeedbackLimit) -> Bool { if case .inARow(let count) = limit { depth > count } else { false } }

    /// Begins the turn in which work that sends events of this depth is first called. Only near the limit does it cost a job to end it.
    mutating func beginTurn(depth: Int, _ limit: FeedbackLimit) -> WorkTurn {
        turn += 1
        return WorkTurn(number: turn, endsAtSuspension: depth >= limit.count / 2 || count >= limit.followers / 2)
    }

    mutating func endTurn() { turn += 1 }

    /// Whether what the work sends now belongs to its chain: it does in the same turn, which near the limit must end at a suspension.
    func includes(_ work: WorkTurn, _ limit: FeedbackLimit) -> Bool {
        work.number == turn && (work.endsAtSuspension || count < limit.followers / 2)
    }
}

extension FeedbackLimit {
    /// How many events of effects may follow from one event.
    fileprivate var followers: Int {
        switch self {
        case .inARow(let count): count.multipliedReportingOverflow(by: 1_000).overflow ? .max : count * 1_000
        case .perOutsideEvent(let count): count
        }
    }
}

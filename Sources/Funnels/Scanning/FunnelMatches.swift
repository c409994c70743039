import EventFiles

/// The events of a batch that one funnel wants; what only some funnels ask stands in columns of its own.
struct FunnelMatches: Sendable {
    struct Match: Sendable, BitwiseCopyable {
        /// Of the key; ``Fingerprint/none`` where the event has none.
        var key: Fingerprint
        var time: Int64
        /// Which event of the batch.
        var event: UInt32
        var steps: UInt32
    }

    private(set) var all: [Match] = []
    /// Empty where the funnel has no exclusions.
    private(set) var exclusions: [UInt32] = []
    /// Empty where the funnel has no breakdown, or holds no property: the value's number in ``valueTable`` and 1, 0 for none;
    /// the fingerprint.
    private(set) var values: [UInt32] = []
    private(set) var holds: [Fingerprint] = []
    private(set) var valueTable = NameTable()
    /// The fingerprint of each event's session; empty where the funnel asks nothing about sessions.
    private(set) var sessions: [Fingerprint] = []

    /// - Parameter count: for how many events there is room at first.
    init(expecting count: Int) {
        all.reserveCapacity(count)
    }

    /// Adds an event.
    ///
    /// - Parameter bits: as ``StepMatcher`` gives them.
    @inline(__always)
    mutating func add(_ bits: UInt64, event: Int, key: Fingerprint, _ line: EventHead, _ plan: CompiledFunnel, funnel: Int) {
        all.append(Match(key: key, time: line.time, event: UInt32(event), steps: UInt32(truncatingIfNeeded: bits)))
        if plan.hasExclusions[funnel] { exclusions.append(UInt32(truncatingIfNeeded: bits >> 32)) }
        if plan.hasFacets[funnel] { addFacets(line, plan, funnel) }
        if !plan.sessionQuestions[funnel].isEmpty { sessions.append(line.session.isEmpty ? .none : .of(line.session)) }
    }

    /// Adds an event of which nothing else is kept.
    @inline(__always)
    mutating func add(_ match: Match) { all.append(match) }

    private mutating func addFacets(_ line: EventHead, _ plan: CompiledFunnel, _ funnel: Int) {
        if let breakdown = plan.breakdowns[funnel] {
            var number: UInt32 = 0
            breakdown.withText(in: line.props) { text in
                guard let text, !text.isEmpty else { return }
                var isNew = false
                number = UInt32(valueTable.number(of: text, isNew: &isNew)) + 1
            }
            values.append(number)
        }
        if let hold = plan.holds[funnel] {
            holds.append(hold.withText(in: line.props) { $0.fingerprint })
        }
    }

    func event(_ place: Int) -> StepEvent {
        StepEvent(time: all[place].time, steps: all[place].steps, exclusions: exclusions.isEmpty ? 0 : exclusions[place])
    }
}

import EventFiles

/// The events of a batch that one funnel wants, column by column.
struct FunnelMatches: Sendable {
    /// Which event of the batch.
    private(set) var events: [UInt32] = []
    private(set) var times: [Int64] = []
    private(set) var steps: [UInt32] = []
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
        events.reserveCapacity(count)
        times.reserveCapacity(count)
        steps.reserveCapacity(count)
    }

    /// Adds an event.
    ///
    /// - Parameter bits: as ``StepMatcher`` gives them.
    @inline(__always)
    mutating func add(_ bits: UInt64, event: Int, _ line: EventHead, _ plan: FunnelPlan, funnel: Int) {
        events.append(UInt32(event))
        times.append(line.time)
        steps.append(UInt32(truncatingIfNeeded: bits))
        if plan.hasExclusions[funnel] { exclusions.append(UInt32(truncatingIfNeeded: bits >> 32)) }
        if plan.hasFacets[funnel] { addFacets(line, plan, funnel) }
        if !plan.sessionQuestions[funnel].isEmpty { sessions.append(line.session.isEmpty ? .none : .of(line.session)) }
    }

    private mutating func addFacets(_ line: EventHead, _ plan: FunnelPlan, _ funnel: Int) {
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
        StepEvent(time: times[place], steps: steps[place], exclusions: exclusions.isEmpty ? 0 : exclusions[place])
    }
}

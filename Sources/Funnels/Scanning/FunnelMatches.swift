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
    /// Empty where the funnel has no breakdown, or holds no property and counts no visits: the value's number in ``valueTable`` and 1, 0 for
    /// none; what ``GroupEvent/hold`` is.
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
    mutating func add(_ bits: UInt64, event: Int, key: Fingerprint, _ line: EventHead, _ funnel: CompiledFunnel.Single) {
        all.append(Match(key: key, time: line.time, event: UInt32(event), steps: UInt32(truncatingIfNeeded: bits)))
        if funnel.hasExclusions { exclusions.append(UInt32(truncatingIfNeeded: bits >> 32)) }
        if funnel.hasGroups { addValues(line, funnel) }
        if !funnel.questions.isEmpty { sessions.append(line.session.isEmpty ? .none : .of(line.session)) }
    }

    /// Adds an event of which nothing else is kept.
    @inline(__always)
    mutating func add(_ match: Match) { all.append(match) }

    private mutating func addValues(_ line: EventHead, _ funnel: CompiledFunnel.Single) {
        if let breakdown = funnel.breakdown {
            var number: UInt32 = 0
            breakdown.withText(in: line.props) { text in
                guard let text, !text.isEmpty else { return }
                number = UInt32(valueTable.number(of: text)) + 1
            }
            values.append(number)
        }
        if let hold = funnel.hold {
            holds.append(hold.withText(in: line.props) { $0.fingerprint })
        } else if funnel.definition.counting == .visits {
            let text = funnel.definition.key == .session ? line.user : line.session
            holds.append(text.isEmpty ? .none : .of(text))
        }
    }

    func event(_ index: Int) -> StepEvent {
        StepEvent(time: all[index].time, steps: all[index].steps, exclusions: exclusions.isEmpty ? 0 : exclusions[index])
    }
}

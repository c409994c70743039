import EventFiles

/// The events of a batch that one funnel wants.
struct FunnelMatches: Sendable {
    struct Match: Sendable, BitwiseCopyable {
        /// Its value is a number in ``FunnelMatches/valueTable`` + 1; 0 for none.
        var event: StepEvent
        /// The number of the key among those of the batch.
        var key: UInt32
        /// Which event of the batch.
        var index: UInt32
    }

    var all: [Match] = []
    private(set) var valueTable = NameTable()
    /// For each text of the breakdown's column in a summary, the event's value; the largest number until the text comes.
    private var valueOfText: [UInt32] = []
    /// The number of each event's session; empty where the funnel asks nothing about sessions.
    private(set) var sessions: [UInt32] = []
    /// The number of each event's user; empty where no list asks for it.
    var users: [UInt32] = []

    /// - Parameter count: how many events there is room for at first.
    init(expecting count: Int) { all.reserveCapacity(count) }

    /// - Parameters:
    ///   - bits: as ``StepMatcher`` gives them.
    ///   - visitor: what ``StepEvent/hold`` becomes where visits are counted; else 0.
    ///   - numbers: those of the batch's keys, sessions and held values.
    @inline(__always)
    mutating func add(
        _ bits: UInt64, index: Int, key: UInt32, visitor: UInt32, _ line: EventHead, _ funnel: CompiledFunnel.Single,
        _ numbers: inout FingerprintNumbers
    ) {
        var event = StepEvent(time: line.time, steps: UInt32(truncatingIfNeeded: bits), exclusions: UInt32(truncatingIfNeeded: bits >> 32))
        event.hold = visitor
        if funnel.hasValues { addValues(to: &event, line, funnel, &numbers) }
        all.append(Match(event: event, key: key, index: UInt32(index)))
        if !funnel.questions.isEmpty { sessions.append(UInt32(numbers.number(of: line.session.fingerprint))) }
    }

    /// Gives an event the value of the breakdown's only property. A text is looked up once, then known by its number in a summary's column.
    @inline(__always)
    mutating func addValue(
        to event: inout StepEvent, _ text: Int?, _ line: @autoclosure () -> EventHead, _ funnel: @autoclosure () -> CompiledFunnel.Single,
        _ numbers: inout FingerprintNumbers
    ) {
        guard let text else { return addValues(to: &event, line(), funnel(), &numbers) }
        if text >= valueOfText.count { valueOfText += repeatElement(UInt32.max, count: text + 256 - valueOfText.count) }
        if valueOfText[text] == .max {
            addValues(to: &event, line(), funnel(), &numbers)
            valueOfText[text] = event.value
        }
        event.value = valueOfText[text]
    }

    private mutating func addValues(
        to event: inout StepEvent, _ line: EventHead, _ funnel: CompiledFunnel.Single, _ numbers: inout FingerprintNumbers
    ) {
        if funnel.breakdown.count == 1 {
            line.properties.withText(at: funnel.breakdown[0]) { text in
                if let text, !text.isEmpty { event.value = UInt32(valueTable.number(of: text)) + 1 }
            }
        } else if let group = FunnelBreakdown.group(of: funnel.breakdown.map { line.properties.withText(at: $0) { $0.map(Array.init) } }) {
            event.value = UInt32(group.withUnsafeBytes { valueTable.number(of: $0) }) + 1
        }
        if let hold = funnel.hold {
            event.hold = UInt32(numbers.number(of: line.properties.withText(at: hold) { $0?.fingerprint ?? .none }))
        }
    }
}

import Basics
import EventFiles

/// What a funnel asks about the session of an event. The answer may stand in a file that is read later, so it is given at the end.
struct SessionQuestions: Sendable {
    /// One test of a step or an exclusion.
    private struct Question: Sendable {
        /// The bit of its step or exclusion, as ``StepMatcher`` numbers them.
        var bit: UInt64
        var path: Int
        var test: CompiledTest
    }

    private let tests: [Question]
    /// For each property of the breakdown, its path's index among the session paths of the pass; `nil` for one of events. Empty if all are.
    let breakdown: [Int?]
    /// The index of the key's path; `nil` if the key is not a session's context.
    let key: Int?

    /// - Parameter paths: the session paths of all funnels; those of this one that are missing are added.
    init(_ definition: FunnelDefinition, _ paths: inout Numbering<[ExactText]>) {
        func index(_ path: [String]) -> Int { paths.number(of: path.map { ExactText($0) }) }
        var tests: [Question] = []
        for (bit, pattern) in StepMatcher.numbered(definition) {
            for test in pattern.tests where test.source == .session {
                tests.append(Question(bit: 1 << UInt64(bit), path: index(test.path), test: CompiledTest(test)))
            }
        }
        self.tests = tests
        let properties = definition.breakdown?.properties ?? []
        breakdown = properties.contains { $0.source == .session } ? properties.map { $0.source == .session ? index($0.path) : nil } : []
        if case .context(let path) = definition.key { key = index(path) } else { key = nil }
    }

    /// The steps and exclusions with a test, as ``StepMatcher`` numbers them.
    var asked: UInt64 { tests.reduce(0) { $0 | $1.bit } }

    var isEmpty: Bool { tests.isEmpty && breakdown.isEmpty && key == nil }

    /// The event without the steps and exclusions whose tests do not hold.
    func answered<Event: SteppedEvent>(_ event: Event, in session: Fingerprint, _ contexts: SessionContexts) -> Event {
        var event = event
        for question in tests {
            let value = contexts.value(question.path, of: session, at: event.time)
            let holds = value.map { $0.withUnsafeBytes { question.test.holds(for: $0) } } ?? question.test.holdsWithoutValue
            if holds { continue }
            event.steps &= ~UInt32(truncatingIfNeeded: question.bit)
            event.exclusions &= ~UInt32(truncatingIfNeeded: question.bit >> 32)
        }
        return event
    }
}

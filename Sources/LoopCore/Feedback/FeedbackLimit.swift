/// How long a chain of feedback events that lead to each other may grow, before the system takes it for a runaway.
///
/// A number literal stands for ``inARow(_:)``.
public enum FeedbackLimit: Sendable, Equatable, ExpressibleByIntegerLiteral {
    /// At most this many events of effects may lead to each other, and 1,000 times as many may follow from one event. Counting begins anew
    /// at an event from outside, and where an effect or the work of a ``Next`` goes on after it suspended: timers may run for ever.
    case inARow(Int)
    /// At most this many events of effects for each event from outside and for the initial state, whether the effects suspended or not.
    /// ArchitectureKit allows 5 passes over all feedbacks: `5 * n` events for n feedbacks.
    case perOutsideEvent(Int)

    /// 1,000 in a row: no intended chain is that long, and a runaway reaches it at once.
    @usableFromInline package static let defaultLimit = FeedbackLimit.inARow(1_000)

    public init(integerLiteral count: Int) { self = .inARow(count) }

    package var count: Int {
        switch self {
        case .inARow(let count), .perOutsideEvent(let count): count
        }
    }
}

/// The error of the step at which a system stopped a chain of feedback events that did not end.
///
/// The event of that step was not reduced and the state is as it was. The system goes on with the next event.
public struct RunawayFeedback: Error, Equatable, CustomStringConvertible {
    public let limit: FeedbackLimit
    /// How many more events of the chain waited and were dropped with it.
    public let dropped: Int

    public var description: String {
        let rule =
            switch limit {
            case .inARow(let count): "\(count) events in a row came from feedbacks"
            case .perOutsideEvent(let count): "\(count) events came from feedbacks for one event from outside"
            }
        return "runaway feedback: \(rule), and \(dropped + 1) more were dropped. "
            + "Let a feedback start nothing for the state that its own event leads to, or raise maxFeedbackEvents."
    }
}

import LoopCore

/// How events, states and errors become text in a log: described, cut to a limit, made fit for one line, with sensitive values masked.
///
/// ```swift
/// .log(values: LogValues(event: { _ in "" }, state: { "\($0.cart.count) in the cart" }))
/// ```
/// What the closures return is data like any other: it is cut and escaped too.
public struct LogValues<State, Event>: Sendable {
    /// So many characters of a value are shown unless another limit is given: a line stays readable, and the log of a large
    /// state small.
    public static var limit: Int { 256 }

    /// The step's level, where the log was given levels.
    public internal(set) var level: LogLevel?
    /// When the step was taken, in milliseconds since 1970 UTC, where the log was given a clock.
    public internal(set) var timeMilliseconds: Int64?

    private let limit: Int
    private let describeEvent: (@Sendable (Event) -> String)?
    private let describeState: (@Sendable (State) -> String)?

    /// - Parameters:
    ///   - limit: how much of each value is shown, in Unicode scalars before escaping; a cut value ends in `…`.
    ///   - event: describes an event, in place of `String(describing:)`. The event's name is shown in any case.
    ///   - state: describes a state, in place of `String(describing:)`.
    public init(
        limit: Int = LogValues.limit, event: (@Sendable (Event) -> String)? = nil, state: (@Sendable (State) -> String)? = nil
    ) {
        self.limit = limit
        describeEvent = event
        describeState = state
    }

    /// The event's name and what it carries: `load(sku: "a1")`. Where the description does not begin with the name, the name
    /// stands before it.
    public func text(ofEvent event: Event) -> String {
        let name = text(ofNameOf: event)
        let text = describeEvent.map { PlainText.of($0(event), limit: limit) } ?? ValueWriter.text(of: event, limit: limit)
        if text.isEmpty || text.hasPrefix(name) { return text.isEmpty ? name : text }
        return "\(name) \(text)"
    }

    /// The name alone: `load`.
    public func text(ofNameOf event: Event) -> String {
        event is any LogSensitive ? LogMask.text : PlainText.of(EventName.name(of: event), limit: limit)
    }

    public func text(ofState state: State) -> String {
        describeState.map { PlainText.of($0(state), limit: limit) } ?? ValueWriter.text(of: state, limit: limit)
    }

    public func text(ofError error: any Error) -> String { ValueWriter.text(of: error, limit: limit) }

    /// What two states differ in. Each value is cut as ``text(ofState:)`` does; the closure for states is not asked.
    ///
    /// - Parameter most: how many changes are told one by one.
    /// - Complexity: bounded, whatever the states hold: equal parts are compared with their own `==`, and of what differs some ten thousand
    ///   values are looked at.
    public func changes(from old: State, to new: State, most: Int = LogChanges.most) -> LogChanges {
        StateDiff.changes(from: old, to: new, limit: limit, most: most)
    }
}

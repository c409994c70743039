import LoopCore

/// How events, states and errors become text in a log: described, cut to a limit, made fit for one line.
///
/// ```swift
/// .log(values: LogValues(event: { _ in "" }, state: { "\($0.cart.count) in the cart" }))
/// ```
/// What the closures return is data like any other: it is cut and escaped too.
public struct LogValues<State, Event> {
    /// So many characters of a value are shown unless another limit is given: a line stays readable, and the log of a large
    /// state small.
    public static var limit: Int { 256 }

    private let limit: Int
    private let describeEvent: ((Event) -> String)?
    private let describeState: ((State) -> String)?

    /// - Parameters:
    ///   - limit: how much of each value is shown, in Unicode scalars before escaping; a cut value ends in `…`.
    ///   - event: describes an event, in place of `String(describing:)`. The event's name is shown in any case.
    ///   - state: describes a state, in place of `String(describing:)`.
    public init(limit: Int = LogValues.limit, event: ((Event) -> String)? = nil, state: ((State) -> String)? = nil) {
        self.limit = limit
        describeEvent = event
        describeState = state
    }

    /// The event's name and what it carries: `load(sku: "a1")`. Where the description does not begin with the name, the name
    /// stands before it.
    public func text(ofEvent event: Event) -> String {
        let name = PlainText.of(EventName.name(of: event), limit: limit)
        let text = describeEvent.map { PlainText.of($0(event), limit: limit) } ?? PlainText.describing(event, limit: limit)
        if text.isEmpty || text.hasPrefix(name) { return text.isEmpty ? name : text }
        return "\(name) \(text)"
    }

    public func text(ofState state: State) -> String {
        describeState.map { PlainText.of($0(state), limit: limit) } ?? PlainText.describing(state, limit: limit)
    }

    public func text(ofError error: any Error) -> String { PlainText.describing(error, limit: limit) }
}

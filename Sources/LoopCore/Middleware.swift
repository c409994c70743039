/// What a middleware wants to find in a ``Step``. What nobody asks for is not paid for.
public struct MiddlewareNeeds: OptionSet, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The state before the step. Keeping it makes a reducer that changes arrays in place copy them: 20 to 60 times slower on
    /// 10,000 elements.
    public static let previousState = MiddlewareNeeds(rawValue: 1)
    /// ``Step/timing``: three or four clock reads a step.
    public static let timing = MiddlewareNeeds(rawValue: 2)
}

/// Something that watches every step of a system: a log, a trace, a tracker.
///
/// A middleware cannot change, delay or veto an event, so the order of several never matters. It is called after the
/// bindings, on the system's isolation; what it sends runs after the current step.
/// ```swift
/// let count = Middleware<AppState, AppEvent> { step in print(step.number) }
/// let system = System(initialState: .start, reducer: App.reduce).attach(count, .log())
/// system.detach(count)
/// ```
public struct Middleware<State, Event> {
    public typealias Handler = (Step<State, Event>) -> Void

    /// Tells one middleware from another, for detaching. Copies of a value are the same middleware.
    public struct ID: Hashable, Sendable {
        private final class Token: Sendable {}
        private let token = Token()

        public static func == (a: ID, b: ID) -> Bool { a.token === b.token }
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(token)) }
    }

    public let id = ID()
    public let needs: MiddlewareNeeds
    private let make: () -> Handler

    /// A middleware whose handler keeps nothing from step to step, or keeps it for all systems together.
    public init(needs: MiddlewareNeeds = [], _ handler: @escaping Handler) {
        self.needs = needs
        make = { handler }
    }

    /// A middleware that keeps something for each system it is attached to, such as the last event it told.
    ///
    /// - Parameter makingHandler: called once at each attaching.
    public init(needs: MiddlewareNeeds = [], makingHandler: @escaping () -> Handler) {
        self.needs = needs
        make = makingHandler
    }

    /// A fresh handler, for a system to call at each of its steps. `System.attach(_:)` calls this; adapters to other
    /// libraries' callbacks do too.
    public func makeHandler() -> Handler { make() }
}

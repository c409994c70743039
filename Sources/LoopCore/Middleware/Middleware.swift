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
    /// An ``EffectNotice`` at the beginning and at the end of every effect: two clock reads an effect. The system keeps its last event.
    @usableFromInline package static let effects = MiddlewareNeeds(rawValue: 4)
    /// ``StepTiming/middleware``, for those that ask for the timing as well: one more clock read a step. Such middleware is called last.
    public static let middlewareTime = MiddlewareNeeds(rawValue: 8)
}

/// Something that observes every step of a system: a log, a trace, a tracker.
///
/// A middleware cannot change, delay or veto an event, so the order of several never matters. It is called after the
/// bindings, on the system's isolation; what it sends runs after the current step. LoopTracing's `.trace(to:)` observes effects, too.
/// ```swift
/// let count = Middleware<AppState, AppEvent> { step in print(step.number) }
/// let system = System(initialState: .start, reducer: App.reduce).attach(count, .log())
/// system.detach(count)
/// ```
public struct Middleware<State, Event> {
    public typealias Handler = (Step<State, Event>) -> Void

    /// The functions of one middleware on one system.
    @usableFromInline package struct Functions {
        /// Called at each step.
        @usableFromInline package var step: Handler
        /// Called when an effect begins and when it ends, if the middleware asks for ``MiddlewareNeeds/effects``. What it
        /// sends runs later, as with a step.
        @usableFromInline package var effect: ((EffectNotice<Event>) -> Void)?

        @usableFromInline package init(step: @escaping Handler, effect: ((EffectNotice<Event>) -> Void)? = nil) {
            self.step = step
            self.effect = effect
        }
    }

    /// Tells one middleware from another, for detaching. Copies of a value are the same middleware.
    struct ID: Equatable, Sendable {
        private final class Token: Sendable {}
        private let token = Token()

        static func == (a: ID, b: ID) -> Bool { a.token === b.token }
    }

    let id = ID()
    public let needs: MiddlewareNeeds
    private let make: () -> Functions

    /// A middleware whose handler keeps nothing from step to step, or keeps it for all systems together.
    public init(needs: MiddlewareNeeds = [], _ handler: @escaping Handler) {
        self.needs = needs
        make = { Functions(step: handler) }
    }

    /// A middleware that keeps something for each system it is attached to, such as the last event it reported.
    ///
    /// - Parameter makingHandler: called once at each attaching.
    public init(needs: MiddlewareNeeds = [], makingHandler: @escaping () -> Handler) {
        self.needs = needs
        make = { Functions(step: makingHandler()) }
    }

    /// A middleware that observes steps and effects.
    ///
    /// - Parameters:
    ///   - needs: with ``MiddlewareNeeds/effects``, or no effect is reported.
    ///   - makingFunctions: called once at each attaching.
    @usableFromInline package init(needs: MiddlewareNeeds, makingFunctions: @escaping () -> Functions) {
        self.needs = needs
        make = makingFunctions
    }

    /// A fresh handler, for a system to call at each of its steps. `System.attach(_:)` calls this; adapters to other
    /// libraries' callbacks do too.
    package func makeHandler() -> Handler { make().step }

    /// Fresh functions for steps and effects, for a loop that has effects to report.
    @usableFromInline package func makeFunctions() -> Functions { make() }
}

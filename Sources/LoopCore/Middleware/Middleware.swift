/// What a middleware asks to find in a ``Step``. What no middleware asks for costs nothing.
public struct MiddlewareNeeds: OptionSet, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The state before the step. Keeping it makes a reducer that changes arrays in place copy them: 20 to 60 times slower for 10,000.
    public static let previousState = MiddlewareNeeds(rawValue: 1)
    /// ``Step/timing``: three clock reads a step, five if the system has bindings.
    public static let timing = MiddlewareNeeds(rawValue: 2)
    /// An ``EffectNotice`` at the beginning and at the end of every effect: two clock reads an effect. The system keeps the last event.
    public static let effects = MiddlewareNeeds(rawValue: 4)
    /// ``StepTiming/middleware``, for those that ask for the timing as well: one more clock read a step. Such middleware is called last.
    public static let middlewareTime = MiddlewareNeeds(rawValue: 8)
}

/// Something that observes every step of a system: a log, a trace, a tracker.
///
/// A middleware cannot change, delay or veto an event, so the order of several never matters. It is called after the bindings, on the
/// system's isolation; events that it sends are taken after the current step.
/// ```swift
/// let count = Middleware<AppState, AppEvent> { step in print(step.number) }
/// let system = System(initialState: .start, reducer: App.reduce).attach(count, .log())
/// system.detach(count)
/// ```
public struct Middleware<State, Event> {
    public typealias Handler = (Step<State, Event>) -> Void
    /// Gets an event with its number, the place that sent it, and what led to the sending.
    @usableFromInline package typealias Taken = (_ number: Int, Event, SendOrigin?, SendCause?) -> Void

    /// The functions of one middleware on one system.
    @usableFromInline package struct Watcher {
        @usableFromInline package var step: Handler
        /// Called when an effect begins and when it ends, if the middleware asks for ``MiddlewareNeeds/effects``.
        @usableFromInline package var effect: ((EffectNotice<Event>) -> Void)?
        /// Called when an event is taken, before it is reduced, if the middleware asks for ``MiddlewareNeeds/effects``.
        @usableFromInline package var taken: Taken?

        @usableFromInline package init(step: @escaping Handler, effect: ((EffectNotice<Event>) -> Void)? = nil, taken: Taken? = nil) {
            (self.step, self.effect, self.taken) = (step, effect, taken)
        }
    }

    /// Tells one middleware from another, for detaching. Copies of a value are the same middleware.
    final class ID: Sendable {}

    let id = ID()
    @usableFromInline package let needs: MiddlewareNeeds
    private let make: (LoopInfo) -> Watcher

    /// A middleware whose handler keeps nothing from step to step, or keeps it for all systems together.
    public init(needs: MiddlewareNeeds = [], _ handler: @escaping Handler) { self.init(needs: needs) { _ in Watcher(step: handler) } }

    /// A middleware that keeps something for each system it is attached to, such as the last event it reported.
    ///
    /// ```swift
    /// let named = Middleware<AppState, AppEvent>(makingHandler: { loop in
    ///     var count = 0
    ///     return { _ in
    ///         count += 1
    ///         print(loop.name ?? "System", count)
    ///     }
    /// })
    /// ```
    /// - Parameter makingHandler: called once at each attaching, with what is known of the loop.
    public init(needs: MiddlewareNeeds = [], makingHandler: @escaping (LoopInfo) -> Handler) {
        self.init(needs: needs) { Watcher(step: makingHandler($0)) }
    }

    /// A middleware that observes steps and effects, such as a tracer.
    ///
    /// - Parameters:
    ///   - needs: ``MiddlewareNeeds/effects`` is added.
    ///   - steps: called at each step.
    ///   - effects: called when an effect begins and when it ends. Events that it sends are taken later, as with a step.
    public init(needs: MiddlewareNeeds = [], steps: @escaping Handler, effects: @escaping (EffectNotice<Event>) -> Void) {
        self.init(needs: needs.union(.effects)) { _ in Watcher(step: steps, effect: effects) }
    }

    /// A middleware of all the functions of a `Watcher`, made at each attaching.
    @usableFromInline package init(needs: MiddlewareNeeds, makingWatcher: @escaping (LoopInfo) -> Watcher) {
        self.needs = needs
        make = makingWatcher
    }

    /// Fresh functions for one loop, a system's or another library's. Those for effects are left out unless the middleware needs effects.
    @usableFromInline
    package func makeWatcher(for loop: LoopInfo) -> Watcher {
        let watcher = make(loop)
        return needs.contains(.effects) ? watcher : Watcher(step: watcher.step)
    }
}

/// How long the parts of one step took, in nanoseconds of a clock that only goes forward: integers, because they are summed at every step.
public struct StepTiming: Sendable, Equatable {
    /// When the event was taken to be reduced, on the system's ``StepClock``.
    public var startedAt: UInt64
    /// From `send` to the beginning of the reducer. 0 if the middleware that asked for timing was attached after the send.
    public var queueWait: UInt64
    /// The reducer itself.
    public var reduce: UInt64
    /// The asynchronous work of the event's ``Next``, from when its task was made to its result; `nil` if there was none or it still runs.
    public var effect: UInt64?
    /// All bindings together.
    public var bindings: UInt64
    /// All middleware that did not ask for ``MiddlewareNeeds/middlewareTime``. `nil` if none asked for it, and in another library's system.
    public var middleware: UInt64?
    /// When the bindings were called, before the middleware; without bindings, when the state was set.
    @usableFromInline package var shownAt: UInt64

    /// - Parameter shownAt: by default right after the reducer and the effect.
    @inlinable
    package init(
        startedAt: UInt64, queueWait: UInt64, reduce: UInt64, effect: UInt64? = nil, bindings: UInt64, middleware: UInt64? = nil,
        shownAt: UInt64? = nil
    ) {
        self.startedAt = startedAt
        self.queueWait = queueWait
        self.reduce = reduce
        self.effect = effect
        self.bindings = bindings
        self.middleware = middleware
        self.shownAt = shownAt ?? startedAt &+ reduce &+ (effect ?? 0)
    }

    /// The timing of a step that begins now; `sentAt` is 0 for a send that was not timed.
    @inlinable
    package init(sentAt: UInt64, _ clock: StepClock) {
        let now = clock.nanoseconds
        self.init(startedAt: now, queueWait: sentAt == 0 ? 0 : now &- sentAt, reduce: 0, bindings: 0)
    }
}

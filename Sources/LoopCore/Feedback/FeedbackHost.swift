/// What a running effect needs of its system, without knowing the system's state.
protocol FeedbackHost<Event>: AnyObject {
    associatedtype Event
    /// Whether no effect may begin any more.
    var isStopped: Bool { get }
    /// The time of a send, 0 where nobody asked for timing.
    var sendTime: UInt64 { get }
    /// Puts an event at the end of the queue.
    func append(_ queued: QueuedEvent<Event>)
    /// Runs what waits, unless something is under way.
    func runWaiting(on actor: any Actor)
    /// An awaited piece of work began, or `-1` ended.
    func countAwaited(_ change: Int)
    func effectFailed(_ error: any Error)
    /// - Returns: what to give to ``effectEnded(_:_:)``; `nil` where nobody asks.
    func effectBegan(_ source: EffectNotice<Event>.Source) -> EffectNotice<Event>?
    func effectEnded(_ notice: EffectNotice<Event>, _ outcome: EffectNotice<Event>.Outcome)
}

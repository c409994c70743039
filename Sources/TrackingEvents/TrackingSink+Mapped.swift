import Basics

extension TrackingSink {
    /// This sink without the events for which `isIncluded` says `false`.
    ///
    /// ```swift
    /// let tracker = Tracker(to: writer.filtered { $0.event.name != "scrolled" })
    /// ```
    /// Flush, consent, erasing and the notes of trackers (``StampedEvent/Kind/meta``) go to this sink as they are. Each event keeps its
    /// number, and before the next event this sink gets one `dropped` note with reason `filtered`, which explains the gap to a check.
    ///
    /// - Parameter isIncluded: asked once for each event, one at a time. It may do what the closure of a ``ClosureSink`` may.
    public func filtered(_ isIncluded: @escaping @Sendable (StampedEvent) -> Bool) -> some TrackingSink {
        MappedSink(to: self) { isIncluded($0) ? $0 : nil }
    }

    /// This sink, with the events that `transform` returns; `nil` leaves an event out. All else is as with ``filtered(_:)``.
    ///
    /// ```swift
    /// let sink = writer.mapped { event in
    ///     var event = event
    ///     event.event.properties["region"] = "eu"
    ///     return event
    /// }
    /// ```
    ///
    /// - Parameter transform: called once for each event, one at a time. It may do what the closure of a ``ClosureSink`` may.
    ///   Session, number and id say which event it is: leave them alone.
    public func mapped(_ transform: @escaping @Sendable (StampedEvent) -> StampedEvent?) -> some TrackingSink {
        MappedSink(to: self, transform)
    }

    /// This sink, with a closure that gets each event after the sink took it, one at a time, as that of a ``ClosureSink`` does.
    package func watched(_ look: @escaping @Sendable (StampedEvent) -> Void) -> some TrackingSink {
        MappedSink(to: self, then: look) { $0 }
    }
}

private final class MappedSink<Base: TrackingSink>: TrackingSink {
    private struct State {
        /// Events left out that no note has reported yet.
        var unreported = SessionTally()
        var random = SeededRandom()
    }

    private let base: Base
    private let transform: @Sendable (StampedEvent) -> StampedEvent?
    private let look: (@Sendable (StampedEvent) -> Void)?
    private let state = Lock(State())

    init(
        to base: Base, then look: (@Sendable (StampedEvent) -> Void)? = nil,
        _ transform: @escaping @Sendable (StampedEvent) -> StampedEvent?
    ) { (self.base, self.transform, self.look) = (base, transform, look) }

    func record(_ event: StampedEvent) {
        guard let event = mapped(event) else { return }
        if let (note, _) = takeNote(at: event.timeMilliseconds) { base.record(note) }
        base.record(event)
        look?(event)
    }

    /// Takes only notes without a number, as that of another such sink: no closure is asked about these.
    func offer(_ event: StampedEvent) -> Bool { event.kind == .meta && event.sequence == nil && base.offer(event) }

    @discardableResult
    func flush() async throws -> FlushReceipt {
        report()
        return try await base.flush()
    }

    var spoolsWhilePending: Bool { base.spoolsWhilePending }

    func setConsent(_ consent: TrackingConsent) {
        // Without consent, drops are not reported, either.
        if consent == .denied { forget() } else { report() }
        base.setConsent(consent)
    }

    func erase(completion: @escaping @Sendable ((any Error)?) -> Void) {
        forget()
        base.erase(completion: completion)
    }

    func suspend() async throws {
        report()
        try await base.suspend()
    }

    func resume() { base.resume() }

    /// The event for the other sink; `nil` if it is left out. An event that is left out is counted if it has a number.
    private func mapped(_ event: StampedEvent) -> StampedEvent? {
        // Notes about users and sessions hold for the events that stay, so none is left out.
        if event.kind == .meta { return event }
        if let changed = transform(event) { return changed }
        if let session = event.session, event.sequence != nil { state.withLock { $0.unreported.add(session) } }
        return nil
    }

    /// Offers `base` the note of the events that were left out. If it has no room, they stay counted for a later note.
    private func report() {
        guard let (note, reported) = takeNote(), !base.offer(note) else { return }
        state.withLock { $0.unreported.add(reported) }
    }

    private func takeNote(at time: @autoclosure () -> Int64 = WallClock.system.milliseconds) -> (StampedEvent, SessionTally)? {
        state.withLock { state in
            if state.unreported.isEmpty { return nil }
            let reported = exchange(&state.unreported, with: SessionTally())
            let properties = reported.droppedProperties(.filtered)
            return (StampedEvent(note: MetaEventName.dropped, properties, at: time(), random: &state.random), reported)
        }
    }

    private func forget() { state.withLock { $0.unreported = SessionTally() } }
}

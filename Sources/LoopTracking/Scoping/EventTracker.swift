public import TrackingEvents

/// Takes events and knows whose they are: a ``Tracker`` has a user of its own, a ``ScopedTracker`` that of one request.
public protocol EventTracker: Sendable {
    /// Stamps an event and hands it to every sink. An event that names a user is stamped with that one.
    ///
    /// - Parameter system: the name of the loop it came from.
    func track(_ event: TrackingEvent, system: String?)
}

extension EventTracker {
    /// Stamps an event of no loop and hands it to every sink.
    @_disfavoredOverload  // A tracker's own method goes first if it has a default for the system.
    public func track(_ event: TrackingEvent) { track(event, system: nil) }

    /// Stamps a planned event and hands it to every sink.
    @_disfavoredOverload
    public func track(_ event: some PlannedEvent, system: String? = nil) { track(event.trackingEvent, system: system) }
}

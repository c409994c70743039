/// What a mapping may return: an event, one of a tracking plan, several of either in an array, or `nil`.
public protocol TrackedEvents {
    /// The events, in the order in which they are tracked.
    var trackingEvents: [TrackingEvent] { get }
}

extension Optional: TrackedEvents where Wrapped: TrackedEvents {
    public var trackingEvents: [TrackingEvent] { self?.trackingEvents ?? [] }
}

extension Array: TrackedEvents where Element: TrackedEvents {
    public var trackingEvents: [TrackingEvent] { flatMap(\.trackingEvents) }
}

/// What a mapping may return: an event, an event of a tracking plan, or an array of either.
public protocol TrackedEvents {
    /// The events, in the order in which they are tracked.
    var trackingEvents: [TrackingEvent] { get }
}

extension TrackedEvents where Self == TrackingEvent {
    /// An event, as a mapping writes it: `.event("order_placed", ["total": 12])`.
    public static func event(_ name: String, _ properties: TrackingProperties = [:]) -> TrackingEvent { TrackingEvent(name, properties) }
}

extension Array: TrackedEvents where Element: TrackedEvents { public var trackingEvents: [TrackingEvent] { flatMap(\.trackingEvents) } }

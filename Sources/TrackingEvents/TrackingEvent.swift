/// What happened, in the product's words: a name and properties, as a mapping from state to event writes it: `.event("product_loaded",
/// ["sku": product.sku])`. The tracker adds the user and the time (``StampedEvent``).
public struct TrackingEvent: Sendable, Equatable, TrackedEvents {
    /// 1 to 200 bytes of UTF-8 on the line; a longer name is cut there.
    public var name: String
    public var properties: TrackingProperties
    package private(set) var person: Person?

    /// A user, and the session if there is one. Indirect, because most events name nobody, and an empty reference is small.
    package indirect enum Person: Sendable, Equatable { case user(String, session: String?) }

    public init(_ name: String, _ properties: TrackingProperties = [:]) { (self.name, self.properties) = (name, properties) }

    /// This event for another user than the tracker's, for a loop that serves many people:
    ///
    /// ```swift
    /// func trackingEvent(_ request: Request) -> TrackingEvent? {
    ///     .event("order_placed", ["total": request.total]).by(user: request.user, session: request.session)
    /// }
    /// ```
    /// The tracker stamps it as its `scoped(user:session:)` does. An empty session is none.
    public func by(user: String, session: String? = nil) -> TrackingEvent {
        var event = self
        event.person = .user(user, session: session == "" ? nil : session)
        return event
    }

    public var trackingEvents: [TrackingEvent] { [self] }
}

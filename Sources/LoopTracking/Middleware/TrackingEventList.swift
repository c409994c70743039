public import TrackingEvents

/// The events of a state, a step or a change: `nil`, `.event(…)` or several in brackets.
///
/// ```swift
/// func trackingEvents(_ state: Shop.State) -> TrackingEventList {
///     switch state {
///     case .start: .event("pdp_shown")
///     case .ordered(let order): [.event("order_placed", ["total": .double(order.total)]), .event("cart_emptied")]
///     default: nil
///     }
/// }
/// ```
/// A type of its own instead of an array, so that all three fit in one `switch`.
public struct TrackingEventList: Sendable, Equatable {
    /// In the order in which they are tracked.
    @usableFromInline package var events: [TrackingEvent]

    /// The events of an array.
    @usableFromInline package init(_ events: [TrackingEvent]) { self.events = events }

    /// One event.
    public static func event(_ name: String, _ properties: TrackingProperties = [:]) -> TrackingEventList {
        TrackingEventList([TrackingEvent(name, properties)])
    }

    /// The events of an array.
    public static func events(_ events: [TrackingEvent]) -> TrackingEventList { TrackingEventList(events) }

    /// A planned event, or an array of them, in a mapping to others.
    public static func planned(_ events: some TrackedEvents) -> TrackingEventList { TrackingEventList(events.trackingEvents) }

    /// These events as another user's than the tracker's.
    ///
    /// - Parameters:
    ///   - user: whose events these are.
    ///   - session: the request's session, if it has one. An empty text is none.
    public func by(user: String, session: String? = nil) -> TrackingEventList {
        TrackingEventList(events.map { $0.by(user: user, session: session) })
    }
}

extension TrackingEventList: TrackedEvents {
    public var trackingEvents: [TrackingEvent] { events }
}

extension TrackingEventList: ExpressibleByNilLiteral, ExpressibleByArrayLiteral {
    public init(nilLiteral: ()) { self.init([]) }
    public init(arrayLiteral events: TrackingEvent...) { self.init(events) }
}

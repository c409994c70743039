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
}

extension TrackingEventList: ExpressibleByNilLiteral, ExpressibleByArrayLiteral {
    public init(nilLiteral: ()) { self.init([]) }
    public init(arrayLiteral events: TrackingEvent...) { self.init(events) }
}

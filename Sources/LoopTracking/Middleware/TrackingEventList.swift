public import TrackingEvents

/// What a state, a step or a change means to the product, where it may be more than one thing: `nil`, `.event(…)` or several in brackets.
///
/// ```swift
/// switch state {
/// case .loading: nil
/// case .start: .event("pdp_shown")
/// case .ordered(let order): [.event("order_placed", ["total": .double(order.total)]), .event("cart_emptied")]
/// }
/// ```
/// A type of its own and no array, so that all three can stand in one `switch`.
public struct TrackingEventList: Sendable, Equatable {
    /// In the order in which they are tracked.
    public var events: [TrackingEvent]

    /// Events that are in an array already.
    public init(_ events: [TrackingEvent]) { self.events = events }

    /// One event.
    public static func event(_ name: String, _ properties: TrackingProperties = [:]) -> TrackingEventList {
        TrackingEventList([TrackingEvent(name, properties)])
    }

    /// Events that are in an array already.
    public static func events(_ events: [TrackingEvent]) -> TrackingEventList { TrackingEventList(events) }
}

extension TrackingEventList: ExpressibleByNilLiteral, ExpressibleByArrayLiteral {
    public init(nilLiteral: ()) { self.init([]) }
    public init(arrayLiteral events: TrackingEvent...) { self.init(events) }
}

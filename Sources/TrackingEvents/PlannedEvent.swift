/// An event of a tracking plan: each value of the type is an event that the plan has.
///
/// The build plugin `TrackingPlanPlugin` and `looptrail plan swift` generate such a type from `tracking-plan.json`. Every mapping
/// middleware takes it instead of a ``TrackingEvent``:
/// ```swift
/// func event(of state: ShopState) -> ShopEvent? {
///     switch state {
///     case .loading: return nil
///     case .productLoaded(let product): return .productViewed(sku: product.sku)
///     }
/// }
/// ```
/// Write the type and `return` in such a mapping: the compiler then points at the line with an event that the plan does not have.
public protocol PlannedEvent: TrackedEvents, Sendable {
    /// The event that is tracked.
    var trackingEvent: TrackingEvent { get }
}

extension PlannedEvent { public var trackingEvents: [TrackingEvent] { [trackingEvent] } }

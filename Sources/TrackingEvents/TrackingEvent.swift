/// What happened, in the product's words: a name and properties.
///
/// The tracker adds who and when (``StampedEvent``). A mapping from state to event returns one of these, or `nil` for no event:
/// ```swift
/// func trackingEvent(_ state: ShopState) -> TrackingEvent? {
///     switch state {
///     case .productLoaded(let product): .event("product_loaded", ["sku": .string(product.sku)])
///     case .loading: nil
///     }
/// }
/// ```
public struct TrackingEvent: Sendable, Equatable {
    /// 1 to 200 bytes of UTF-8 on the line; a longer name is cut there.
    public var name: String
    public var properties: TrackingProperties

    public init(_ name: String, _ properties: TrackingProperties = [:]) {
        self.name = name
        self.properties = properties
    }

    /// An event, for use in a `switch`.
    public static func event(_ name: String, _ properties: TrackingProperties = [:]) -> TrackingEvent {
        TrackingEvent(name, properties)
    }
}

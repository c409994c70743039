/// What happened, in the words of the product: a name and properties.
///
/// It says nothing of who and when; the tracker adds that (``TrackedEvent``). A mapping from state to event returns one
/// of these, or `nil` where there is nothing to tell:
/// ```swift
/// switch state {
/// case .productLoaded(let product): .event("product_loaded", ["sku": .string(product.sku)])
/// case .loading: nil
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

    /// An event, spelled so that it reads well in a `switch`.
    public static func event(_ name: String, _ properties: TrackingProperties = [:]) -> TrackingEvent {
        TrackingEvent(name, properties)
    }
}

struct ShopEvent: PlannedEvent {
    let trackingEvent: TrackingEvent
    static func productViewed(sku: String) -> ShopEvent { ShopEvent(trackingEvent: .event("product_viewed", ["sku": .string(sku)])) }
}

// Generated from a tracking plan. Change the plan, not this file.
// swift-format-ignore-file

public import TrackingEvents

/// The events of Shop, version 2.1, as its tracking plan has them.
nonisolated public struct ShopEvent: PlannedEvent, Equatable {
    /// What is tracked.
    public let trackingEvent: TrackingEvent

    private init(_ name: String, _ properties: TrackingProperties) { trackingEvent = TrackingEvent(name, properties) }

    /// The values of the list `platforms`.
    nonisolated public enum Platforms: String, Sendable, CaseIterable {
        case ios
        case android
        case web
    }

    /// The list of products was opened.
    public static var catalogViewed: ShopEvent { ShopEvent("catalog_viewed", [:]) }

    /// A product's page was shown.
    ///
    /// - Parameters:
    ///   - sku: The product.
    ///   - price: In euros. At least 0.
    public static func productViewed(
        sku: String,
        price: Double
    ) -> ShopEvent {
        Swift.assert(price >= 0, "The plan has price at least 0.")
        var _made = Made(2)
        _made.string("sku", sku)
        _made.number("price", price)
        return ShopEvent("product_viewed", _made.properties)
    }

    /// A product was put into the cart.
    ///
    /// - Parameters:
    ///   - sku: The product.
    ///   - items: How many products the cart holds now. At least 1.
    public static func cartAdded(
        sku: String,
        items: Int
    ) -> ShopEvent {
        Swift.assert(items >= 1, "The plan has items at least 1.")
        var _made = Made(2)
        _made.string("sku", sku)
        _made.int("items", items)
        return ShopEvent("cart_added", _made.properties)
    }

    /// The cart was opened.
    ///
    /// - Parameters:
    ///   - items: At least 0.
    public static func cartViewed(
        items: Int
    ) -> ShopEvent {
        Swift.assert(items >= 0, "The plan has items at least 0.")
        var _made = Made(1)
        _made.int("items", items)
        return ShopEvent("cart_viewed", _made.properties)
    }

    /// A coupon was accepted.
    ///
    /// - Parameters:
    ///   - items: At least 1.
    public static func couponApplied(
        coupon: String,
        items: Int
    ) -> ShopEvent {
        Swift.assert(items >= 1, "The plan has items at least 1.")
        var _made = Made(2)
        _made.string("coupon", coupon)
        _made.int("items", items)
        return ShopEvent("coupon_applied", _made.properties)
    }

    /// The way to the payment began.
    ///
    /// - Parameters:
    ///   - items: At least 1.
    ///   - total: In euros. At least 0.
    public static func checkoutStarted(
        items: Int,
        total: Double,
        coupon: String? = nil
    ) -> ShopEvent {
        Swift.assert(items >= 1, "The plan has items at least 1.")
        Swift.assert(total >= 0, "The plan has total at least 0.")
        var _made = Made(3)
        _made.int("items", items)
        _made.number("total", total)
        _made.string("coupon", coupon)
        return ShopEvent("checkout_started", _made.properties)
    }

    /// An order was paid.
    ///
    /// - Parameters:
    ///   - order: The order's number. At least 1.
    ///   - total: In euros. At least 0.
    public static func paymentSucceeded(
        order: Int,
        total: Double,
        coupon: String? = nil
    ) -> ShopEvent {
        Swift.assert(order >= 1, "The plan has order at least 1.")
        Swift.assert(total >= 0, "The plan has total at least 0.")
        var _made = Made(3)
        _made.int("order", order)
        _made.number("total", total)
        _made.string("coupon", coupon)
        return ShopEvent("payment_succeeded", _made.properties)
    }

    /// A payment did not go through; the shopper may try again.
    public static func paymentFailed(
        reason: String
    ) -> ShopEvent {
        var _made = Made(1)
        _made.string("reason", reason)
        return ShopEvent("payment_failed", _made.properties)
    }

    /// Something went wrong, and the shopper was told.
    public static func errorShown(
        message: String
    ) -> ShopEvent {
        var _made = Made(1)
        _made.string("message", message)
        return ShopEvent("error_shown", _made.properties)
    }

    /// The properties of an event while they are put together.
    private nonisolated struct Made {
        var entries: [TrackingProperties.Entry] = []
        var properties: TrackingProperties { TrackingProperties(uniqueKeys: entries) }

        init(_ count: Int) { entries.reserveCapacity(count) }

        /// What was added, over what an object has already; `nil` where there is nothing.
        func filled(over object: TrackingProperties? = nil) -> TrackingProperties? {
            guard var all = object else { return entries.isEmpty ? nil : properties }
            for entry in entries { all[entry.key] = entry.value }
            return all.isEmpty ? nil : all
        }

        @inline(never)
        mutating func string(_ key: String, _ value: String?) {
            if let value { entries.append(.init(key: key, value: .string(value))) }
        }

        @inline(never)
        mutating func int(_ key: String, _ value: Int?) {
            if let value { entries.append(.init(key: key, value: .int(value))) }
        }

        @inline(never)
        mutating func number(_ key: String, _ value: Double?) {
            if let value { entries.append(.init(key: key, value: .double(value))) }
        }

        @inline(never)
        mutating func object(_ key: String, _ value: TrackingProperties?) {
            if let value { entries.append(.init(key: key, value: .object(value))) }
        }

        @inline(never)
        mutating func sensitiveObject(_ key: String, _ value: TrackingProperties?) {
            if let value { entries.append(.init(key: key, value: .sensitive(.object(value)))) }
        }
    }
}

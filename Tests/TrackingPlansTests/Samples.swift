@testable import TrackingPlans

enum Samples {
    /// The plan of a shop that the tests share.
    static let shop = #"""
        {"plan":1,"name":"Shop","access":"internal",
         "events":{
          "cart_added":{"about":"A product was put into the cart.","props":{
            "sku":{"type":"string"},
            "items":{"type":"int","min":1},
            "price":{"type":"number","optional":true},
            "plan":{"type":"string","values":["free","pro"]},
            "mail":{"type":"string","sensitive":true}}},
          "order_placed":{"since":"2.0","owner":"checkout","tags":["money"],"groups":["order"],"props":{"platform":{"type":"string","list":"platforms"}}},
          "basket_filled":{"deprecated":"use cart_added","props":{}}},
         "shared":{"experiment":{"type":"string","optional":true}},
         "session":{"app_version":{"type":"string"},"platform":{"type":"string","list":"platforms"}},
         "lists":{"platforms":["ios","linux","2.0"]},
         "groups":{"order":{"order.id":{"type":"string"},"order.total":{"type":"number","min":0,"max":1e6,"optional":true}}}}
        """#

    static func plan(_ text: String = shop) throws -> TrackingPlan { try TrackingPlan(Array(text.utf8)) }

    /// A plan with one event `e` of these properties.
    static func plan(properties: String) throws -> TrackingPlan { try plan(PlanErrorsTests.plan(properties)) }
}

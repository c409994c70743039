import Testing

@testable import TrackingPlans

@Suite struct SwiftNameTests {
    @Test(arguments: [
        ("cart_added", "cartAdded"), ("Order Completed", "orderCompleted"), ("cartAdded", "cartAdded"), ("URL", "url"), ("2.0", "_20"),
        ("class", "class"), ("Type", "type"), ("$price-€", "price"), ("größe", "größe"), ("a1B", "a1b"), ("iOS", "iOS"),
    ])
    func `a member's name is in lower camel case`(text: String, name: String) { #expect(SwiftName.member(text) == name) }

    @Test(arguments: [("cart_added", "CartAdded"), ("type", "Type_"), ("protocol", "Protocol_"), ("2x", "_2x")])
    func `a type's name begins with a capital, and is none that Swift reserves`(text: String, name: String) {
        #expect(SwiftName.type(text) == name)
    }

    @Test(arguments: [("init", "init_"), ("Self", "self_"), ("tracking_event", "trackingEvent_"), ("Type", "type"), ("class", "class")])
    func `an event's function has no name that Swift or the type has`(text: String, name: String) {
        #expect(SwiftName.function(text) == name)
    }

    @Test(arguments: [("string", "String_"), ("made", "Made_"), ("type", "Type_"), ("sizes", "Sizes")])
    func `a nested type does not shadow one that the source uses`(text: String, name: String) {
        #expect(SwiftName.nestedType(text) == name)
    }

    @Test(arguments: ["", "-", "€", "…", "😀"]) func `a text without letters and digits gives no name`(text: String) {
        #expect(SwiftName.member(text) == nil)
        #expect(SwiftName.type(text) == nil)
    }

    @Test func `keywords are declared between backticks`() {
        #expect(["class", "default", "plain", "self"].map(SwiftName.declared) == ["`class`", "`default`", "plain", "`self`"])
    }

    @Test func `a literal holds any text`() {
        #expect(SwiftName.literal("a\"\\\n\u{1}é\u{202E}") == #""a\"\\\n\u{1}é\u{202e}""#)
    }
}

import Testing

@testable import Funnels

@Suite("Nearest names")
struct NearestNameTests {
    private let names = ["catalog_viewed", "product_viewed", "cart_added", "checkout_started", "a", "Order Completed"]

    @Test(
        "a misspelling finds its name, and nothing far is offered",
        arguments: [
            ("cart_aded", "cart_added"), ("cart_addde", "cart_added"), ("crat_added", "cart_added"), ("CART_ADDED", "cart_added"),
            ("order completed", "Order Completed"), ("checkout", "checkout_started"), ("cart", "cart_added"), ("CAT", "catalog_viewed"),
            ("ca", "a"), ("pr", nil),
            ("product_viewed_in_list", "product_viewed"), ("b", "a"), ("", nil), ("payment_succeeded", nil),
            ("prodct_viewd", "product_viewed"),
        ] as [(String, String?)])
    func find(name: String, expected: String?) {
        #expect(NearestName.find(name, in: names) == expected)
    }

    @Test func `a name within few edits goes before names that begin alike, of which the shortest wins`() {
        #expect(NearestName.find("cart", in: ["cart_added_again", "cart_added", "carts"]) == "carts")
        #expect(NearestName.find("checkout", in: ["checkout_step_two", "checkout_started"]) == "checkout_started")
    }

    @Test func `of equally near names the first in the same case wins`() {
        #expect(NearestName.find("abcd", in: ["abce", "abcf"]) == "abce")
        #expect(NearestName.find("Abcd", in: ["ABCE", "Abcf"]) == "Abcf")
    }
}

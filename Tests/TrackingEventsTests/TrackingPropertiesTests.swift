import TestSupport
import Testing
import TrackingEvents

@Suite struct TrackingPropertiesTests {
    @Test func `keys keep their order, and the last value of a key wins at its first place`() {
        let properties: TrackingProperties = ["b": 1, "a": 2, "b": 3]
        #expect(properties.entries.map(\.key) == ["b", "a"])
        #expect(properties["b"] == 3)
    }

    /// The Kelvin sign equals a letter, and the Greek question mark a semicolon.
    @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("\u{212A}", "K"), ("\u{37E}", ";"), ("", "")])
    func `keys that are canonically equal are one`(key: String, equal: String) {
        let properties: TrackingProperties = [key: 1, "other": 2, equal: 3]
        #expect(properties.entries.map(\.value) == [3, 2])
        #expect(properties[equal] == 3)
    }

    @Test func `entries whose keys differ are taken as they are`() {
        let entries = ["b", "a"].map { TrackingProperties.Entry(key: $0, value: 1) }
        #expect(TrackingProperties(uniqueKeys: entries) == ["b": 1, "a": 1])
        #expect(TrackingProperties(uniqueKeys: entries).entries == entries)
    }

    @Test func `many pairs follow the same rule as few`() {
        let pairs = (0..<40).map { ("k\($0 % 20)", TrackingValue.int($0)) }
        let properties = TrackingProperties(pairs)
        #expect(properties.entries.count == 20)
        #expect(properties.entries.map(\.key) == (0..<20).map { "k\($0)" })
        #expect(properties["k3"] == 23)
    }

    @Test func `very many keys are no trouble`() {
        let many = isNight ? 1_000_000 : 100_000
        let properties = TrackingProperties((0..<many).map { ("k\($0)", .null) })
        #expect(properties.entries.count == many)
    }

    @Test func `assigning nil removes a key`() {
        var properties: TrackingProperties = ["a": 1, "b": 2]
        properties["a"] = nil
        properties["zzz"] = nil
        #expect(properties == ["b": 2])
    }

    @Test func `an event's own property wins over a shared one`() {
        let event: TrackingProperties = ["plan": "pro", "x": 1]
        let merged = event.merging(under: ["plan": "free", "app": "shop"])
        #expect(merged == ["plan": "pro", "app": "shop", "x": 1])
        #expect(event.merging(under: [:]) == event)
    }

    @Test func `values of an app's own types may be properties`() {
        enum Plan: String, TrackingValueConvertible { case free, pro }
        struct Product { var (sku, count, id, price, isNew, coupon) = ("A1", 3, UInt64.max, 9.5, true, String?.none) }
        let (product, plan, total) = (Product(), Plan.pro, Int8(-4))
        let properties: TrackingProperties = [
            "sku": product.sku, "count": product.count, "id": product.id, "price": product.price, "new": product.isNew,
            "coupon": product.coupon, "plan": plan, "plans": [plan, .free], "total": total, "mail": .sensitive(product.sku),
            "mails": .sensitive(["a", "b"]), "sizes": ["b": 2, "a": 1], "text": "\(product.count) pieces",
        ]
        let spelt: [(String, TrackingValue)] = [
            ("sku", .string("A1")), ("count", .int(3)), ("id", .string("18446744073709551615")), ("price", .double(9.5)),
            ("new", .bool(true)),
            ("coupon", .null), ("plan", .string("pro")), ("plans", .array([.string("pro"), .string("free")])), ("total", .int(-4)),
            ("mail", .sensitive("A1")), ("mails", .sensitive(.array([.string("a"), .string("b")]))),
            ("sizes", .object(["a": 1, "b": 2])), ("text", .string("3 pieces")),
        ]
        #expect(properties == TrackingProperties(spelt))
    }

    @Test func `a value may also be written as an enum case`() {
        let (text, long, list) = ("a", Int64(5), [TrackingValue.int(1)])
        let properties: TrackingProperties = [
            "s": .string(text), "i": .int(text.count), "l": .int(long), "d": .double(1), "b": .bool(text.isEmpty), "n": .null,
            "a": .array(list),
            "o": .object(["k": 1]), "s": .string(text + "b"),
        ]
        #expect(properties == ["s": "ab", "i": 1, "l": 5, "d": 1.0, "b": false, "n": .null, "a": [1], "o": ["k": 1]])
    }

    @Test func `literals of every kind are values`() {
        let properties: TrackingProperties = ["s": "t", "i": 1, "d": 1.5, "b": true, "n": .null, "a": .array([1, "x"]), "o": ["k": 2]]
        #expect(properties["s"] == .string("t"))
        #expect(properties["i"] == .int(1))
        #expect(properties["d"] == .double(1.5))
        #expect(properties["b"] == .bool(true))
        #expect(properties["n"] == .null)
        #expect(properties["a"] == .array([.int(1), .string("x")]))
        #expect(properties["o"] == .object(["k": 2]))
        #expect(TrackingValue.string("\(1)-\(2)") == "1-2")
    }

    @Test func `an event reads well in a switch over states`() {
        enum State { case start, loaded(String), busy }
        func event(_ state: State) -> TrackingEvent? {
            switch state {
            case .start: .event("shown")
            case .loaded(let sku): .event("loaded", ["sku": .string(sku), "mail": .sensitive("m")])
            case .busy: nil
            }
        }
        #expect(event(.start) == TrackingEvent("shown"))
        #expect(event(.loaded("a"))?.properties["sku"] == "a")
        #expect(event(.busy) == nil)
    }
}

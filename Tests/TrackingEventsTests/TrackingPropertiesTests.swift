import Testing
import TrackingEvents

@Suite struct TrackingPropertiesTests {
    @Test func `keys keep their order, and the last value of a key wins at its first place`() {
        let properties: TrackingProperties = ["b": 1, "a": 2, "b": 3]
        #expect(properties.entries.map(\.key) == ["b", "a"])
        #expect(properties["b"] == 3)
    }

    @Test func `many pairs follow the same rule as few`() {
        let pairs = (0..<40).map { ("k\($0 % 20)", TrackingValue.int($0)) }
        let properties = TrackingProperties(pairs)
        #expect(properties.count == 20)
        #expect(properties.entries.map(\.key) == (0..<20).map { "k\($0)" })
        #expect(properties["k3"] == 23)
    }

    @Test func `a million keys are no trouble`() {
        let properties = TrackingProperties((0..<1_000_000).map { ("k\($0)", .null) })
        #expect(properties.count == 1_000_000)
    }

    @Test func `assigning nil takes a key away`() {
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

    @Test func `literals of every kind are values`() {
        let properties: TrackingProperties = ["s": "t", "i": 1, "d": 1.5, "b": true, "n": nil, "a": [1, "x"], "o": ["k": 2]]
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

import Testing
import TrackingEvents

/// The type that the build plugin generates from `tracking-plan.json` in this folder. The plan has odd names, and the target isolates
/// everything to the main actor by default.
@Suite struct GeneratedTypeTests {
    @Test func `an event carries its name and its properties in the plan's order`() {
        let event = OddEvent.cartAdded(sku: "A1", items: 2, price: 9.5, plan: .pro, mail: "a@b.c")
        #expect(
            event.trackingEvent
                == .event("cart_added", ["sku": "A1", "items": 2, "price": 9.5, "plan": "pro", "mail": .sensitive("a@b.c")]))
        #expect(event.trackingEvent.properties.entries.map(\.key) == ["sku", "items", "price", "plan", "mail"])
    }

    @Test func `an optional property that is not given is left out`() {
        let event = OddEvent.cartAdded(sku: "A1", items: 1, plan: .free, mail: "m")
        #expect(event.trackingEvent.properties["price"] == nil)
    }

    @Test func `an event without properties is a variable`() {
        #expect(OddEvent.start.trackingEvent == .event("start"))
        // Names that Swift or the type has already.
        let taken = [OddEvent.init_, .self_(type: .x), .type, .trackingEvent_]
        #expect(taken.map(\.trackingEvent.name) == ["init", "self", "Type", "tracking_event"])
        #expect(taken[1].trackingEvent.properties == ["Type": "x"])
    }

    @Test func `parameters may have any name, also one that the generated code uses`() {
        let event = OddEvent.class(
            self: "a", init: 1, default: true, made: "c", inner1: "d", assert: 0, swift: nil, `inout`: "e", let: "f")
        #expect(
            event.trackingEvent.properties
                == [
                    "self": "a", "init": 1, "default": true, "made": "c", "inner1": "d", "assert": 0, "inout": "e",
                    "let": .sensitive("f"),
                ])
    }

    @Test func `values may have any name, also one that Swift reserves`() {
        let values: [OddEvent._20ReleasedKind] = [.`init`, .`self`, .allCases, .rawValue, .type, ._20, .default, .aB]
        let events = values.map { OddEvent._20Released(kind: $0, level: .default) }
        #expect(
            events.map { $0.trackingEvent.properties["kind"] }
                == ["init", "self", "allCases", "rawValue", "Type", "2.0", "default", "a b"])
        #expect(OddEvent._20Released(kind: .aB, level: .default, second: .twoWords).trackingEvent.properties["second"] == "two words")
    }

    @Test func `a dot makes an object, which is left out if nothing is in it`() {
        #expect(
            OddEvent.nested(größe: 1, orderId: "7").trackingEvent.properties == ["größe": 1.0, "order": ["id": "7"]])
        let full = OddEvent.nested(
            a: ["q": 1], aB: 2, xYZ: 3, xYW: [1], who: ["id": 9], whoName: "n", größe: 1, orderId: "7", orderTotal: 0, orderWhoMail: "m")
        #expect(
            full.trackingEvent.properties == [
                "a": .object(["q": 1, "b": 2]), "x": ["y": .object(["z": 3.0, "w": [1]])],
                "who": .sensitive(.object(["id": 9, "name": "n"])), "größe": 1.0,
                "order": .object(["id": "7", "total": 0.0, "who": ["mail": .sensitive("m")]]),
            ])
    }

    @Test func `generated types are used off the main actor`() async {
        let event = await Task.detached { OddEvent._20Released(kind: .aB, level: ._20) }.value
        #expect(event == OddEvent._20Released(kind: .aB, level: ._20))
    }
}

import Testing
import TrackingEvents

/// No text that a program makes of an event by printing or dumping it shows a sensitive value.
@Suite struct SensitiveTextTests {
    private static let secret = "ada@example.org"
    private static let values: [TrackingValue] = [
        .sensitive(secret), .sensitive(.array([.string(secret)])), .array([.sensitive(secret)]), .object(["mail": .sensitive(secret)]),
        .sensitive(.sensitive(secret)), .sensitive(.object(["mail": .string(secret)])),
    ]

    @Test(arguments: 0..<6) func `a sensitive value is hidden when printed or dumped, alone or inside an event`(index: Int) {
        let value = Self.values[index]
        let event = TrackingEvent("signed_up", ["mail": value])
        var dumped = ""
        dump(event, to: &dumped)
        dump(value, to: &dumped)
        for text in [
            String(describing: value), String(reflecting: value), "\(event)", String(reflecting: event), "\([value])",
            "\(Optional(value) as Any)",
            dumped,
        ] {
            #expect(!text.contains(Self.secret))
        }
        #expect(String(describing: value).contains("***"))
    }

    @Test func `other values are printed as they are`() {
        let value: TrackingValue = ["sku": "A\"1", "price": 9.5, "count": 2, "first": true, "none": nil, "tags": ["a", 1], "empty": [:]]
        #expect("\(value)" == #"["sku": "A\"1", "price": 9.5, "count": 2, "first": true, "none": null, "tags": ["a", 1], "empty": [:]]"#)
        #expect(String(reflecting: value) == "\(value)")
        #expect(Mirror(reflecting: TrackingValue.int(3)).children.first?.value as? Int64 == 3)
        #expect(Mirror(reflecting: TrackingValue.sensitive("a")).children.isEmpty)
        #expect(Mirror(reflecting: TrackingValue.null).children.isEmpty)
    }
}

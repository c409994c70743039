import Foundation
import LoopLogging
import Testing
import TrackingEvents

/// Wherever a sensitive value stands, no line shows it.
@Suite struct SensitiveShapesTests {
    private static let secret = "s3cr3t"

    struct Card: LogSensitive, Hashable, Comparable {
        var number: String
        var raw: Double = 4111
        static func < (a: Card, b: Card) -> Bool { a.number < b.number }
    }

    enum Vault: LogSensitive, Hashable { case s3cr3t, open(String) }

    struct Described: CustomStringConvertible {
        var card: Card
        var description: String { "card \(card)" }
    }

    struct Reflected: CustomReflectable {
        var card: Card
        var customMirror: Mirror { Mirror(self, children: ["inside": card, "all": [card]]) }
    }

    class Base { var card = Card(number: secret) }
    final class Derived: Base { @Sensitive var more = secret }
    final class Secretive: LogSensitive { let text = secret }
    indirect enum Tree { case leaf(Sensitive<String>), fork(Tree, label: Tree) }
    struct Refusal: Error { var card: Card? }

    /// All shapes with a secret in them. The tests make each shape with two secrets, so that differences are told, too.
    private static func shapes(_ text: String) -> [(String, Any)] {
        let card = Card(number: text)
        return [
            ("key", [card: 1, Card(number: text + "2"): 2]), ("key and value", [card: card]), ("set", Set([card])),
            ("optional key", [Optional(card): text.count]), ("double optional", Optional(Optional(card)) as Any),
            ("range", card...Card(number: text + "z")), ("erased", AnyHashable(card)),
            ("erased key", [AnyHashable(card): AnyHashable(card)]),
            ("result", Result<Card, Refusal>.success(card)), ("failure", Result<Int, Refusal>.failure(Refusal(card: card))),
            ("pairs", ["a": card] as KeyValuePairs), ("slice", [card, card, card][1...]), ("tuple", (card, label: card)),
            ("lazy", [card].lazy.map { $0 }), ("reversed", [card].reversed()), ("zip", zip([card], [card])),
            ("described", Described(card: card)), ("reflected", Reflected(card: card)), ("wrapper", Sensitive(text)),
            ("tree", Tree.fork(.leaf(Sensitive(text)), label: .leaf(Sensitive(text + "x")))), ("case", Vault.open(text)),
            ("in an error", EncodingError.invalidValue(card, .init(codingPath: [], debugDescription: "no"))),
            ("user info", NSError(domain: "d", code: 1, userInfo: ["card": card])), ("array", ContiguousArray([card])),
            ("event", TrackingEvent("signed_up", ["mail": .sensitive(text), "list": .array([.sensitive(text)])])),
            ("tracking value", TrackingValue.sensitive(text)), ("key path", [\Card.number: card]),
            ("optional case", Optional(Vault.open(text)) as Any),
        ]
    }

    private func check(_ text: String, _ what: String) {
        #expect(!text.contains(Self.secret) && !text.contains("4111"), "\(what): \(text)")
    }

    @Test(arguments: 0..<28) func `no shape shows its secret, whole or as a difference`(index: Int) {
        let (name, old) = Self.shapes(Self.secret)[index]
        let new = Self.shapes(Self.secret + "9")[index].1
        let values = LogValues<Any, Any>()
        check(values.text(ofState: old), name)
        check(values.text(ofState: [old]), name)
        check(values.text(ofEvent: old), name)
        check(values.changes(from: old, to: new).text, name)
        check(values.changes(from: [old], to: [old, new]).text, name)
        check(values.changes(from: ["k": old], to: ["k": new, "l": new]).text, name)
        if let error = old as? any Error { check(values.text(ofError: error), name) }
    }

    @Test func `objects, and cases whose names are secret`() {
        let values = LogValues<Any, Any>()
        for object in [Derived(), Secretive(), Base()] as [Any] {
            check(values.text(ofState: object), "object")
            check(values.changes(from: object, to: Derived()).text, "object")
        }
        check(values.text(ofEvent: Vault.s3cr3t), "case")
        check(values.changes(from: Vault.s3cr3t, to: Vault.open("a")).text, "case")
    }
}

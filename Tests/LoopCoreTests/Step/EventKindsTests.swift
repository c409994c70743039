import LoopCore
import Testing

private enum Plain { case a, b, c }
private enum Single { case only }
private enum Payloads { case none, int(Int), text(String), pair(Int, String), other, object(Reference) }
private indirect enum Nested { case leaf, node(Nested, Nested) }
private enum Generic<Value> { case nothing, value(Value) }
private enum OneReference { case none, some(Reference), also }
private final class Reference {}
private struct Tapped {}
private struct Scrolled { var by = 1.0 }
private struct SelfNamed: NamedEvent { var eventName: String }
private enum NamedCases: NamedEvent {
    case screen(String)
    var eventName: String { if case .screen(let name) = self { name } else { "" } }
}
private enum Scope {
    struct Tapped {}
}

/// Gives each name the number of its first appearance.
private struct Namer {
    var kinds = EventKinds()
    var names: [String] = []
    var asked = 0

    mutating func number<Event>(_ event: Event) -> Int {
        var kinds = kinds
        defer { self.kinds = kinds }
        return kinds.number(for: event) { name in
            asked += 1
            if let known = names.firstIndex(of: name) { return known }
            names.append(name)
            return names.count - 1
        }
    }
}

@Suite struct EventKindsTests {
    /// Asks in two rounds, because the second finds what the first kept.
    private func expect<Event>(_ events: [Event], _ names: [String], asked: Int? = nil) {
        var namer = Namer()
        for _ in 0..<2 {
            for (event, name) in zip(events, names) {
                let number = namer.number(event)
                #expect(namer.names[number] == name)
            }
        }
        #expect(namer.asked == asked ?? Set(names).count)
    }

    @Test func `the cases of an enum are told apart`() {
        expect([Plain.a, .b, .c, .a, .c], ["a", "b", "c", "a", "c"])
        expect([Single.only, .only], ["only", "only"])
    }

    @Test func `what a case carries makes no difference`() {
        expect(
            [Payloads.none, .int(1), .int(2), .text("x"), .text("y"), .pair(1, "z"), .other, .object(Reference()), .int(-1)],
            ["none", "int", "int", "text", "text", "pair", "other", "object", "int"])
    }

    @Test func `enums of every layout are told apart`() {
        expect([Nested.leaf, .node(.leaf, .leaf), .node(.node(.leaf, .leaf), .leaf)], ["leaf", "node", "node"])
        expect([Generic<Int>.nothing, .value(3)], ["nothing", "value"])
        expect([Generic<Generic<Bool>>.nothing, .value(.nothing), .value(.value(true))], ["nothing", "value", "value"])
        expect([OneReference.none, .some(Reference()), .also], ["none", "some", "also"])
        expect([Result<Int, any Error>.success(1), .failure(CancellationError())], ["success", "failure"])
        expect([Int?.none, .some(4)], ["none", "some"])
    }

    @Test func `a struct is known by its type`() {
        expect([Scrolled(by: 1), Scrolled(by: 2)], ["Scrolled", "Scrolled"])
        expect(["text", "other text"], ["String", "String"])
    }

    @Test func `events behind a protocol are told apart by their own types and cases`() {
        let events: [Any] = [Tapped(), Plain.a, Plain.b, Scrolled(), Payloads.int(1), Tapped(), Payloads.other, Plain.b]
        expect(events, ["Tapped", "a", "b", "Scrolled", "int", "Tapped", "other", "b"])
    }

    @Test func `two types of one name share its number`() {
        let events: [Any] = [Tapped(), Scope.Tapped()]
        expect(events, ["Tapped", "Tapped"], asked: 2)
    }

    @Test func `an event that names itself is asked each time`() {
        expect([SelfNamed(eventName: "a"), SelfNamed(eventName: "b"), SelfNamed(eventName: "a")], ["a", "b", "a"])
        expect([NamedCases.screen("home"), .screen("cart")], ["home", "cart"])
        let behind: [any NamedEvent] = [SelfNamed(eventName: "a"), NamedCases.screen("b"), SelfNamed(eventName: "c")]
        expect(behind, ["a", "b", "c"])
        let anything: [Any] = [SelfNamed(eventName: "a"), Plain.b, SelfNamed(eventName: "c")]
        expect(anything, ["a", "b", "c"])
    }

    @Test func `names beyond the limit are asked again and not remembered`() {
        var kinds = EventKinds()
        var asked = 0
        let count = EventKinds.nameLimit + 10
        for _ in 0..<2 {
            for index in 0..<count {
                let number = kinds.number(for: SelfNamed(eventName: "\(index)")) {
                    asked += 1
                    return Int($0) ?? -1
                }
                #expect(number == index)
            }
        }
        #expect(asked == count + 10)
    }

    @Test func `a large enum has a number for each case`() {
        var kinds = EventKinds()
        for _ in 0..<2 {
            for event in Letters.allCases {
                let number = kinds.number(for: event) { Int($0.dropFirst()) ?? -1 }
                #expect("c\(number)" == "\(event)")
            }
        }
    }
}

/// More cases than ``EventKinds`` has slots for the kinds last seen.
private enum Letters: CaseIterable {
    case c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24
    case c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47
    case c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61, c62, c63, c64, c65, c66, c67, c68, c69, c70
    case c71, c72, c73, c74, c75, c76, c77, c78, c79, c80
}

import LoopCore
import Testing

@Suite struct EventNameTests {
    enum Plain { case start, stop }
    enum Payload { case load(String), fail(any Error), empty, pair(a: Int, b: [Double]) }
    struct Tapped { let count: Int }
    struct Named: NamedEvent { let eventName = "a.name" }
    enum Generic<T> { case value(T), none }
    indirect enum Tree { case leaf, node(Tree, Tree) }
    struct Broken: Error {}
    protocol Action {}
    struct First: Action {}
    struct Second: Action {}
    enum Mixed: Action { case one, two(Int) }

    @Test func `an enum's case names its events, with and without payload`() {
        #expect(EventName.name(of: Plain.start) == "start")
        #expect(EventName.name(of: Plain.stop) == "stop")
        #expect(EventName.name(of: Payload.load("a secret")) == "load")
        #expect(EventName.name(of: Payload.fail(Broken())) == "fail")
        #expect(EventName.name(of: Payload.empty) == "empty")
        #expect(EventName.name(of: Payload.pair(a: 1, b: [2])) == "pair")
        #expect(EventName.name(of: Generic<[String]>.value(["x"])) == "value")
        #expect(EventName.name(of: Tree.node(.leaf, .leaf)) == "node")
    }

    @Test func `any other type names its events`() {
        #expect(EventName.name(of: Tapped(count: 2)) == "Tapped")
        #expect(EventName.name(of: 17) == "Int")
        #expect(EventName.name(of: "text") == "String")
    }

    @Test func `an event may say its name itself`() {
        #expect(EventName.name(of: Named()) == "a.name")
    }

    @Test func `behind a protocol, the type at run time counts`() {
        let actions: [any Action] = [First(), Second(), Mixed.one, Mixed.two(4)]
        #expect(actions.map { EventName.name(of: $0) } == ["First", "Second", "one", "two"])
    }

    @Test func `keys are equal within a case and differ between cases`() {
        #expect(EventName.key(of: Payload.load("a")) == EventName.key(of: Payload.load("b")))
        #expect(EventName.key(of: Payload.load("a")) != EventName.key(of: Payload.empty))
        let actions: [any Action] = [First(), Second(), Mixed.one, Mixed.two(4), Mixed.two(5)]
        let keys = actions.map { EventName.key(of: $0) }
        #expect(Set(keys).count == 4)
        #expect(keys[3] == keys[4])
    }
}

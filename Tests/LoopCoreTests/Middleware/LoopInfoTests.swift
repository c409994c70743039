import LoopCore
import LoopMigration
import Testing

/// What a middleware learns of the loop it is attached to.
@MainActor @Suite struct LoopInfoTests {
    /// Notes the name at each attaching.
    private final class Notes {
        var names: [String?] = []
        func middleware() -> Middleware<Int, Int> {
            Middleware(makingHandler: { loop in
                self.names.append(loop.name)
                return { _ in }
            })
        }
    }

    @Test("a middleware learns its system's name at each attaching, through every combinator, and none where there is none")
    func system() {
        let notes = Notes()
        let plain = notes.middleware()
        let shop = System(name: "shop", initialState: 0, reducer: { (n: inout Int, _: Int) in n += 1 })
        shop.attach(
            plain, plain.filter { _ in true }, plain.sampled(every: 2), .combined(plain),
            plain.pullback(state: { $0 }, event: { $0 }))
        #expect(notes.names == Array(repeating: "shop", count: 5))
        System(initialState: 0, reducer: { (n: inout Int, _: Int) in n += 1 }).attach(plain)
        #expect(notes.names.last == .some(nil))
        #expect(shop.name == "shop")
    }

    @Test("a foreign loop has the name given where it is wrapped")
    func foreign() {
        let notes = Notes()
        let plain = notes.middleware()
        _ = plain.wrapping({ (n: Int, _: Int) in n }, name: "a")
        _ = plain.wrapping({ (n: inout Int, _: Int) in n += 1 }, name: "b")
        _ = plain.wrapping(eventFirst: { (_: Int, n: Int?) in n ?? 0 }, name: "c")
        _ = plain.wrapping(returningEffects: { (n: inout Int, _: Int) in n += 1 }, name: "d")
        _ = plain.wrapping({ (n: Int, _: Int) in n }, state: { $0 }, name: "e")
        _ = plain.wrapping({ (n: Int, _: Int) in n }, loading: { _ in nil }, name: "f") { later, settle in settle(.success(later)) }
        _ = plain.chained(name: "g")
        _ = plain.stateCallback(name: "h")
        _ = plain.observer(name: "i")
        _ = plain.loopCallback(name: "j")
        #expect(notes.names.compactMap { $0 }.joined() == "abcdefghij")
    }
}

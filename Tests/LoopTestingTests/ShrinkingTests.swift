import LoopCore
import LoopLogging
import LoopRecording
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@MainActor @Suite struct ShrinkingTests {
    struct Shop: Codable, Equatable, Sendable {
        var items: [String: Int] = [:], page = "start", isBroken = false, answer = 0
    }

    enum Act: Codable, Sendable { case open(String), add(String), remove(String), ask, pay }

    /// Breaks at a `pay` on the cart's page, after a question, with three of one item and none left of another that was there.
    func makeSystem(asking answer: @escaping @Sendable () async -> Int = { 42 }) -> System<Shop, Act> {
        System(
            name: "shop", initialState: Shop(),
            next: { (shop: Shop, act: Act) -> Next<Shop> in
                var shop = shop
                switch act {
                case .open(let page): shop.page = page
                case .add(let sku): shop.items[sku, default: 0] += 1
                case .remove(let sku): if let count = shop.items[sku], count > 0 { shop.items[sku] = count - 1 }
                case .ask:
                    let asked = shop
                    return .run {
                        var asked = asked
                        asked.answer = await answer()
                        return asked
                    }
                case .pay:
                    let isThree = shop.items.values.contains { $0 >= 3 }
                    shop.isBroken = shop.isBroken || shop.page == "cart" && shop.answer == 42 && isThree && shop.items.values.contains(0)
                }
                return .state(shop)
            })
    }

    private func record(_ acts: [Act], beside: Bool = false) async throws -> Recording {
        let lines = Collected<String>()
        let recorder = Recorder(to: LogOutput { line, _ in lines.add(line) })
        if beside { makeSystem().attach(.record(to: recorder)).start() }
        let system = makeSystem().attach(.record(to: recorder))
        for act in acts {
            system.send(act)
            await system.settled()
        }
        try await recorder.close()
        return Recording(lines.all.joined(separator: "\n"))
    }

    private func randomActs(_ count: Int, seed: UInt64) -> [Act] {
        var random = SeededRandom(seed: seed)
        let skus = ["a", "b", "c", "d", "e", "f"]
        return (0..<count).map { _ in
            switch Int.random(in: 0..<10, using: &random) {
            case 0: .open(["start", "cart", "list"].randomElement(using: &random)!)
            case 1..<5: .add(skus.randomElement(using: &random)!)
            case 5..<8: .remove(skus.randomElement(using: &random)!)
            case 8: .ask
            default: .pay
            }
        }
    }

    @Test(arguments: [1, 2]) func `a thousand random events that break an invariant become a handful`(seed: UInt64) async throws {
        let recording = try await record(randomActs(1_000, seed: seed))
        let result = try await recording.shrunk(limit: .seconds(60), clock: ManualClock()) { candidate in
            let system = makeSystem()
            try await system.replay(candidate)
            return system.state.isBroken
        }
        // Open the cart, add three of one item, add another and remove it, ask, pay.
        #expect(result.isMinimal && result.events == 8)
        let again = makeSystem()
        #expect(try await again.replay(result.recording).events == 8)
        #expect(again.state.isBroken)
        #expect(Recording(result.recording.text).text == result.recording.text)
    }

    @Test func `work runs again, with the answers of the test's own stub`() async throws {
        let recording = try await record([.open("x"), .ask, .open("y")])
        let result = try await recording.shrunk(limit: .seconds(60), clock: ManualClock()) { candidate in
            let system = makeSystem(asking: { 7 })
            try await system.replay(candidate)
            return system.state.answer == 7
        }
        #expect(result.events == 1 && result.isMinimal && result.tried == 6)
    }

    @Test func `when the time is over, the smallest so far is the result`() async throws {
        let clock = ManualClock()
        let recording = try await record((0..<64).map { .add("\($0)") }, beside: true)
        let result = try await recording.shrunk(limit: .seconds(10), clock: clock) { candidate in
            clock.advance(by: .seconds(4))
            return candidate.text.contains(#""_0":"9""#)
        }
        #expect(!result.isMinimal && result.tried == 3 && result.events < 64)
        #expect(result.recording.text.contains(#""_0":"9""#))
    }

    @Test func `a recording that does not fail is not made smaller`() async throws {
        let recording = try await record([.open("x"), .pay])
        await #expect(throws: ShrinkError.doesNotFail(events: 2)) {
            try await recording.shrunk(limit: .seconds(1)) { _ in false }
        }
        await #expect(throws: ReplayError.notARecording) { try await Recording("hello").shrunk(limit: .seconds(1)) { _ in true } }
    }
}

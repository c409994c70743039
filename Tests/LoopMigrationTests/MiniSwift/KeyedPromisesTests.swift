import LoopFlux
import LoopMigration
import TestSupport
import Testing

@Suite struct KeyedPromisesTests {
    let prices: [String: Promise<Int>] = ["mug": .value(1), "cup": .pending()]

    @Test func `says whether there is something under a key`() {
        #expect(prices.hasValue(for: "mug"))
        #expect(!prices.hasValue(for: "jug"))
    }

    /// Mini stops the program here.
    @Test func `the promise of an unknown key is idle`() {
        #expect(prices[promise: "mug"].value == 1)
        #expect(prices[promise: "jug"].isIdle)
    }

    @Test func `newer promises take the place of older ones, the rest stays`() {
        let merged = prices.mergingNew(with: ["cup": .value(2), "jug": .pending()])
        #expect(merged == ["mug": .value(1), "cup": .value(2), "jug": .pending()])
        #expect(prices.count == 2)
    }

    @Test func `a key can be loaded again`() {
        var prices = prices
        prices.resolve(with: ["mug": .pending()])
        #expect(prices[promise: "mug"].isPending)
        prices.resolve(with: ["mug": .value(3)])
        #expect(prices == ["mug": .value(3), "cup": .pending()])
    }

    @Test func `are equal if they hold equal promises under the same keys`() {
        #expect(prices == ["cup": .pending(), "mug": .value(1)])
        #expect(prices != ["cup": .pending(), "mug": .value(2)])
        #expect(prices != ["mug": .value(1)])
        #expect(prices != ["cup": .pending(), "jug": .value(1)])
    }
}

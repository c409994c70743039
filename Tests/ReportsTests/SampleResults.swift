@testable import Funnels

/// Results to print, made without files.
enum SampleResults {
    /// A result of these counts, everyone taking `milliseconds[n]` from step n + 1 to the next.
    static func funnel(
        _ definition: FunnelDefinition, counts: [Int], milliseconds: [Int64] = [], windowOpen: Int = 0,
        input: InputQuality = InputQuality(),
        dataEnd: Int64? = nil
    ) -> FunnelResult {
        func share(_ part: Int, _ whole: Int) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }
        func distribution(_ n: Int, _ value: Int64) -> Distribution? {
            var sample = Array(repeating: value, count: n)
            return Distribution(sorting: &sample)
        }
        var sinceFirst: Int64 = 0
        var steps: [FunnelResult.Step] = []
        for (place, count) in counts.enumerated() {
            let gap = place > 0 && place <= milliseconds.count ? milliseconds[place - 1] : 0
            sinceFirst += gap
            let previous = place == 0 ? count : counts[place - 1]
            steps.append(
                FunnelResult.Step(
                    index: place + 1, count: count, dropped: previous - count, ofFirst: share(count, counts[0]),
                    ofPrevious: share(count, previous), fromPrevious: place == 0 ? nil : distribution(count, gap),
                    fromFirst: place == 0 ? nil : distribution(count, sinceFirst)))
        }
        return FunnelResult(
            definition: definition, steps: steps, windowOpen: windowOpen, input: input, unseenNames: [],
            dataEnd: dataEnd.map { DataEnd(milliseconds: $0) })
    }

    /// A funnel broken down by plan, the groups' names as given.
    static func groups(_ names: [String]) throws -> FunnelResult {
        let definition = try FunnelDefinition(
            name: "Plans", steps: FunnelStep.parse("a > b? > c"), breakdown: FunnelBreakdown(path: ["plan"]))
        func result(_ counts: [Int]) -> FunnelResult { funnel(definition, counts: counts, milliseconds: [1000, 2000]) }
        let whole = result([30, 10, 20])
        return FunnelResult(
            definition: definition, steps: whole.steps,
            groups: names.enumerated().map { .init(value: $0.element, steps: result([10 - $0.offset, 2, 5]).steps) },
            windowOpen: 0, input: InputQuality(), unseenNames: [])
    }

    /// The funnel of the design's sample, made once: it sorts the times of hundreds of thousands of people.
    static func checkout() throws -> FunnelResult { try design.get() }

    private static let design = Result { try makeCheckout() }

    private static func makeCheckout() throws -> FunnelResult {
        var input = InputQuality()
        input.files = 40
        input.bytes = 460_000_000
        input.events = 10_000_000
        input.firstMilliseconds = 1_767_225_600_000
        input.lastMilliseconds = 1_768_435_200_000
        let definition = try FunnelDefinition(
            name: "Checkout", steps: FunnelStep.parse("catalog_viewed > product_viewed > cart_added > payment_succeeded"),
            windowMilliseconds: 3_600_000)
        return funnel(definition, counts: [160_953, 144_746, 106_358, 35_893], milliseconds: [72_000, 840_000, 1000], input: input)
    }
}

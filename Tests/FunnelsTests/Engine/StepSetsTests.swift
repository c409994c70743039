import Testing
import TrackingEvents

@testable import Funnels

@Suite("Events of one millisecond")
struct StepSetsTests {
    /// The end of the longest run from `step`, by trying every choice of events.
    private func oracle(_ masks: [UInt32], from step: Int, steps: Int) -> Int {
        guard step < steps else { return step }
        var furthest = step
        for (place, mask) in masks.enumerated() where mask >> UInt32(step) & 1 == 1 {
            var rest = masks
            rest.remove(at: place)
            furthest = max(furthest, oracle(rest, from: step + 1, steps: steps))
        }
        return furthest
    }

    private func end(_ masks: [UInt32], from step: Int, steps: Int) -> Int {
        var sets = StepSets(stepCount: steps)
        for mask in masks { sets.add(mask) }
        return sets.end(ofRunFrom: step)
    }

    @Test(
        "runs of steps",
        arguments: [
            ([0b001, 0b010, 0b100], 0, 3), ([0b001, 0b100], 0, 1), ([0b001, 0b100], 1, 1), ([0b100, 0b100], 2, 3), ([0b110], 1, 2),
            ([0b110, 0b010], 1, 3), ([0b010, 0b110], 1, 3), ([0b110, 0b110], 1, 3), ([0b011, 0b001, 0b110], 0, 3), ([], 0, 0),
            ([0b111], 3, 3),
        ] as [([UInt32], Int, Int)])
    func runs(masks: [UInt32], step: Int, expected: Int) {
        #expect(end(masks, from: step, steps: 3) == expected)
        #expect(oracle(masks, from: step, steps: 3) == expected)
    }

    @Test("every way to share out a few events is tried", arguments: 1...5)
    func agreesWithEveryChoice(steps: Int) {
        var random = SeededRandom(seed: UInt64(steps))
        for _ in 0..<800 {
            let masks = (0..<Int.random(in: 1...6, using: &random)).map { _ in UInt32.random(in: 1..<(1 << UInt32(steps)), using: &random) }
            for step in 0...steps {
                let (found, expected) = (end(masks, from: step, steps: steps), oracle(masks, from: step, steps: steps))
                #expect(found == expected, "\(masks) from \(step)")
            }
        }
    }

    @Test func `of many equal events as many count as there are steps`() {
        #expect(end(Array(repeating: .max, count: 10_000), from: 0, steps: 32) == 32)
        #expect(end(Array(repeating: .max, count: 31), from: 0, steps: 32) == 31)
        // The last event alone fits step 1; many others come before it.
        #expect(end(Array(repeating: 0b110, count: 1000) + [0b001], from: 0, steps: 3) == 3)
    }

    @Test func `one moment leaves nothing to the next`() {
        var sets = StepSets(stepCount: 3)
        for masks in [[0b011, 0b110, 0b101], [0b001], [0b110]] as [[UInt32]] {
            sets.removeAll()
            for mask in masks { sets.add(mask) }
            for step in 0...3 { #expect(sets.end(ofRunFrom: step) == oracle(masks, from: step, steps: 3)) }
            #expect(sets.union == masks.reduce(0, |))
        }
    }
}

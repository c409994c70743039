import Testing

@testable import Funnels

@Suite("Tally of keys")
struct FunnelTallyTests {
    private func tally(_ keys: [[StepEvent]], steps: Int = 3, window: Int64 = 100, dataEnd: Int64 = 50) throws -> FunnelTally {
        let definition = try FunnelDefinition(steps: (0..<steps).map { FunnelStep("s\($0)") }, windowMilliseconds: window)
        let chains = OrderedChains(definition)
        var tally = FunnelTally(definition)
        for events in keys {
            events.withUnsafeBufferPointer { chains.follow($0, dataEnd: dataEnd) { tally.add($0) } }
        }
        return tally
    }

    private func key(_ times: Int64...) -> [StepEvent] {
        times.enumerated().map { StepEvent(time: $1, steps: 1 << UInt32($0)) }
    }

    @Test func `a key counts on each step that it reached, with its times between any two`() throws {
        let tally = try tally([key(0, 5, 20), key(10, 11), key(3), [], key(0, 0, 0)])
        #expect(tally.counts == [4, 3, 2])
        #expect(tally.sinceFirst[1].sorted() == [0, 1, 5])
        #expect(tally.sinceFirst[2].sorted() == [0, 20])
        #expect(tally.sincePrevious[2].sorted() == [0, 15])
        #expect(tally.sinceFirst[0].isEmpty && tally.sincePrevious[0].isEmpty)
    }

    @Test(
        "a window is open while later events could still convert",
        arguments: [(109, 1), (110, 0), (111, 0), (10, 1), (5, 1), (.min, 1)] as [(Int64, Int)])
    func windowOpen(dataEnd: Int64, expected: Int) throws {
        #expect(try tally([key(10, 11)], dataEnd: dataEnd).windowOpen == expected)
        #expect(try tally([key(10, 11, 12)], dataEnd: dataEnd).windowOpen == 0)
        #expect(try tally([[StepEvent(time: 10, steps: 2)]], dataEnd: dataEnd).windowOpen == 0)
    }

    @Test func `a window without end is open for ever`() throws {
        #expect(try tally([[StepEvent(time: .min, steps: 1)]], window: .max, dataEnd: -2).windowOpen == 1)
        #expect(try tally([[StepEvent(time: .min, steps: 1)]], window: .max, dataEnd: .max).windowOpen == 0)
    }
}

import Testing

@testable import looptrail

@Suite struct SteadyCountTests {
    @Test(
        arguments: [
            ([1, 0, 0], []), ([0, 2, 2, 2], [2]), ([3, 3, 0, 0, 3, 3], [3]), ([2, 2, 5, 5, 1, 1], [2, 5]), ([1, 4, 2, 2], [1, 2]),
            ([3, 3, 4, 4, 5, 5, 6, 6, 11, 11], [3, 6]),
        ] as [([Int], [Int])])
    func `a count is told when two looks agree that it is more, and then when it has doubled`(counts: [Int], told: [Int]) {
        var steady = SteadyCount()
        #expect(counts.compactMap { steady.next($0, isLast: false) } == told)
    }

    @Test func `a last look needs no second`() {
        var steady = SteadyCount()
        #expect(steady.next(2, isLast: true) == 2 && steady.next(2, isLast: true) == nil && steady.next(3, isLast: true) == 3)
    }
}

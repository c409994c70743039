import Foundation
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Where the data ends")
struct DayCountsTests {
    private static let day = DayCounts.length

    private func end(_ times: [Int64], gap: Int64 = 0) -> DataEnd? {
        var counts = DayCounts()
        for time in times { counts.note(time) }
        return counts.end(before: gap)
    }

    @Test func `the data ends with the last event, wherever it stands`() {
        #expect(end([])?.milliseconds == nil)
        #expect(end([5]) == DataEnd(milliseconds: 5))
        #expect(end([9, 2, 7]) == DataEnd(milliseconds: 9))
        #expect(end([-9 * Self.day, -3, -2 * Self.day]) == DataEnd(milliseconds: -3))
        #expect(end([.max, .min, 0])?.milliseconds == .max)
    }

    @Test(
        "a few events far behind all others are not the end",
        arguments: [
            // Events before the gap, events behind it, the gap in days, and whether the data ends before the gap.
            (2000, 1, 366, true), (1000, 1, 366, true), (999, 1, 366, false), (998, 1, 366, false), (5000, 4, 2, true), (5000, 5, 2, true),
            (4994, 5, 2, false), (5000, 1, 1, false),
        ] as [(Int, Int, Int64, Bool)])
    func farBehind(before: Int, behind: Int, days: Int64, isCut: Bool) {
        let last = Int64(before - 1) + days * Self.day
        // The events before the gap span 500 days, more than any of the gaps.
        let times = [-500 * Self.day] + (1..<before).map { Int64($0) } + (0..<behind).map { last + Int64($0) }
        let found = end(times)
        #expect(found?.milliseconds == (isCut ? Int64(before - 1) : last + Int64(behind - 1)))
        #expect(found?.eventsBehind == (isCut ? behind : 0) && found?.firstBehind == (isCut ? last : nil))
    }

    @Test(
        "fewer than one event in 50 are not the end where the gap is longer than a year and than all time before it",
        arguments: [
            // Events before the gap, the days they span, events behind it, the gap in days, and whether the data ends before it.
            (950, 400, 19, 401, true), (931, 400, 19, 401, false), (950, 400, 19, 400, false), (13_355, 60, 30, 3590, true),
            (60, 1, 1, 366, true),
            (60, 1, 1, 365, false), (60, 1, 1, 3, false),
        ] as [(Int, Int64, Int, Int64, Bool)])
    func veryFarBehind(before: Int, span: Int64, behind: Int, days: Int64, isCut: Bool) {
        // A wrong clock puts the events behind the gap at two times, two days apart.
        let far = (0..<behind).map { (span + days + ($0 * 2 < behind ? 0 : 2)) * Self.day }
        let found = end([0] + (1..<before).map { _ in span * Self.day } + far)
        #expect(found?.milliseconds == (isCut ? span * Self.day : far.last) && found?.eventsBehind == (isCut ? behind : 0))
    }

    @Test func `a gap counts if it is longer than the window, and the earliest of several counts`() {
        let many = (0..<10_000).map { Int64($0) }
        #expect(end(many + [10_000 + 3 * Self.day], gap: 3 * Self.day)?.milliseconds == 9999)
        #expect(end(many + [9999 + 3 * Self.day], gap: 3 * Self.day)?.milliseconds == 9999 + 3 * Self.day)
        let several = end(many + [5 * Self.day, 5 * Self.day + 1, 20 * Self.day])
        #expect(several == DataEnd(milliseconds: 9999, eventsBehind: 3, firstBehind: 5 * Self.day))
    }

    @Test func `the counts of batches add up to one count of all`() {
        var random = SeededRandom(seed: 8)
        // `LOOPTRAIL_ROUNDS` sets another number of rounds.
        for _ in 0..<(ProcessInfo.processInfo.environment["LOOPTRAIL_ROUNDS"].flatMap { Int($0) } ?? 100) {
            let days: [Int64] = [0, 0, 1, 2, 4, 5, 30]
            let times =
                (0..<3000).map { _ in
                    days[Int.random(in: 0..<2, using: &random)] * Self.day + .random(in: 0..<Self.day, using: &random)
                } + (0..<Int.random(in: 0...4, using: &random)).map { _ in days.randomElement(using: &random)! * Self.day }
            let gap = Int64.random(in: 0...3, using: &random) * Self.day
            var counts = DayCounts()
            for start in stride(from: 0, to: times.count, by: 700) {
                var batch = DayCounts()
                for time in times[start..<min(start + 700, times.count)] { batch.note(time) }
                counts.add(batch)
            }
            // Tries every gap, by the definition's words.
            let sorted = times.sorted()
            let cut = sorted.indices.dropFirst().first { place in
                let distance = sorted[place] - sorted[place - 1]
                let isFar = distance > max(sorted[place - 1] - sorted[0], 365 * Self.day)
                return (sorted.count - place) * (isFar ? 50 : 1000) < sorted.count && distance > max(gap, Self.day)
            }
            #expect(counts.end(before: gap)?.milliseconds == cut.map { sorted[$0 - 1] } ?? sorted.last)
        }
    }
}

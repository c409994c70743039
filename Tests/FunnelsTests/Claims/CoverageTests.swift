import Testing
import TrackingEvents

@testable import Funnels

@Suite("What the data cover")
struct CoverageTests {
    private static let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)

    private func coverage(_ times: [Int64], since: Int64? = nil, until: Int64? = nil) throws -> Coverage {
        var counts = DayCounts()
        var random = SeededRandom(seed: 5)
        for time in times.shuffled(using: &random) { counts.note(time) }
        return try #require(Silences(counts, day: FunnelRun.dayOfUTC)).coverage(since: since, until: until, day: FunnelRun.dayOfUTC)
    }

    /// Events every ten minutes in the given hours.
    private func events(_ hours: Range<Int64>) -> [Int64] {
        stride(from: hours.lowerBound * Self.hour, to: hours.upperBound * Self.hour, by: 600_000).map { $0 }
    }

    @Test func `silences longer than an hour are holes, and a day with such a hole is not whole`() throws {
        let found = try coverage(events(0..<30) + events(40..<96))
        #expect(found.holes.count == 2 && found.holes[0] == 30 * Self.hour - 600_000..<40 * Self.hour)
        #expect(found.wholeDays == [0, 2 * Self.day, 3 * Self.day] && found.days == 4 && !found.isWhole)
        #expect(found.coveredMilliseconds == 96 * Self.hour - 10 * Self.hour - 2 * 600_000)
    }

    @Test func `nights without events are no holes where all days have them`() throws {
        let all: [Int64] = [0, 1, 2, 3, 4, 5]
        let nights = all.flatMap { day in events(day * 24 + 8..<day * 24 + 20) }
        let found = try coverage(nights)
        #expect(found.wholeDays.count == 6 && found.holes.count == 2)
        // A day without events among such days is a hole.
        let others: [Int64] = [0, 1, 2, 4, 5]
        let missing = try coverage(others.flatMap { day in events(day * 24 + 8..<day * 24 + 20) })
        #expect(missing.wholeDays.count == 5 && missing.days == 6)
    }

    @Test func `all before the first event and after the last is silence, and only days wholly in the range count`() throws {
        let all = events(0..<96)
        let found = try coverage(all, since: -2 * Self.day, until: 5 * Self.day)
        #expect(found.wholeDays.count == 4 && found.days == 7 && found.holes.count == 2)
        #expect(try coverage(all, since: Self.hour, until: 3 * Self.day).wholeDays == [Self.day, 2 * Self.day])
        let beside = try coverage(all, since: 10 * Self.day, until: 12 * Self.day)
        #expect(beside.wholeDays.isEmpty && beside.coveredMilliseconds == 0)
        #expect(Silences(DayCounts(), day: FunnelRun.dayOfUTC) == nil)
    }

    @Test func `times that only touch do not overlap`() throws {
        let all = events(0..<96)
        let first = try coverage(all, since: 0, until: 2 * Self.day)
        #expect(try first.overlaps(coverage(all, since: Self.day, until: 3 * Self.day)) && first.overlaps(first))
        #expect(try !first.overlaps(coverage(all, since: 2 * Self.day, until: 3 * Self.day)) && !first.overlaps(nil))
    }

    @Test func `wild times cost no more than sane ones`() throws {
        let found = try coverage([.min, 0, .max - 1], since: .min, until: .max)
        #expect(found.days == 100_000 && found.coveredMilliseconds == 0)
    }

    @Test(arguments: [.min, -1 << 53, 0, 1 << 53] as [Int64]) func `a wild time in the data leaves whole days whole`(wild: Int64) throws {
        let found = try coverage([wild] + events(480_000..<480_096))
        #expect(found.wholeDays == (20_000..<20_004).map { $0 * Self.day } && (wild != 0 || found.days == 20_004))
    }
}

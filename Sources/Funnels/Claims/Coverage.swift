import Basics

/// How much of a range of time the data cover: where there are no events for longer than these data are ever silent, nobody was counted.
package struct Coverage: Sendable, Hashable {
    /// In milliseconds since 1970 UTC.
    package let sinceMilliseconds: Int64
    package let untilMilliseconds: Int64
    /// How much of the range lies in no hole.
    package let coveredMilliseconds: Int64
    /// Where nothing was recorded, by time.
    package let holes: [Range<Int64>]
    /// When those days begin that lie wholly in the range and that holes hardly touch, by time.
    package let wholeDays: [Int64]
    /// How many days the range touches. Behind the most whole ones that are listed no more are counted.
    package let days: Int

    package var isWhole: Bool { days > 0 && wholeDays.count == days }

    /// Whether nothing is missing of either, and both have as many days: where clocks change, these are an hour longer or shorter.
    package func isAsLong(as other: Coverage?) -> Bool { isWhole && other?.isWhole == true && days == other?.days }
}

/// The silences of all event lines: times without an event of any name.
struct Silences: Sendable, Hashable {
    /// A day's longest silence is not doubled by chance: what is longer than twice the usual one, and than an hour, is a hole.
    private static let least: Int64 = 3_600_000
    /// The most whole days that are listed. Where the data are often silent for a day, one event with a wild time would make millions.
    private static let mostWholeDays = 100_000

    private let first: Int64
    private let last: Int64
    /// The longest silence that is no hole. Of a whole day, holes may take no more than this.
    let limit: Int64
    /// Between two events, by time.
    let holes: [Range<Int64>]

    /// - Parameter counts: of all event lines, duplicates too.
    /// - Returns: `nil` without events.
    init?(_ counts: DayCounts, day: (Int64) -> Range<Int64>) {
        let stretches = counts.stretches
        guard let first = stretches.first?.first, let last = stretches.last?.last else { return nil }
        (self.first, self.last) = (first, last)
        let gaps = zip(stretches, stretches.dropFirst()).map { $0.last..<$1.first }
        var longest = [day(first).lowerBound: Int64(0)]
        for (gap, time) in gaps.flatMap({ [($0, $0.lowerBound), ($0, $0.upperBound)] }) {
            let day = day(time)
            longest[day.lowerBound] = max(longest[day.lowerBound] ?? 0, gap.clamped(to: day).length)
        }
        let sorted = longest.values.sorted()
        let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
        limit = max(Self.least, low.addingClamped(high))
        holes = gaps.filter { [limit] in $0.length > limit }
    }

    /// How much of a range the data cover; without an end it reaches as far as the days with events.
    func coverage(since: Int64?, until: Int64?, day: (Int64) -> Range<Int64>) -> Coverage {
        let start = since ?? day(first).lowerBound
        let end = max(until ?? day(last).upperBound, start)
        let ends = [start..<max(start, min(first, end)), min(max(last, start), end)..<end]
        let inside = ([ends[0]] + holes.map { $0.clamped(to: start..<end) } + [ends[1]]).filter { !$0.isEmpty }
        var (whole, days, time, next) = ([Int64](), 0, start, inside[...])
        while time < end && whole.count < Self.mostWholeDays {
            let today = day(time)
            while let hole = next.first, hole.upperBound <= today.lowerBound { next.removeFirst() }
            if today.length > limit, let hole = next.first, hole.lowerBound <= today.lowerBound, hole.upperBound >= today.upperBound {
                // None of the hole's days is whole: with a wild time in the data these may be millions.
                time = max(day(hole.upperBound).lowerBound, today.upperBound)
                days += Int((today.lowerBound..<time).length.addingClamped(DayCounts.length / 2) / DayCounts.length)
                continue
            }
            days += 1
            let around = next.prefix { $0.lowerBound < today.upperBound }
            let missing = around.reduce(Int64(0)) { $0.addingClamped($1.clamped(to: today).length) }
            if today.lowerBound >= start && today.upperBound <= end && missing <= limit { whole.append(today.lowerBound) }
            time = today.upperBound
        }
        return Coverage(
            sinceMilliseconds: start, untilMilliseconds: end,
            coveredMilliseconds: (start..<end).length - min(inside.reduce(Int64(0)) { $0.addingClamped($1.length) }, (start..<end).length),
            holes: inside, wholeDays: whole, days: days)
    }
}

extension Range<Int64> {
    /// Never more than the largest number: times of data may be anything.
    fileprivate var length: Int64 {
        let (length, overflow) = upperBound.subtractingReportingOverflow(lowerBound)
        return overflow ? .max : length
    }
}

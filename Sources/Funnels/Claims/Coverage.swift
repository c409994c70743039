import Basics

/// How much of a range of time the data cover. A time without events is not covered if it is longer than the data's usual silences.
package struct Coverage: Sendable, Hashable {
    /// In milliseconds since 1970 UTC.
    package let sinceMilliseconds: Int64
    package let untilMilliseconds: Int64
    /// How much of the range lies outside the holes.
    package let coveredMilliseconds: Int64
    /// The ranges in which nothing was recorded, in order of time.
    package let holes: [Range<Int64>]
    /// The beginning of each day that lies wholly in the range and that holes hardly touch, in order of time.
    package let wholeDays: [Int64]
    /// How many days the range touches. Counting ends once 100,000 whole days are listed.
    package let days: Int

    package var isWhole: Bool { days > 0 && wholeDays.count == days }

    /// Whether both ranges have the same number of days and miss none. Their lengths may differ by an hour, where clocks change.
    package func isAsLong(as other: Coverage?) -> Bool { isWhole && other?.isWhole == true && days == other?.days }

    /// Whether two ranges of equal length have as many days of each weekday. They have if they are whole weeks, or begin whole weeks apart.
    func hasWeekdays(of other: Coverage?) -> Bool {
        guard let other else { return false }
        let apart = Double(sinceMilliseconds) - Double(other.sinceMilliseconds)
        return days % 7 == 0 || Int((apart / Double(DayCounts.length)).rounded()) % 7 == 0
    }

    /// Whether some time lies in both ranges.
    package func overlaps(_ other: Coverage?) -> Bool {
        other.map { max(sinceMilliseconds, $0.sinceMilliseconds) < min(untilMilliseconds, $0.untilMilliseconds) } ?? false
    }
}

/// The silences of all event lines: times without an event of any name.
struct Silences: Sendable, Hashable {
    /// A silence is a hole if it is longer than an hour and than twice the median of days' longest silences: chance hardly doubles these.
    private static let least: Int64 = 3_600_000
    /// The most whole days that are listed. Where the data are often silent for a day, one wildly wrong time would make millions.
    private static let mostWholeDays = 100_000

    private let first: Int64
    private let last: Int64
    /// The longest silence that is not a hole. A day is whole if holes take no more than this of it.
    let limit: Int64
    /// The holes between two events, in order of time.
    let holes: [Range<Int64>]

    /// - Parameter counts: the counts of all event lines, with duplicates.
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

    /// How much of a range the data cover. Without a start or an end, the range reaches as far as the days with events.
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
                // No day inside the hole is whole. All are skipped at once: a wildly wrong time in the data may make millions.
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
    /// The length, or the largest number where it overflows: the data may hold any time.
    fileprivate var length: Int64 { upperBound.subtractingClamped(lowerBound) }
}

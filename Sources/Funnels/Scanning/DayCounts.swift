import Basics

/// How many events there are in each quarter of an hour, with the earliest and the latest: enough to find every longer silence.
struct DayCounts: Sendable {
    /// The events of one quarter, or of one day of UTC.
    struct Stretch: Sendable {
        var count = 0
        var first = Int64.max
        var last = Int64.min

        fileprivate mutating func add(_ other: Stretch) {
            count += other.count
            first = min(first, other.first)
            last = max(last, other.last)
        }
    }

    static let length: Int64 = 86_400_000
    static let quarter: Int64 = 900_000

    private var quarters: [Int64: Stretch] = [:]
    /// When the quarter of the last event begins. The next event is nearly always in it, too.
    private var start: Int64 = 0
    private var current = Stretch()

    @inline(__always)
    mutating func note(_ time: Int64) {
        let (distance, overflow) = time.subtractingReportingOverflow(start)
        if overflow || distance < 0 || distance >= Self.quarter || current.count == 0 { turn(to: time) }
        current.count += 1
        current.first = min(current.first, time)
        current.last = max(current.last, time)
    }

    private mutating func turn(to time: Int64) {
        if current.count > 0 { quarters[start, default: Stretch()].add(current) }
        (start, current) = (Self.start(of: time, every: Self.quarter), Stretch())
    }

    static func start(of time: Int64, every length: Int64) -> Int64 {
        let remainder = time % length
        let (first, overflow) = time.subtractingReportingOverflow(remainder < 0 ? remainder + length : remainder)
        return overflow ? .min : first
    }

    mutating func add(_ other: DayCounts) {
        for (start, quarter) in other.quarters { quarters[start, default: Stretch()].add(quarter) }
        if other.current.count > 0 { quarters[other.start, default: Stretch()].add(other.current) }
    }

    /// Adds events of one day of which only the number, the first time and the last time are known.
    mutating func add(count: Int, first: Int64, last: Int64) {
        if count == 0 { return }
        quarters[Self.start(of: first, every: Self.quarter), default: Stretch()].add(Stretch(count: count, first: first, last: last))
    }

    /// The quarters with events, by time.
    var stretches: [Stretch] {
        var all = DayCounts()
        all.add(self)
        return all.quarters.values.sorted { $0.first < $1.first }
    }

    /// For each day with events, by time: how many there are, the earliest and the latest.
    var entries: [(count: Int, first: Int64, last: Int64)] {
        var days: [Int64: Stretch] = [:]
        for quarter in stretches { days[Self.start(of: quarter.first, every: Self.length), default: Stretch()].add(quarter) }
        return days.values.sorted { $0.first < $1.first }.map { ($0.count, $0.first, $0.last) }
    }

    /// When the data ends; `nil` without events.
    ///
    /// - Parameter gap: in milliseconds; less than a day counts as a day. Events behind a longer pause are not the end if they are fewer
    ///   than one in 1,000; behind a pause longer than a year and than all the time before it, if they are fewer than one in 50.
    func end(before gap: Int64) -> DataEnd? {
        let days = entries
        guard let last = days.last else { return nil }
        let total = days.reduce(0) { $0 + $1.count }
        var (end, behind) = (DataEnd(milliseconds: last.last), 0)
        for index in stride(from: days.count - 1, to: 0, by: -1) {
            behind += days[index].count
            let before = days[index - 1].last
            let distance = days[index].first.subtractingClamped(before)
            let isFar = distance > max(before.subtractingClamped(days[0].first), 365 * Self.length)
            if behind <= (total - 1) / (isFar ? 50 : 1000) && distance > max(gap, Self.length) {
                end = DataEnd(milliseconds: before, eventsBehind: behind, firstBehind: days[index].first)
            }
        }
        return end
    }
}

/// How many events there are on each day of UTC, with the earliest and the latest: enough to find gaps of more than a day.
struct DayCounts: Sendable {
    private struct Day: Sendable {
        var count = 0
        var first = Int64.max
        var last = Int64.min

        mutating func add(_ other: Day) {
            count += other.count
            first = min(first, other.first)
            last = max(last, other.last)
        }
    }

    static let length: Int64 = 86_400_000

    private var days: [Int64: Day] = [:]
    /// The day of the last event, which is nearly always that of the next.
    private var start: Int64 = 0
    private var current = Day()

    @inline(__always)
    mutating func note(_ time: Int64) {
        let (distance, overflow) = time.subtractingReportingOverflow(start)
        if overflow || distance < 0 || distance >= Self.length || current.count == 0 { turn(to: time) }
        current.count += 1
        current.first = min(current.first, time)
        current.last = max(current.last, time)
    }

    /// Notes some events, of which the earliest and the latest are known.
    @inline(__always)
    mutating func note(_ times: UnsafeBufferPointer<Int64>, first: Int64, last: Int64) {
        let (toFirst, isFar) = first.subtractingReportingOverflow(start)
        let (toLast, isFurther) = last.subtractingReportingOverflow(start)
        guard current.count > 0, !isFar, !isFurther, toFirst >= 0, toLast < Self.length else {
            for time in times { note(time) }
            return
        }
        current.add(Day(count: times.count, first: first, last: last))
    }

    private mutating func turn(to time: Int64) {
        put()
        let remainder = time % Self.length
        let (first, overflow) = time.subtractingReportingOverflow(remainder < 0 ? remainder + Self.length : remainder)
        start = overflow ? .min : first
    }

    private mutating func put() {
        if current.count > 0 { days[start, default: Day()].add(current) }
        current = Day()
    }

    mutating func add(_ other: DayCounts) {
        for (start, day) in other.days { days[start, default: Day()].add(day) }
        if other.current.count > 0 { days[other.start, default: Day()].add(other.current) }
    }

    /// Adds the events of one day.
    mutating func add(count: Int, first: Int64, last: Int64) {
        turn(to: first)
        current = Day(count: count, first: first, last: last)
    }

    /// For each day with events how many there are, the earliest and the latest, by time.
    var entries: [(count: Int, first: Int64, last: Int64)] {
        var all = DayCounts()
        all.add(self)
        return all.days.values.sorted { $0.first < $1.first }.map { ($0.count, $0.first, $0.last) }
    }

    /// When the data ends; `nil` without events.
    ///
    /// - Parameter gap: fewer than one event in 1,000 that lie further than so many milliseconds behind all others are not its end. At least a
    ///   day.
    func end(before gap: Int64) -> DataEnd? {
        var all = DayCounts()
        all.add(self)
        let days = all.days.values.sorted { $0.first < $1.first }
        guard let last = days.last else { return nil }
        let total = days.reduce(0) { $0 + $1.count }
        var (end, behind) = (DataEnd(milliseconds: last.last), 0)
        for index in stride(from: days.count - 1, to: 0, by: -1) {
            behind += days[index].count
            let (share, overflow) = behind.multipliedReportingOverflow(by: 1000)
            if overflow || share >= total { break }
            let (distance, isHuge) = days[index].first.subtractingReportingOverflow(days[index - 1].last)
            if isHuge || distance > max(gap, Self.length) {
                end = DataEnd(milliseconds: days[index - 1].last, eventsBehind: behind, firstBehind: days[index].first)
            }
        }
        return end
    }
}

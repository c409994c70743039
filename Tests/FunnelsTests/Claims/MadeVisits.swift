import EventFiles
import Foundation
import TrackingEvents

@testable import Funnels

/// Made-up visits of people who differ, come again, and convert by a rate that a test chooses. Results add them up as a pass does.
struct MadeVisits {
    static let day: Int64 = 86_400_000
    /// The first Monday after 1970 began.
    static let start: Int64 = 4 * day

    struct Visit {
        var user: Int
        /// Days since ``start``.
        var day: Int
        var group = 0
        var converted: Bool
    }

    var random: SeededRandom
    var visits: [Visit] = []
    /// The times at which the data have events; all days of the visits unless a test says otherwise.
    var covered: [ClosedRange<Int64>] = []

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    static func share(_ logit: Double) -> Double { DailyTrend.Day.share(logit) }
    static func logit(_ share: Double) -> Double { DailyTrend.Day.logit(share) }

    /// A random number from 0 to below 1.
    mutating func uniform() -> Double { Double(random.next() >> 11) * 0x1p-53 }

    mutating func chance(_ share: Double) -> Bool { uniform() < share }

    mutating func normal(_ deviation: Double) -> Double {
        deviation * (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
    }

    /// Adds visits on each of the days: `count` times the day's `size`.
    ///
    /// - Parameters:
    ///   - people: how many people there are; each visit is by a random one, who may come several times a day.
    ///   - logit: the logit of the probability that a visit converts; gets the user, the day and the group.
    ///   - group: the group of a visit; gets the user, the day and the generator.
    mutating func come(
        _ count: Int, on days: Range<Int>, people: Int, size: (Int) -> Double = { _ in 1 },
        group: (Int, Int, inout SeededRandom) -> Int = { _, _, _ in 0 },
        logit: (Int, Int, Int) -> Double
    ) {
        for day in days {
            for _ in 0..<Int(Double(count) * size(day)) {
                let user = Int(uniform() * Double(people))
                let group = group(user, day, &random)
                visits.append(Visit(user: user, day: day, group: group, converted: chance(Self.share(logit(user, day, group)))))
            }
        }
    }

    /// The result of the visits of the given days, with a group for each name.
    ///
    /// - Parameter names: the names of the groups; empty for no breakdown.
    func result(on days: Range<Int>, names: [String] = []) throws -> FunnelResult {
        let (since, until) = (Self.start + Int64(days.lowerBound) * Self.day, Self.start + Int64(days.upperBound) * Self.day)
        let breakdown = names.isEmpty ? nil : FunnelBreakdown(path: ["g"])
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse("a > b"), counting: .visits, breakdown: breakdown, since: since, until: until)
        let groups = max(names.count, 1)
        let people = (visits.map(\.user).max() ?? 0) + 1
        // For each user, day and group how many visits there are, and how many of them convert.
        var counts = Array(repeating: 0, count: people * days.count * groups)
        var converted = counts
        for visit in visits where days.contains(visit.day) && isCovered(visit.day) {
            let cell = (visit.user * days.count + visit.day - days.lowerBound) * groups + (names.isEmpty ? 0 : visit.group)
            counts[cell] += 1
            if visit.converted { converted[cell] += 1 }
        }
        var table = VisitTable()
        var totals = names.isEmpty ? [(0, 0)] : names.map { _ in (0, 0) }
        for index in counts.indices where counts[index] > 0 {
            let (user, day, group) = (index / groups / days.count, index / groups % days.count, index % groups)
            var cell = VisitTable.Cell(user: Fingerprint(made: user), day: since + Int64(day) * Self.day, group: group)
            (cell.visits, cell.converted, cell.knownAtStart) = (counts[index], converted[index], counts[index])
            table.add(cell)
            totals[group] = (totals[group].0 + counts[index], totals[group].1 + converted[index])
        }
        func steps(_ all: Int, _ converted: Int) -> [FunnelResult.Step] {
            [(1, all), (2, converted)].map {
                FunnelResult.Step(
                    index: $0, count: $1, dropped: 0, ofFirst: all == 0 ? nil : Double($1) / Double(all), ofPrevious: nil,
                    fromPrevious: nil, fromFirst: nil)
            }
        }
        let whole = totals.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        return FunnelResult(
            definition: definition, steps: steps(whole.0, whole.1),
            groups: zip(names, totals).map { .init(value: $0, steps: steps($1.0, $1.1)) },
            windowOpen: 0,
            input: InputQuality(), unseenNames: [], coverage: silences?.coverage(since: since, until: until, day: FunnelRun.dayOfUTC),
            visits: table)
    }

    /// Whether the middle of a day lies in one of the ranges of ``covered``.
    private func isCovered(_ day: Int) -> Bool {
        covered.isEmpty || covered.contains { $0.contains(Self.start + Int64(day) * Self.day + Self.day / 2) }
    }

    private var coveredDays: ClosedRange<Int64> {
        let days = visits.map(\.day)
        return Self.start + Int64(days.min() ?? 0) * Self.day...Self.start + Int64((days.max() ?? 0) + 1) * Self.day - 1
    }

    private var silences: Silences? {
        var counts = DayCounts()
        for range in covered.isEmpty ? [coveredDays] : covered {
            for time in stride(from: range.lowerBound, through: range.upperBound, by: 1_800_000) { counts.note(time) }
        }
        return Silences(counts, day: FunnelRun.dayOfUTC)
    }

    /// The visits' trend by day.
    func trend(_ days: Range<Int>) throws -> FunnelTrend {
        let whole = try result(on: days)
        let byDay = Dictionary(grouping: visits, by: \.day)
        var one = self
        one.covered = covered.isEmpty ? [coveredDays] : covered
        let points = try days.map { day in
            one.visits = byDay[day] ?? []
            let result = try one.result(on: day..<day + 1)
            return FunnelTrend.Point(
                startMilliseconds: Self.start + Int64(day) * Self.day, steps: result.steps, entered: result.entered,
                converted: result.converted, coverage: result.coverage, timeToConvert: nil)
        }
        return FunnelTrend(whole: whole, points: points)
    }
}

extension Fingerprint {
    /// The fingerprint of a made-up user. Its lower half differs from user to user, because hash tables begin their search there.
    init(made user: Int) { self.init(high: UInt64(user), low: UInt64(user) &+ 1) }
}

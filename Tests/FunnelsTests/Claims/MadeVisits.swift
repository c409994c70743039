import EventFiles
import TrackingEvents

@testable import Funnels

/// Made-up visits of people who differ, come again, and convert by a rate that a test chooses; added up as a pass over events would.
struct MadeVisits {
    static let day: Int64 = 86_400_000
    /// The first Monday after 1970 began.
    static let start: Int64 = 4 * day

    /// One visit.
    struct Visit {
        var user: Int
        /// From 0.
        var day: Int
        var group = 0
        var converted: Bool
    }

    var random: SeededRandom
    var visits: [Visit] = []
    /// When the data have events; all of these days unless a test says otherwise.
    var covered: [ClosedRange<Int64>] = []

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    static func share(_ logit: Double) -> Double { DailyTrend.Day.share(logit) }
    static func logit(_ share: Double) -> Double { DailyTrend.Day.logit(share) }

    mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    mutating func normal(_ deviation: Double) -> Double {
        deviation * ((0..<12).reduce(0.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } - 6)
    }

    /// Adds about so many visits on each of some days.
    ///
    /// - Parameters:
    ///   - people: how many there are; each comes at random, and one may come several times a day.
    ///   - logit: of a visit's share; gets the user and the day.
    ///   - group: of a visit.
    mutating func come(
        _ count: Int, on days: Range<Int>, people: Int, size: (Int) -> Double = { _ in 1 },
        group: (Int, Int, inout SeededRandom) -> Int = { _, _, _ in 0 },
        logit: (Int, Int, Int) -> Double
    ) {
        for day in days {
            for _ in 0..<Int(Double(count) * size(day)) {
                let user = Int.random(in: 0..<people, using: &random)
                let group = group(user, day, &random)
                visits.append(Visit(user: user, day: day, group: group, converted: chance(Self.share(logit(user, day, group)))))
            }
        }
    }

    /// The result of the visits of some days, with the groups that there are.
    ///
    /// - Parameter names: of the groups; none for no breakdown.
    func result(on days: Range<Int>, names: [String] = []) throws -> FunnelResult {
        let (since, until) = (Self.start + Int64(days.lowerBound) * Self.day, Self.start + Int64(days.upperBound) * Self.day)
        let breakdown = names.isEmpty ? nil : FunnelBreakdown(path: ["g"])
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse("a > b"), counting: .visits, breakdown: breakdown, since: since, until: until)
        let own = visits.filter { days.contains($0.day) && isCovered($0.day) }
        var table = VisitTable()
        for visit in own {
            var cell = VisitTable.Cell(
                user: Fingerprint(high: UInt64(visit.user), low: 1), day: Self.start + Int64(visit.day) * Self.day, group: visit.group)
            (cell.visits, cell.converted, cell.knownAtStart) = (1, visit.converted ? 1 : 0, 1)
            table.add(cell)
        }
        func steps(_ visits: [Visit]) -> [FunnelResult.Step] {
            let (all, converted) = (visits.count, visits.count { $0.converted })
            return [(1, all), (2, converted)].map {
                FunnelResult.Step(
                    index: $0, count: $1, dropped: 0, ofFirst: all == 0 ? nil : Double($1) / Double(all), ofPrevious: nil,
                    fromPrevious: nil,
                    fromFirst: nil)
            }
        }
        return FunnelResult(
            definition: definition, steps: steps(own),
            groups: names.indices.map { group in .init(value: names[group], steps: steps(own.filter { $0.group == group })) },
            windowOpen: 0,
            input: InputQuality(), unseenNames: [], coverage: silences?.coverage(since: since, until: until, day: FunnelRun.dayOfUTC),
            visits: table.sorted())
    }

    /// Whether the middle of a day lies in the data.
    private func isCovered(_ day: Int) -> Bool {
        covered.isEmpty || covered.contains { $0.contains(Self.start + Int64(day) * Self.day + Self.day / 2) }
    }

    private var silences: Silences? {
        var counts = DayCounts()
        let days = visits.map(\.day)
        let all = Self.start + Int64(days.min() ?? 0) * Self.day...Self.start + Int64((days.max() ?? 0) + 1) * Self.day - 1
        for range in covered.isEmpty ? [all] : covered {
            for time in stride(from: range.lowerBound, through: range.upperBound, by: 600_000) { counts.note(time) }
        }
        return Silences(counts, day: FunnelRun.dayOfUTC)
    }

    /// The trend by day of the visits.
    func trend(_ days: Range<Int>) throws -> FunnelTrend {
        let whole = try result(on: days)
        let points = try days.map { day in
            let result = try result(on: day..<day + 1)
            return FunnelTrend.Point(
                startMilliseconds: Self.start + Int64(day) * Self.day, steps: result.steps, entered: result.entered,
                converted: result.converted, coverage: result.coverage, timeToConvert: nil)
        }
        return FunnelTrend(whole: whole, points: points)
    }
}

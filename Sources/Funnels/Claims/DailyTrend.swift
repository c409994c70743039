import Basics
import EventFiles

/// The days of a trend as logits (log odds), each with a weight and a weekday. A trend's verdict and alert are computed from these.
struct DailyTrend {
    struct Day: Sendable {
        let start: Int64
        let visits: Int
        let converted: Int
        let weekday: Int

        /// The share that converts, moved a little towards a half so that its logit is finite.
        var share: Double { (Double(converted) + 0.5) / (Double(visits) + 1) }
        var logit: Double { Self.logit(share) }
        var weight: Double { Double(visits) * share * (1 - share) }

        static func logit(_ share: Double) -> Double { log(share / (1 - share)) }
        static func share(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }
    }

    /// A step in the logit from one day on.
    struct Step {
        /// The index of the first day after the step.
        let day: Int
        let size: Estimate
    }

    /// The complete days with visits that the data cover wholly (``FunnelTrend/Point``), by rising `start` in milliseconds since 1970 UTC.
    /// Of a trend, those are left out whose windows run into a last silence that only the window hides.
    let days: [Day]

    init(_ days: [Day]) { self.days = days }

    init(_ trend: FunnelTrend) {
        let until = trend.whole.hiddenEnd.flatMap { trend.definition.matureUntil(dataEnd: $0.milliseconds) } ?? .max
        let covered = trend.points.filter { $0.coverage.map { $0.isWhole && $0.untilMilliseconds <= until } == true }
        let whole = covered.filter { $0.isComplete && $0.entered > 0 }
        let first = whole.first?.startMilliseconds ?? 0
        days = whole.map { point in
            let days = (Double(point.startMilliseconds - first) / 86_400_000).rounded()
            return Day(start: point.startMilliseconds, visits: point.entered, converted: point.converted, weekday: Int(days) % 7)
        }
    }

    /// Whether the days before a day, and those from it on, have enough visits for a claim.
    func hasVisits(aroundDay day: Int) -> Bool {
        [days[..<day], days[day...]].allSatisfy { $0.reduce(0) { $0 + $1.visits } >= Claim.leastVisits }
    }

    /// Fits a step at the day with this index, with weekdays held equal; `nil` if the days are too few to estimate it and its error.
    ///
    /// - Complexity: O(days).
    func step(at day: Int) -> Step? {
        let (weights, weekdays) = (days.map(\.weight), days.map(\.weekday))
        let degrees = days.count - Set(weekdays).count - 1
        guard degrees > 0 else { return nil }
        var (x, y) = (days.indices.map { $0 >= day ? 1.0 : 0 }, days.map(\.logit))
        let strata = Strata([weekdays], weights)
        strata.centre(&x)
        strata.centre(&y)
        func sum(_ one: (Int) -> Double) -> Double { days.indices.reduce(0) { $0 + weights[$1] * one($1) } }
        let square = sum { x[$0] * x[$0] }
        guard square > 1e-9 else { return nil }
        let size = sum { x[$0] * y[$0] } / square
        let residual = sum { (y[$0] - size * x[$0]) * (y[$0] - size * x[$0]) }
        let error = (max(1, residual / Double(degrees)) / square).squareRoot()
        return Step(day: day, size: Estimate(value: size, error: error, degrees: Double(degrees)))
    }

    /// How much more the visits from a day on convert than those before it, with weekdays held equal and users as clusters.
    ///
    /// - Parameter cells: all visits, sorted by user.
    func difference(ofUsersAt day: Int, _ cells: [VisitTable.Cell]) -> AdjustedDifference? {
        let indices = Dictionary(uniqueKeysWithValues: zip(days.map(\.start), days.indices))
        var (rows, user, last) = ([AdjustedDifference.Row](), 0, Fingerprint.none)
        for cell in cells {
            guard let index = indices[cell.day] else { continue }
            if cell.user != last && !rows.isEmpty { user += 1 }
            last = cell.user
            let (weekday, side) = (days[index].weekday, index < day ? 0 : 1)
            rows.append(.init(user: user, stratum: weekday, group: side, visits: cell.visits, converted: cell.converted))
        }
        return AdjustedDifference(rows)
    }

    /// A difference of the shares before a step and after it. Its error is the step's, taken from logits to shares by the delta method.
    func difference(_ value: Double, at step: Step) -> Estimate {
        let sides = [days[..<step.day], days[step.day...]].map { side in
            (weight: side.reduce(0.0) { $0 + $1.weight }, visits: side.reduce(0.0) { $0 + Double($1.visits) })
        }
        let weight = sides[0].weight * sides[1].weight / (sides[0].weight + sides[1].weight)
        let slope = sides.reduce(0.0) { $0 + weight * $1.weight / ($1.visits * $1.visits) }.squareRoot()
        return Estimate(value: value, error: step.size.error * slope, degrees: step.size.degrees)
    }

    /// For each day the factor, at least 1, by which the conversions of the week up to it vary more than if all visits were independent.
    ///
    /// - Parameter cells: all visits, sorted by user and day.
    /// - Complexity: O(cells): each counts in seven weeks at most.
    func clustering(of cells: [VisitTable.Cell]) -> [Double] {
        let (length, dayLength) = (7, 86_400_000.0)
        guard let first = days.first?.start else { return [] }
        func number(_ start: Int64) -> Int { Int((Double(start - first) / dayLength).rounded()) }
        let numbers = days.map { number($0.start) }
        var weeks = numbers.indices.map { end in
            let week = days[...end].suffix(length).filter { number($0.start) > numbers[end] - length }
            let (visits, converted) = week.reduce((0, 0)) { ($0.0 + $1.visits, $0.1 + $1.converted) }
            return (visits: Double(visits), converted: Double(converted), squares: 0.0)
        }
        var (at, from) = ([Int: Int](), 0)
        for (index, number) in numbers.enumerated() { at[number] = index }
        while from < cells.count {
            var sums: [Int: Double] = [:]
            let user = cells[from].user
            while from < cells.count, cells[from].user == user {
                let (cell, day) = (cells[from], number(cells[from].day))
                from += 1
                guard at[day] != nil else { continue }
                for end in day..<day + length {
                    guard let index = at[end] else { continue }
                    let week = weeks[index]
                    sums[index, default: 0] += Double(cell.converted) - Double(cell.visits) * week.converted / week.visits
                }
            }
            for (index, sum) in sums { weeks[index].squares += sum * sum }
        }
        return weeks.map { week in
            let variance = week.converted * (week.visits - week.converted) / week.visits
            return variance > 0 ? max(1, week.squares / variance) : 1
        }
    }
}

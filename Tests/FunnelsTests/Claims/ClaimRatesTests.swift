import EventFiles
import Foundation
import Testing
import TrackingEvents

@testable import Funnels

/// How often claims are right on made-up visits whose true rates are known.
@Suite("How often claims are right")
struct ClaimRatesTests {
    /// How many data sets of each kind are made up; `LOOPTRAIL_CLAIM_SETS` sets another number.
    static let sets = ProcessInfo.processInfo.environment["LOOPTRAIL_CLAIM_SETS"].flatMap(UInt64.init) ?? 36

    /// Whether `count` of all sets fits a true share of at most `most`: chance adds four standard deviations once in thousands of runs.
    static func isAtMost(_ most: Double, _ count: Int, of sets: UInt64 = sets) -> Bool {
        Double(count) <= most * Double(sets) + 4 * (most * (1 - most) * Double(sets)).squareRoot()
    }

    static func isAtLeast(_ least: Double, _ count: Int, of sets: UInt64 = sets) -> Bool {
        Double(count) >= least * Double(sets) - 2 * (least * (1 - least) * Double(sets)).squareRoot()
    }

    // MARK: Two times

    /// What may make two periods look different although nothing changed.
    enum Stillness: String, CaseIterable {
        case stationary, beginningInside, endingInside, weekdays, growth, mixedUsers, dayDrift
    }

    private func stillness(_ kind: Stillness, _ seed: UInt64) throws -> Claim {
        var made = MadeVisits(seed: seed &* 1000 &+ UInt64(kind.rawValue.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) } % 997))
        let people = 900
        let likings = (0..<people).map { _ in made.normal(kind == .mixedUsers ? 1.2 : 0.4) }
        let drifts = (0..<14).map { _ in made.normal(kind == .dayDrift ? 0.2 : 0) }
        let size: (Int) -> Double = { day in
            switch kind {
            case .growth: 0.5 + Double(day) / 14
            case .weekdays: day % 7 >= 5 ? 2 : 1
            default: 1
            }
        }
        made.come(110, on: 0..<14, people: people, size: size) { user, day, _ in
            -0.5 + likings[user] + drifts[day] + (kind == .weekdays && day % 7 >= 5 ? 0.8 : 0)
        }
        let (start, day) = (MadeVisits.start, MadeVisits.day)
        if kind == .beginningInside { made.covered = [start + 3 * day + day / 3...start + 14 * day - 1] }
        if kind == .endingInside { made.covered = [start...start + 11 * day + day / 3] }
        return FunnelComparison(result: try made.result(on: 7..<14), other: try made.result(on: 0..<7)).claim
    }

    @Test func `two times that do not differ are claimed to differ in at most one of twenty sets`() throws {
        var claims: [Stillness: Int] = [:]
        for kind in Stillness.allCases {
            for seed in 0..<Self.sets where try stillness(kind, seed).holds { claims[kind, default: 0] += 1 }
            #expect(Self.isAtMost(0.06, claims[kind] ?? 0), "\(kind): \(claims[kind] ?? 0) of \(Self.sets)")
        }
        let all = claims.values.reduce(0, +)
        print("compare, nothing changed:", claims.map { "\($0.key) \($0.value)" }.sorted(), "of", Self.sets)
        #expect(Self.isAtMost(0.05, all, of: Self.sets * UInt64(Stillness.allCases.count)), "\(all)")
    }

    @Test("what is 15 % worse is found", arguments: [(false, 0.99), (true, 0.8)])
    func worse(missesDays: Bool, least: Double) throws {
        var found = 0
        for seed in 0..<Self.sets {
            var made = MadeVisits(seed: 77_000 + seed)
            let likings = (0..<3000).map { _ in made.normal(0.4) }
            let (before, after) = (MadeVisits.logit(0.4), MadeVisits.logit(0.34))
            made.come(714, on: 0..<14, people: 3000) { user, day, _ in (day < 7 ? before : after) + likings[user] }
            if missesDays { made.covered = [MadeVisits.start + 3 * MadeVisits.day...MadeVisits.start + 14 * MadeVisits.day - 1] }
            let claim = FunnelComparison(result: try made.result(on: 7..<14), other: try made.result(on: 0..<7)).claim
            if claim.kind == .fell { found += 1 }
        }
        print("compare, 15 % worse, days missing \(missesDays):", found, "of", Self.sets)
        #expect(Self.isAtLeast(least, found), "\(found) of \(Self.sets)")
    }

    // MARK: A release

    /// What makes a release look bad or good though it changes nothing.
    enum Rollout: String, CaseIterable {
        case rollOut, drift, slope, lateStart, earlyAdopters, simpson
    }

    private func release(_ kind: Rollout?, _ visits: Int, effect: Double, _ seed: UInt64) throws -> Claim? {
        var made = MadeVisits(seed: seed &* 131 &+ (kind.map { UInt64($0.rawValue.utf8.count) } ?? 99) &* 7_919)
        let (people, days) = (max(visits / 6, 100), 21)
        let likings = (0..<people).map { _ in made.normal(0.8) }
        let drifts = (0..<days).map { _ in made.normal(kind == .drift ? 0.2 : 0) }
        // The day, counted from 0, on which each person gets the release; 4 at the earliest.
        let adoption = (0..<people).map { user -> Int in
            var day = 5 + Int.random(in: 0..<14, using: &made.random)
            if kind == .earlyAdopters { day = 5 + min(13, max(0, Int(7 - 4 * likings[user] + made.normal(2)))) }
            // One platform converts less, and gets the release first.
            if kind == .simpson {
                day = user % 2 == 0 ? 4 + Int.random(in: 0..<4, using: &made.random) : 14 + Int.random(in: 0..<5, using: &made.random)
            }
            return day
        }
        made.come(visits / days, on: 0..<days, people: people, size: { kind == .lateStart && $0 < 8 ? 0.2 : 1 }) { user, day, random in
            day >= adoption[user] && Double(random.next() >> 11) * 0x1p-53 < 0.95 ? 1 : 0
        } logit: { user, day, group in
            -0.4 + likings[user] + drifts[day] - (kind == .slope ? Double(day) * 0.03 : 0) - (kind == .simpson && user % 2 == 0 ? 0.8 : 0)
                - (group == 1 ? effect : 0)
        }
        return GroupClaims.claims(of: [try made.result(on: 0..<days, names: ["2.0.0", "2.1.0"])])[0].first { $0?.holds == true } ?? nil
    }

    @Test func `a release that changes nothing is blamed or praised in at most one of twenty sets`() throws {
        var claims: [Rollout: Int] = [:]
        for kind in Rollout.allCases {
            for seed in 0..<Self.sets where try release(kind, 1500, effect: 0, seed) != nil { claims[kind, default: 0] += 1 }
        }
        let all = claims.values.reduce(0, +)
        print("release, nothing changed:", claims.map { "\($0.key) \($0.value)" }.sorted(), "of", Self.sets)
        #expect(Self.isAtMost(0.05, all, of: Self.sets * UInt64(Rollout.allCases.count)), "\(claims)")
    }

    @Test("a release that converts less is found", arguments: [(20, 14_000, 0.36, 0.95), (15, 6_000, 0.27, 0.54)])
    func worseRelease(percent: Int, visits: Int, effect: Double, least: Double) throws {
        // A larger set is slow in a debug build: a push tries a sixth of the sets, but at least 10.
        let sets = max(Self.sets / 6, 10)
        let found = try (0..<sets).count { seed in try release(nil, visits, effect: effect, 5_000 + seed)?.kind == .less }
        print("release, \(percent) % worse, \(visits) visits:", found, "of", sets)
        #expect(Self.isAtLeast(least, found, of: sets), "\(found) of \(sets)")
    }

    /// Customers are as likely to buy as others, but the visits of one user before the first purchase have none.
    @Test func `a property that a conversion changes is blamed or praised in at most one of twenty sets`() throws {
        var claiming = 0
        for seed in 0..<Self.sets {
            var made = MadeVisits(seed: 450_000 + seed)
            made.come(100, on: 0..<40, people: 750) { _, _, _ in MadeVisits.logit(0.3) }
            var customers: Set<Int> = []
            for index in made.visits.indices {
                let visit = made.visits[index]
                made.visits[index].group = customers.contains(visit.user) ? 1 : 0
                if visit.converted { customers.insert(visit.user) }
            }
            let claims = GroupClaims.claims(of: [try made.result(on: 0..<40, names: ["new", "customer"])])[0]
            if claims.contains(where: { $0?.holds == true }) { claiming += 1 }
        }
        print("customers, nothing:", claiming, "of", Self.sets)
        #expect(Self.isAtMost(0.05, claiming), "\(claiming) of \(Self.sets)")
    }

    @Test func `twenty properties that mean nothing lead to a claim in at most one of twenty sets`() throws {
        let sets = max(Self.sets / 3, 20)
        var claiming = 0
        for seed in 0..<sets {
            var made = MadeVisits(seed: 400_000 + seed)
            let likings = (0..<300).map { _ in made.normal(0.8) }
            made.come(60, on: 0..<14, people: 300) { user, _, _ in likings[user] - 0.5 }
            var random = made.random
            let results = try (0..<20).map { path in
                var path20 = made
                // Half of the properties are the person's, half are the visit's.
                for index in path20.visits.indices {
                    path20.visits[index].group =
                        path % 2 == 0 ? (path20.visits[index].user &* (path + 3) / 7) % 3 : Int.random(in: 0..<3, using: &random)
                }
                return try path20.result(on: 0..<14, names: ["x", "y", "z"])
            }
            if GroupClaims.claims(of: results).joined().contains(where: { $0?.holds == true }) { claiming += 1 }
        }
        print("what matters, 20 paths, nothing:", claiming, "of", sets)
        #expect(Self.isAtMost(0.05, claiming, of: sets), "\(claiming) of \(sets)")
    }

    // MARK: A trend

    private func days(
        _ count: Int, _ visits: Int, _ share: Double, drift: Double, seed: UInt64, weekdays: Double = 0.1,
        fall: (day: Int, drop: Double)? = nil
    ) -> [DailyTrend.Day] {
        var made = MadeVisits(seed: seed)
        let weekdays = (0..<7).map { _ in made.normal(weekdays) }
        return (0..<count).map { day in
            var rate = MadeVisits.share(MadeVisits.logit(share) + weekdays[day % 7] + made.normal(drift))
            if let fall, day >= fall.day { rate *= 1 - fall.drop }
            let deviation = (Double(visits) * rate * (1 - rate)).squareRoot()
            let converted = min(visits, max(0, Int((Double(visits) * rate + made.normal(1) * deviation).rounded())))
            return DailyTrend.Day(
                start: MadeVisits.start + Int64(day) * MadeVisits.day, visits: visits, converted: converted, weekday: day % 7)
        }
    }

    private func trend(_ days: [DailyTrend.Day]) throws -> FunnelTrend {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), counting: .visits)
        func step(_ index: Int, _ count: Int) -> FunnelResult.Step {
            FunnelResult.Step(index: index, count: count, dropped: 0, ofFirst: nil, ofPrevious: nil, fromPrevious: nil, fromFirst: nil)
        }
        var table = VisitTable()
        // Each user has an equal part of all visits and conversions, so that users differ less than chance makes them.
        for user in 0..<30 {
            for day in days {
                var cell = VisitTable.Cell(user: Fingerprint(made: user), day: day.start, group: 0)
                cell.visits = day.visits * (user + 1) / 30 - day.visits * user / 30
                cell.converted = day.converted * (user + 1) / 30 - day.converted * user / 30
                table.add(cell)
            }
        }
        let points = days.map { day in
            FunnelTrend.Point(
                startMilliseconds: day.start, steps: [step(1, day.visits), step(2, day.converted)], entered: day.visits,
                converted: day.converted,
                coverage: Coverage(
                    sinceMilliseconds: day.start, untilMilliseconds: day.start + MadeVisits.day, coveredMilliseconds: MadeVisits.day,
                    holes: [],
                    wholeDays: [day.start], days: 1), timeToConvert: nil)
        }
        let whole = FunnelResult(
            definition: definition, steps: [step(1, 1), step(2, 1)], windowOpen: 0, input: InputQuality(), unseenNames: [], visits: table)
        return FunnelTrend(whole: whole, points: points)
    }

    @Test func `a steady trend falls or rises in at most one of twenty sets`() throws {
        var claiming = 0
        for seed in 0..<Self.sets * 2 {
            let found = try trend(days(14 + Int(seed % 4) * 7, 500, 0.35, drift: seed % 2 == 0 ? 0 : 0.1, seed: 600_000 + seed)).verdict
            if found.claim.holds { claiming += 1 }
        }
        print("verdict, steady:", claiming, "of", Self.sets * 2)
        #expect(Self.isAtMost(0.05, claiming, of: Self.sets * 2), "\(claiming)")
    }

    /// With a window of a week, one purchase makes all visits of its user convert that began in the week before.
    @Test func `where one purchase makes several visits convert, a steady trend falls or alarms in at most one of twenty sets`() throws {
        let sets = max(Self.sets / 3, 20)
        var (falling, alarming) = (0, 0)
        for seed in 0..<sets {
            var made = MadeVisits(seed: 650_000 + seed)
            made.come(100, on: 0..<56, people: 150) { _, _, _ in MadeVisits.logit(0.05) }
            var purchases: [Int: Int] = [:]
            for index in made.visits.indices.reversed() {
                let visit = made.visits[index]
                if visit.converted { purchases[visit.user] = visit.day }
                made.visits[index].converted = purchases[visit.user].map { $0 - visit.day < 7 } ?? false
            }
            let trend = try made.trend(0..<49)
            if trend.verdict.claim.holds { falling += 1 }
            if TrendAlert(trend, drop: 0.2).days.suffix(28).contains(where: \.holds) { alarming += 1 }
        }
        print("returning users, verdict and alert:", falling, alarming, "of", sets)
        #expect(Self.isAtMost(0.05, falling, of: sets), "\(falling) of \(sets)")
        #expect(Self.isAtMost(0.05, alarming, of: sets), "\(alarming) of \(sets)")
    }

    @Test func `a fall of a fifth is found on its day or beside it`() throws {
        var found = 0
        for seed in 0..<Self.sets {
            let verdict = try trend(days(28, 500, 0.35, drift: 0, seed: 700_000 + seed, fall: (14, 0.2))).verdict
            let distance = ((verdict.atMilliseconds ?? 0) - MadeVisits.start) / MadeVisits.day - 14
            if verdict.claim.kind == .fell, abs(distance) <= 1 { found += 1 }
        }
        print("verdict, 20 %:", found, "of", Self.sets)
        #expect(Self.isAtLeast(0.9, found), "\(found) of \(Self.sets)")
    }

    @Test func `marks of one day are one look, and a day that the data do not cover has no claim, nor that of another mark`() throws {
        var all = days(28, 500, 0.35, drift: 0, seed: 5, fall: (14, 0.2))
        all.remove(at: 13)
        func changes(_ marks: [Int64]) throws -> [Claim] {
            try trend(all).changes(at: marks.map { MadeVisits.start + $0 * MadeVisits.day }).map(\.claim)
        }
        let (one, many) = (try changes([14]), try changes([14, 14, 13, -3, 100, 27]))
        #expect(one[0].kind == .fell && many[0] == one[0] && many[1] == one[0])
        // The last mark's day has data, but no day comes after it.
        #expect(many[2...].map(\.refused) == [.coverage, .coverage, .coverage, .fewDays])
        #expect(many[2...].allSatisfy { $0.difference == nil })
    }

    /// Days of which the last three are others.
    private func trend(_ visits: Int, _ converted: Int, end: (visits: Int, converted: Int)) throws -> FunnelTrend {
        try trend(
            (0..<28).map { day in
                DailyTrend.Day(
                    start: MadeVisits.start + Int64(day) * MadeVisits.day, visits: day < 25 ? visits : end.visits,
                    converted: day < 25 ? converted : end.converted, weekday: day % 7)
            })
    }

    @Test func `a step with fewer than 30 visits on a side is no verdict, and does not prevent one`() throws {
        let few = try trend(500, 175, end: (6, 6)).verdict.claim
        #expect(few.kind == .steady && few.refused == nil)
        #expect(try trend(2, 1, end: (2, 1)).verdict.claim.refused == .fewVisits)
    }

    @Test(arguments: [(500, false), (490, false), (476, false), (475, true), (25, true), (24, false), (0, false)])
    func `where fewer than one visit in twenty converts, or does not, no size is named`(converted: Int, isNamed: Bool) throws {
        let trend = try trend(500, converted, end: (500, converted))
        let mark = try #require(trend.changes(at: [MadeVisits.start + 14 * MadeVisits.day]).first)
        for claim in [trend.verdict.claim, mark.claim] {
            #expect(!claim.holds && claim.refused == nil && (claim.detectable != nil) == isNamed)
        }
    }

    @Test("the interval of a trend holds the true change", arguments: [(0.4, 0.05), (0.4, 0), (0.65, 0.45), (0.1, 0.4)])
    func interval(before: Double, after: Double) throws {
        let sets = UInt64(40)
        var holding = 0
        for seed in 0..<sets {
            var made = MadeVisits(seed: 930_000 + seed)
            made.come(100, on: 0..<60, people: 1500) { _, day, _ in MadeVisits.logit(day < 30 ? before : after) }
            let interval = try #require(try made.trend(0..<60).verdict.claim.interval)
            if interval.lower <= after - before && after - before <= interval.upper { holding += 1 }
        }
        print("interval, \(before) to \(after):", holding, "of", sets)
        #expect(Self.isAtLeast(0.95, holding, of: sets), "\(holding) of \(sets)")
    }

    @Test func `a steady trend has an interval on both sides of 0, although its surest day is the best of many`() throws {
        for seed in 0..<Self.sets {
            let claim = try trend(days(28, 500, 0.35, drift: 0, seed: 935_000 + seed)).verdict.claim
            let interval = try #require(claim.interval)
            #expect(claim.holds != (interval.lower <= 0 && interval.upper >= 0), "seed \(seed): \(claim)")
        }
    }

    @Test func `a small steady trend is steady with the size that would be seen, and never refused`() throws {
        let sets = UInt64(20)
        var holding = 0
        for seed in 0..<sets {
            var made = MadeVisits(seed: 937_000 + seed)
            for user in 0..<20 * 20 {
                let converted = made.chance(0.1)
                made.visits.append(.init(user: user, day: user / 20, converted: converted))
            }
            let claim = try made.trend(0..<20).verdict.claim
            if claim.holds { holding += 1 }
            #expect(claim.refused == nil && claim.interval != nil && (claim.kind == .steady || claim.holds), "seed \(seed): \(claim)")
            #expect(claim.detectable.map { $0 < 1 } == true, "seed \(seed): \(claim)")
        }
        #expect(Self.isAtMost(0.05, holding, of: sets), "\(holding) of \(sets)")
    }

    @Test func `where one user makes most of what is compared, nothing is concluded; without that user it is`() throws {
        var made = MadeVisits(seed: 940_000)
        made.come(100, on: 0..<28, people: 900, group: { user, _, _ in user % 2 }) { _, day, group in
            MadeVisits.logit(day < 14 ? 0.43 : group == 0 ? 0.05 : 0.01)
        }
        let others = made.visits
        for visit in 0..<28 * 25 { made.visits.append(.init(user: 900, day: visit / 25, converted: visit / 25 >= 14)) }
        func claims() throws -> [Claim] {
            let groups = GroupClaims.claims(of: [try made.result(on: 14..<28, names: ["x", "y"])])[0].compactMap(\.self)
            let compared = FunnelComparison(result: try made.result(on: 14..<28), other: try made.result(on: 0..<14)).claim
            return [compared, try made.trend(0..<28).verdict.claim] + groups
        }
        for claim in try claims() {
            #expect(claim.refused == .fewUsers && claim.kind == .none && claim.interval == nil && claim.detectable == nil, "\(claim)")
        }
        made.visits = others
        let plain = try claims()
        #expect(plain.allSatisfy { $0.refused == nil } && plain.prefix(2).allSatisfy { $0.kind == .fell })
    }

    // MARK: What would be seen

    /// In how many sets a fall is found: one of the size that the claim of no difference names, and one of 2.8 standard errors, which a
    /// single look would find 8 times in 10.
    ///
    /// - Parameters:
    ///   - errors: how many standard errors the interval reaches over.
    ///   - claim: gets a seed and the size of a fall.
    private func seen(
        of sets: UInt64, errors: Double = 4, _ claim: (UInt64, Double) throws -> Claim?
    ) throws -> (named: Int, ofOneLook: Int) {
        var seen = (named: 0, ofOneLook: 0)
        for seed in 0..<sets {
            let silent = try #require(try claim(seed, 0))
            let (size, interval) = (try #require(silent.detectable), try #require(silent.interval))
            let ofOneLook = 2.8 / errors * (interval.upper - interval.lower)
            if let kind = try claim(seed, size)?.kind, [.less, .fell].contains(kind) { seen.named += 1 }
            if let kind = try claim(seed, ofOneLook)?.kind, [.less, .fell].contains(kind) { seen.ofOneLook += 1 }
        }
        return seen
    }

    @Test func `of two dozen groups one is found to differ by the size that is named`() throws {
        let (sets, names) = (UInt64(40), (0..<24).map { "v\($0)" })
        let found = try seen(of: sets) { seed, size in
            var made = MadeVisits(seed: 910_000 + seed)
            made.come(480, on: 0..<3, people: 600, group: { _, _, random in Int.random(in: 0..<24, using: &random) }) { _, _, group in
                MadeVisits.logit(group == 0 ? 0.65 - size : 0.65)
            }
            return GroupClaims.claims(of: [try made.result(on: 0..<3, names: names)])[0][0]
        }
        print("seen, 24 groups:", found, "of", sets)
        #expect(Self.isAtLeast(0.65, found.named, of: sets) && !Self.isAtLeast(0.65, found.ofOneLook, of: sets), "\(found)")
    }

    @Test func `a trend is found to fall by the size that is named`() throws {
        let sets = UInt64(60)
        // Of 21 days, 18 are looked at.
        let found = try seen(of: sets, errors: 2 * StudentT.quantile(degrees: 13, looks: 18)) { seed, size in
            try trend(days(21, 500, 0.35, drift: 0, seed: 920_000 + seed, fall: (4, size / 0.35))).verdict.claim
        }
        print("seen, trend:", found, "of", sets)
        #expect(Self.isAtLeast(0.65, found.named, of: sets) && !Self.isAtLeast(0.65, found.ofOneLook, of: sets), "\(found)")
    }

    @Test func `thirty looks at a steady trend alarm in at most one of twenty sets`() throws {
        var alarming = 0
        for seed in 0..<Self.sets * 2 {
            let all = days(65, 950, 0.35, drift: [0, 0.05, 0.1][Int(seed % 3)], seed: 800_000 + seed)
            if TrendAlert(all, drop: 0.2).days.suffix(30).contains(where: \.holds) { alarming += 1 }
        }
        print("alert, 30 looks:", alarming, "of", Self.sets * 2)
        #expect(Self.isAtMost(0.05, alarming, of: Self.sets * 2), "\(alarming)")
    }

    /// Where days drift, all weekdays are alike, as in the prototype that gave `least`. If weekdays differ, fewer falls are found.
    @Test(
        "a fall of a fifth alarms within two days",
        arguments: [
            (0.5, 500, 0, 0.9), (0.35, 950, 0, 0.9), (0.2, 2000, 0, 0.9), (0.1, 4500, 0, 0.9), (0.5, 500, 0.05, 0.91),
            (0.35, 950, 0.05, 0.64), (0.35, 950, 0.1, 0.34), (0.35, 2000, 0.1, 0.62),
        ])
    func alarm(share: Double, visits: Int, drift: Double, least: Double) throws {
        var found = 0
        for seed in 0..<Self.sets {
            let all = days(44, visits, share, drift: drift, seed: 900_000 + seed, weekdays: drift > 0 ? 0 : 0.1, fall: (42, 0.2))
            if TrendAlert(all, drop: 0.2).days.suffix(2).contains(where: \.holds) { found += 1 }
        }
        print("alert, \(share), \(visits) visits a day, drift \(drift):", found, "of", Self.sets)
        #expect(Self.isAtLeast(least, found), "\(found) of \(Self.sets)")
    }
}

import EventFiles
import Foundation
import Testing

@testable import Funnels

/// What the question why claims on made-up visits whose causes are known.
@Suite("How often claims of a cause are right")
struct WhyClaimsTests {
    private static let sets = ClaimRatesTests.sets
    /// Larger sets are slow in a debug build: a push tries a third of them, but at least 12.
    private static let fewSets = max(sets / 3, 12)

    @Test func `on visits without a cause hardly anything is claimed`() throws {
        var claiming = 0
        for seed in 0..<Self.sets where try !MadeForks(1000, seed: 100_000 + seed).findings().isEmpty { claiming += 1 }
        print("why, no cause:", claiming, "of", Self.sets)
        #expect(ClaimRatesTests.isAtMost(0.05, claiming), "\(claiming) of \(Self.sets)")
    }

    /// The change of the logit that lowers a share of about a half by `points`, where 0.1 is ten points.
    private static func logit(_ points: Double) -> Double { -4.3 * points }

    /// How many values a property has of which one is a cause, by how much, and the share of sets in which it is found. A push leaves out the
    /// last.
    private static let causes: [(Int, Double, Double)] = Array(
        [(4, 0.22, 0.95), (8, 0.18, 0.9), (8, 0.22, 0.95)].prefix(sets > 36 ? 3 : 2))

    @Test("a cause in a quarter, or an eighth, of the forks is found", arguments: causes)
    func cause(values: Int, points: Double, least: Double) throws {
        var (found, others) = (0, 0)
        for seed in 0..<Self.fewSets {
            let made = MadeForks(3000, values: [2, values, 2, 5], seed: 200_000 + seed) { values, _ in
                values[1] == 0 ? Self.logit(points) : 0
            }
            let (findings, cause) = (try made.findings(), made.item(1, 0))
            if findings.first?.candidate.items == [cause], findings.first?.claim.kind == .less { found += 1 }
            others += findings.count { !$0.candidate.items.contains(cause) }
        }
        print("why, one of \(values) values, \(points):", found, "of", Self.fewSets, "and beside it", others)
        #expect(ClaimRatesTests.isAtLeast(least, found, of: Self.fewSets), "\(found) of \(Self.fewSets)")
    }

    @Test(
        "two values that matter together, in a quarter or a sixteenth of the forks, are named together",
        arguments: [([2, 4, 2, 5], 0, 1, 0.31), ([2, 4, 4, 5], 1, 0, 0.35)])
    func together(values: [Int], path: Int, value: Int, points: Double) throws {
        var found = 0
        for seed in 0..<Self.fewSets {
            let made = MadeForks(3000, values: values, seed: 300_000 + seed) { values, _ in
                values[path] == value && values[2] == value ? Self.logit(points) : 0
            }
            if try made.findings().first?.candidate.items == [made.item(path, value), made.item(2, value)] { found += 1 }
        }
        print("why, two values, \(points):", found, "of", Self.fewSets)
        #expect(ClaimRatesTests.isAtLeast(0.9, found, of: Self.fewSets), "\(found) of \(Self.fewSets)")
    }

    @Test func `the size that is named would be seen of half of the candidates`() throws {
        let made = MadeForks(1500, seed: 500_000)
        let search = try made.search(depth: 1)
        var table = made.table
        table.numberDays(FunnelRun.dayOfUTC)
        let model = WhyModel(table.forks.map(\.isConverted), users: table.users, strata: table.strata(withoutEvents: []))
        let steady = search.candidates.filter { !$0.isChanging }
        let sizes = steady.compactMap { model.difference($0.forks, screen: 2)?.detectable(looks: search.candidates.count) }
        let size = try #require(search.findings().silence.detectable)
        #expect(abs(sizes.count { $0 <= size } - sizes.count { $0 >= size }) <= 2)
        #expect(size < sizes.max() ?? 0)
    }

    @Test(arguments: [(0, true), (1200, false)])
    func `a release that hardly any user has forks with and without is refused`(ofBoth: Int, isRefused: Bool) throws {
        // Each of 1,200 users comes once, on one of 20 days, from the eleventh on with the release; some come again, ten days away.
        let forks = (0..<1200 + ofBoth).map { fork in
            let (user, day) = (fork % 1200, (fork + fork / 1200 * 10) % 20)
            return WhyTable.Fork(
                user: Fingerprint(made: user), time: MadeVisits.start + Int64(day) * MadeVisits.day, isConverted: user / 20 % 2 == 0,
                had: [(day < 10 ? 0 : 1, 0)], eventsBefore: 0)
        }
        let definition = try WhyDefinition(FunnelDefinition(steps: FunnelStep.parse("a > b"), counting: .visits))
        let search = WhySearch(WhyTable(forks, paths: [0, 0]), definition, items: [0, 1]) { _ in true }
        #expect(search.candidates.map(\.isChanging) == [true] && search.candidates.map(\.isFewOfBoth) == [isRefused])
    }

    @Test(arguments: [(10, true), (60, false)])
    func `a release is not found where few users have forks with and without it, even if these differ surely`(
        ofBoth: Int, isRefused: Bool
    ) throws {
        func fork(_ user: Int, day: Int, isNew: Bool, isConverted: Bool) -> WhyTable.Fork {
            WhyTable.Fork(
                user: Fingerprint(made: user), time: MadeVisits.start + Int64(day) * MadeVisits.day, isConverted: isConverted,
                had: [(isNew ? 1 : 0, 0)], eventsBefore: 0)
        }
        var forks = (0..<1200).map { user in
            let isNew = user % 20 >= 10
            return fork(user, day: user % 20, isNew: isNew, isConverted: user / 20 % 10 < (isNew ? 3 : 9))
        }
        for user in 1200..<1200 + ofBoth {
            for day in 0..<20 {
                forks.append(fork(user, day: day, isNew: false, isConverted: true))
                forks.append(fork(user, day: day, isNew: true, isConverted: day % (user % 2 == 0 ? 5 : 4) == 0))
            }
        }
        let definition = try WhyDefinition(FunnelDefinition(steps: FunnelStep.parse("a > b"), counting: .visits))
        let search = WhySearch(WhyTable(forks, paths: [0, 0]), definition, items: [0, 1]) { _ in true }
        #expect(search.candidates.map(\.isFewOfBoth) == [isRefused] && search.findings().found.isEmpty == isRefused)
    }

    /// Of these events alone, their number before a fork tells which of them it had. With the first, 60 % of the forks go on
    /// instead of 40 %.
    @Test(arguments: [1, 2])
    func `of one or two kinds of events, the one that matters is found and hardly ever another`(kinds: Int) throws {
        var others = 0
        for seed in 0..<Self.fewSets {
            var made = MadeVisits(seed: UInt64(600_000 + seed))
            let forks = (0..<3000).map { fork in
                let had = (0..<kinds).map { made.chance($0 == 0 ? 0.2 : 0.15) }
                let times = had.indices.filter { had[$0] }.map { (item: UInt32($0), times: UInt32(1)) }
                return WhyTable.Fork(
                    user: Fingerprint(made: fork / 2), time: MadeVisits.start + Int64(fork % 28) * MadeVisits.day,
                    isConverted: made.chance(had[0] ? 0.6 : 0.4), had: times, eventsBefore: times.count)
            }
            let definition = try WhyDefinition(FunnelDefinition(steps: FunnelStep.parse("a > b"), counting: .visits))
            let search = WhySearch(WhyTable(forks, paths: [nil, nil]), definition, items: Array(0..<kinds)) { _ in false }
            let found = search.findings().found
            #expect(found.first?.candidate.items == [0] && found.first?.claim.kind == .more, "seed \(seed)")
            #expect(found.first?.claim.adjustedFor == (kinds == 1 ? [.day] : [.day, .eventsBefore]))
            others += found.count - 1
        }
        #expect(others * 4 <= Self.fewSets)
    }

    /// Days begin at noon. On every second one most forks have the value and most go on, on the others few have it and few go on.
    @Test func `forks of one day of the calendar are compared`() throws {
        let forks = (0..<2400).map { fork in
            let (part, number) = (fork % 24, fork / 24)
            let most = (part + 1) / 2 % 2 == 0 ? 1 : 4
            return WhyTable.Fork(
                user: Fingerprint(made: fork), time: MadeVisits.start + Int64(part) * MadeVisits.day / 2, isConverted: number % 5 < most,
                had: number / 5 % 5 < most ? [(0, 0)] : [], eventsBefore: 0)
        }
        var definition = try WhyDefinition(FunnelDefinition(steps: FunnelStep.parse("a > b"), counting: .visits))
        func findings() -> [WhySearch.Finding] {
            WhySearch(WhyTable(forks, paths: [0]), definition, items: [0]) { _ in false }.findings().found
        }
        #expect(findings().map(\.claim.kind) == [.more])
        definition.calendar.day = { time in
            let noon = FunnelRun.dayOfUTC(time - MadeVisits.day / 2).lowerBound + MadeVisits.day / 2
            return noon..<noon + MadeVisits.day
        }
        #expect(findings().isEmpty)
    }
}

import EventFiles
import Testing

@testable import Funnels

@Suite("Claims of groups")
struct GroupClaimsTests {
    private func claims(_ made: MadeVisits, _ names: [String], days: Int = 10) throws -> [Claim?] {
        GroupClaims.claims(of: [try made.result(on: 0..<days, names: names)])[0]
    }

    /// Ten days of visits; each group converts a share of its own.
    private func made(_ shares: [Double], _ count: Int = 300, seed: UInt64 = 1) -> MadeVisits {
        var made = MadeVisits(seed: seed)
        made.come(count, on: 0..<10, people: 2000, group: { user, _, _ in user % shares.count }) { _, _, group in
            MadeVisits.logit(shares[group])
        }
        return made
    }

    @Test func `where two groups differ, one is claimed, and the other is marked as said elsewhere`() throws {
        let claims = try claims(made([0.3, 0.5]), ["x", "y"]).compactMap(\.self)
        #expect(claims.map(\.holds) == [true, false] && claims.map(\.isSaidElsewhere) == [false, true])
        let alike = try self.claims(made([0.4, 0.4]), ["x", "y"])
        #expect(alike.allSatisfy { $0?.isSaidElsewhere == false })
    }

    @Test(arguments: [0.0, 1.0]) func `where all convert, or none, no size is named that would be seen`(share: Double) throws {
        let found = try claims(made([share, share]), ["x", "y"]).compactMap(\.self)
        #expect(found.count == 2 && found.allSatisfy { $0.refused == .fewVisits && !$0.holds && $0.detectable == nil })
    }

    @Test(arguments: [(0.005, 0.0), (0.995, 1.0)])
    func `a small group in which nobody converts, or everybody, is not surely another where hardly anybody is expected to`(
        share: Double, own: Double
    ) throws {
        var made = made([share], 600)
        for user in 0..<40 { made.visits.append(.init(user: user, day: user % 10, group: 1, converted: own == 1)) }
        let claims = try claims(made, ["most", "few"]).compactMap(\.self)
        #expect(claims.count == 2 && claims.allSatisfy { $0.refused == .fewVisits && !$0.holds })
    }

    /// Everybody converts two days later or never. On the last two days of the second week nobody has converted yet.
    @Test func `visits whose window is open are no reason to say that a week converts less`() throws {
        let (folder, day) = (try GrowingFolder(), 86_400_000)
        let lines = (0..<1400).flatMap { index -> [String] in
            let time = MadeVisits.start + Int64(index * day / 100)
            func line(_ name: String, _ time: Int64) -> String {
                #"{"v":1,"t_ms":\#(time),"name":"\#(name)","user":"u\#(index)","session":"s\#(index)"}"#
            }
            let later = time + 2 * Int64(day) - 1000
            return [line("a", time)] + (index % 2 == 0 && later < MadeVisits.start + Int64(14 * day) ? [line("b", later)] : [])
        }
        try folder.append(lines: lines, to: "e.ndjson")
        func week(_ number: Int64) throws -> FunnelDefinition {
            try FunnelDefinition(
                steps: FunnelStep.parse("a > b"), windowMilliseconds: 2 * Int64(day), counting: .visits,
                since: MadeVisits.start + number * 7 * Int64(day), until: MadeVisits.start + (number + 1) * 7 * Int64(day))
        }
        let results = try FunnelRun([week(1)], comparedWith: [week(0)]).results(reading: EventFileReader(paths: [folder.path])).results
        #expect(results.map { $0.steps[1].count } == [251, 350])
        let claim = FunnelComparison(result: results[0], other: results[1]).claim
        #expect(claim.refused == nil && !claim.holds && claim.difference?.magnitude ?? 1 < 0.01)
    }

    /// Ten days of visits with an hour's window. In the last half hour a release comes; nobody has converted with it yet.
    @Test func `visits whose window is open are no reason to say that a group converts less`() throws {
        let folder = try GrowingFolder()
        var lines: [String] = []
        func line(_ name: String, _ time: Int, _ user: String, _ version: String) -> String {
            #"{"v":1,"t_ms":\#(time),"name":"\#(name)","user":"\#(user)","session":"s\#(user)","props":{"version":"\#(version)"}}"#
        }
        for index in 0..<1000 {
            let (time, isLate) = (index < 900 ? index * 960_000 : 863_000_000 + index, index >= 900)
            lines.append(line("a", time, "u\(index)", isLate ? "2" : "1"))
            if index % 2 == 0, !isLate { lines.append(line("b", time + 1000, "u\(index)", "1")) }
        }
        try folder.append(lines: lines, to: "e.ndjson")
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse("a > b"), windowMilliseconds: 3_600_000, counting: .visits, breakdown: .parse("version"))
        let found = try FunnelRun([definition], day: { $0 - $0 % 86_400_000..<$0 - $0 % 86_400_000 + 86_400_000 })
            .results(reading: EventFileReader(paths: [folder.path])).results[0]
        #expect(found.groups.map(\.value) == ["1", "2"] && found.groups[1].steps.map(\.count) == [100, 0])
        #expect(found.groupClaims.map { $0?.refused } == [.fewVisits, .fewVisits])
    }

    /// A release on day 10 of 20 after which fewer convert. Some of the 2,000 users come with both versions, the others once.
    private func release(ofBoth: Int) -> MadeVisits {
        var made = MadeVisits(seed: 4)
        for user in 0..<2000 {
            let day = user % 20
            made.visits.append(.init(user: user, day: day, group: day < 10 ? 0 : 1, converted: user / 20 % 10 < (day < 10 ? 9 : 5)))
            if user < ofBoth { made.visits.append(.init(user: user, day: (day + 10) % 20, group: day < 10 ? 1 : 0, converted: false)) }
            // A few keep the old version.
            if user % 160 == 19 { made.visits.append(.init(user: user, day: day, group: 0, converted: user % 320 == 19)) }
        }
        return made
    }

    @Test func `where hardly any user came with both versions, that refuses the release, and no difference is shown`() throws {
        let claims = try claims(release(ofBoth: 0), ["5.2.0", "5.3.0"], days: 20).compactMap(\.self)
        #expect(claims.count == 2 && claims.allSatisfy { $0.adjustedFor == [.user, .day] })
        #expect(claims.allSatisfy { $0.refused == .fewOfBoth && $0.difference == nil && $0.interval == nil && $0.qValue == nil })
        let many = try self.claims(release(ofBoth: 600), ["5.2.0", "5.3.0"], days: 20).compactMap(\.self)
        #expect(many.allSatisfy { $0.refused != .fewOfBoth && $0.difference != nil })
    }

    @Test(arguments: [(10, true), (19, true), (20, false), (60, false)])
    func `a release is refused where few users came with both versions, even if these differ surely`(ofBoth: Int, isRefused: Bool) throws {
        var made = MadeVisits(seed: 5)
        for user in 0..<2000 {
            let day = user % 20
            made.visits.append(.init(user: user, day: day, group: day < 10 ? 0 : 1, converted: user / 20 % 10 < (day < 10 ? 9 : 3)))
        }
        // With the old version these always convert, with the new one seldom.
        for user in 2000..<2000 + ofBoth {
            for day in 0..<20 {
                made.visits.append(.init(user: user, day: day, group: 0, converted: true))
                made.visits.append(.init(user: user, day: day, group: 1, converted: day % (user % 2 == 0 ? 5 : 4) == 0))
            }
        }
        let claims = try claims(made, ["5.2.0", "5.3.0"], days: 20).compactMap(\.self)
        #expect(claims.count == 2 && claims.allSatisfy { ($0.refused == .fewOfBoth && $0.difference == nil) == isRefused })
        #expect(claims.contains(where: \.holds) == !isRefused)
    }

    @Test func `what refuses one of two groups refuses the other`() throws {
        // On each day x converts less than y, but more of its visits come on days that convert much.
        var made = MadeVisits(seed: 3)
        for (day, size, shares) in [(0, (900, 100), (0.7, 0.9)), (1, (700, 300), (0.1, 0.25)), (2, (800, 200), (0.7, 0.9))] {
            for (group, count, share) in [(0, size.0, shares.0), (1, size.1, shares.1)] {
                for visit in 0..<count {
                    made.visits.append(.init(user: visit, day: day, group: group, converted: Double(visit) < share * Double(count)))
                }
            }
        }
        #expect(try claims(made, ["x", "y"], days: 3).map { $0?.refused } == [.opposed, .opposed])
    }

    /// Whether a group still differs, with the sign of its claim, if the visits of some groups are left out.
    private func shows(_ group: Int, _ claims: [Claim], _ result: FunnelResult, without left: [Int]) throws -> Bool {
        let cells = (result.visits?.cells ?? []).filter { !left.contains($0.group) }
        var visits = GroupedVisits(
            cells.map {
                AdjustedDifference.Row(
                    user: Int($0.user.high), stratum: Int(($0.day - MadeVisits.start) / MadeVisits.day), group: $0.group,
                    visits: $0.visits, converted: $0.converted)
            })
        let asked = claims.indices.filter { !left.contains($0) }
        let again = asked.map { visits.difference(of: $0, holdsUsers: false) }
        let qValues = FalseDiscovery.qValues(again.map { $0?.refused() == nil ? $0?.estimate.pValue : nil })
        let place = try #require(asked.firstIndex(of: group))
        let isAlike = (again[place]?.estimate.value ?? 0) * (claims[group].difference ?? 0) > 0
        return isAlike && qValues[place] ?? 1 <= FunnelResult.significance
    }

    @Test func `a claim stands only if it also holds when the other groups that were found are left out`() throws {
        var (standing, fallen) = (0, 0)
        for seed in 0..<30 as Range<UInt64> {
            // The first group's claim is sure; some of the other claims hold only just.
            let result = try made([0.2, 0.44, 0.47, 0.5, 0.5, 0.5], 160, seed: seed).result(on: 0..<10, names: (0..<6).map { "v\($0)" })
            let claims = GroupClaims.claims(of: [result])[0].compactMap(\.self)
            let sure = claims.indices.filter { claims[$0].holds || claims[$0].isSaidElsewhere }
            func rank(_ group: Int) -> (Double, Double) { (claims[group].qValue ?? 1, claims[group].pValue ?? 1) }
            var found: [Int] = []
            for group in sure.sorted(by: { rank($0) < rank($1) }) where try found.isEmpty || shows(group, claims, result, without: found) {
                found.append(group)
            }
            for group in found where found.count > 1 {
                let others = found.filter { $0 != group }
                if try !shows(group, claims, result, without: others) { found = others }
            }
            for group in sure { #expect(claims[group].holds == found.contains(group), "seed \(seed), group \(group)") }
            (standing, fallen) = (standing + found.count, fallen + sure.count - found.count)
        }
        #expect(standing > 30 && fallen > 5, "\(standing) stand, \(fallen) fall")
    }

    @Test func `a healthy group that is surer than the bad one is not named beside it`() throws {
        // Only 25 users convert less. Each comes often, and they differ much, so that the difference of the large group is surer than theirs.
        var made = MadeVisits(seed: 1)
        func come(_ users: Range<Int>, group: Int, _ visits: Int = 1, converts: (Int, Int) -> Bool) {
            for user in users {
                for visit in 0..<visits {
                    made.visits.append(.init(user: user, day: (user + visit) % 10, group: group, converted: converts(user, visit)))
                }
            }
        }
        come(0..<25, group: 1, 40) { user, visit in visit < (user % 2 == 0 ? 4 : 20) }
        come(25..<525, group: 2) { user, _ in user / 10 % 50 < 23 }
        come(525..<6525, group: 0) { user, _ in user / 10 % 2 == 0 }
        let claims = try claims(made, ["large", "bad", "small"]).compactMap(\.self)
        #expect(claims[0].pValue ?? 1 < claims[1].pValue ?? 0)
        #expect(claims.map(\.kind) == [.none, .less, .none] && claims[0].isSaidElsewhere)
    }

    @Test func `of many groups that differ the twenty surest are claimed`() throws {
        let claims = try claims(made((0..<30).map { $0 % 2 == 0 ? 0.1 : 0.8 }, 1500), (0..<30).map { "v\($0)" }).compactMap(\.self)
        #expect(claims.count(where: \.holds) == 20 && claims.count(where: \.isSaidElsewhere) == 10)
    }
}

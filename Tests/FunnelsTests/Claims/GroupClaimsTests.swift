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
        #expect(found.count == 2 && found.allSatisfy { $0.refused == nil && !$0.holds && $0.detectable == nil })
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

    @Test func `a claim stands only if it also holds when the groups with surer claims are left out`() throws {
        var (standing, fallen) = (0, 0)
        for seed in 0..<30 as Range<UInt64> {
            // The first group's claim is sure; some of the other claims hold only just.
            let result = try made([0.2, 0.44, 0.47, 0.5, 0.5, 0.5], 160, seed: seed).result(on: 0..<10, names: (0..<6).map { "v\($0)" })
            let claims = GroupClaims.claims(of: [result])[0].compactMap(\.self)
            var left = Array(claims.indices)
            let sure = left.filter { claims[$0].holds || claims[$0].isSaidElsewhere }
            func rank(_ group: Int) -> (Double, Double) { (claims[group].qValue ?? 1, claims[group].pValue ?? 1) }
            for group in sure.sorted(by: { rank($0) < rank($1) }) {
                let cells = (result.visits?.cells ?? []).filter { left.contains($0.group) }
                let rows = cells.map {
                    AdjustedDifference.Row(
                        user: Int($0.user.high), stratum: Int(($0.day - MadeVisits.start) / MadeVisits.day), group: $0.group,
                        visits: $0.visits, converted: $0.converted)
                }
                let again = AdjustedDifference.differences(of: left.map { ($0, false) }, rows)
                let qValues = FalseDiscovery.qValues(again.map { $0?.refused == nil ? $0?.estimate.pValue : nil })
                let place = try #require(left.firstIndex(of: group))
                let isAlike = (again[place]?.estimate.value ?? 0) * (claims[group].difference ?? 0) > 0
                let stands = left.count == claims.count || isAlike && qValues[place] ?? 1 <= FunnelResult.significance
                #expect(claims[group].holds == stands, "seed \(seed), group \(group)")
                if stands { left.remove(at: place) }
                (standing, fallen) = (standing + (stands ? 1 : 0), fallen + (stands ? 0 : 1))
            }
        }
        #expect(standing > 30 && fallen > 5, "\(standing) stand, \(fallen) fall")
    }
}

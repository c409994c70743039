import Testing
import TrackingEvents

@testable import Funnels

@Suite("Differences of visits with strata held equal")
struct AdjustedDifferenceTests {
    private typealias Row = AdjustedDifference.Row

    private func rows(_ numbers: [(Int, Int, Bool, Int, Int)]) -> [Row] {
        numbers.map { Row(user: $0.0, stratum: $0.1, group: $0.2 ? 1 : 0, visits: $0.3, converted: $0.4) }
    }

    @Test func `within one stratum it is the difference of the shares, with users as clusters`() throws {
        // Each visit has a user of its own, so that Σx̃² = nm/(n+m) and the residuals are those of two proportions.
        let found = try #require(
            AdjustedDifference(rows((0..<40).map { ($0, 0, $0 < 10, 1, $0 % 4 == 0 ? 1 : 0) })))
        let (p, q) = (3.0 / 10, 7.0 / 30)
        #expect(abs(found.estimate.value - (p - q)) < 1e-12 && abs(found.crude - (p - q)) < 1e-12)
        #expect(abs(found.estimate.error - (p * (1 - p) / 10 + q * (1 - q) / 30).squareRoot()) < 1e-12)
        #expect(found.marked.users == 10 && found.others.visits == 30)
        // The ten marked users make most of the spread, so that there are few degrees of freedom.
        #expect(abs(found.estimate.degrees - 8.000903514194716) < 1e-9)
    }

    @Test func `strata that mix the sides differently do not make a difference`() throws {
        // Both sides convert 1 of 10 on the first day and 9 of 10 on the second; most marked visits come on the second.
        let found = try #require(
            AdjustedDifference(rows([(0, 0, true, 10, 1), (1, 0, false, 90, 9), (2, 1, true, 90, 81), (3, 1, false, 10, 9)])))
        #expect(abs(found.estimate.value) < 1e-12 && found.crude > 0.6)
    }

    @Test func `there is no difference without a stratum that has both sides`() {
        #expect(AdjustedDifference(rows([(0, 0, true, 10, 1), (1, 1, false, 9, 3)])) == nil)
        #expect(AdjustedDifference(rows([(0, 0, true, 10, 1)])) == nil && AdjustedDifference([]) == nil)
        // No user has visits of both sides.
        #expect(AdjustedDifference(rows([(0, 0, true, 10, 1), (1, 0, false, 9, 3)]), holdsUsers: true) == nil)
        // Each user comes on two days, so that the rounds of centring end before nothing is left of the indicator.
        let chain = (0..<40).flatMap { day in
            (0..<20).map { (day * 10 + $0 / 2, day + $0 % 2, $0 / 2 * 4 < day, 1, (day + $0 / 2 + $0) % 2) }
        }
        #expect(AdjustedDifference(rows(chain), holdsUsers: true) == nil)
    }

    @Test func `what rounding leaves of residuals makes no interval`() throws {
        // No marked visit converts and all others do: exact residuals would be 0, and rounding thirds and sevenths leaves a little.
        for users in 1...4 {
            let rows = (0..<12).map { index in
                let visits = 1 + index % 7
                return Row(
                    user: index % users, stratum: index % 3, group: index < 5 ? 1 : 0, visits: visits, converted: index < 5 ? 0 : visits)
            }
            let estimate = try #require(AdjustedDifference(rows, holdsUsers: users == 4)).estimate
            #expect(abs(estimate.interval().lower + 1) < 1e-12 && abs(estimate.interval().upper + 1) < 1e-12, "\(estimate)")
        }
    }

    @Test func `of too few visits without a standard error no difference is named`() throws {
        let sure = Estimate(value: -0.1, error: 0, degrees: 1)
        var few = Claim(sure, adjustedFor: [.day], visits: 3, refused: .fewVisits)
        #expect(few.difference == nil && few.interval == nil && few.pValue == nil && few.detectable == nil)
        let many = Claim(sure, adjustedFor: [.day], visits: 300)
        #expect(many.interval == ConfidenceInterval(-0.1, -0.1) && many.pValue == 0 && many.detectable == nil)
        // A single user converts on each visit of both weeks.
        var made = MadeVisits(seed: 1)
        made.come(10, on: 0..<14, people: 1) { _, _, _ in 50 }
        few = FunnelComparison(result: try made.result(on: 7..<14), other: try made.result(on: 0..<7)).claim
        #expect(few.refused == .fewVisits && few.difference == nil && few.pValue == nil && few.detectable == nil)
    }

    @Test(arguments: [(0.1, false), (1, true), (3, true)])
    func `with less than one degree of freedom the error is unknown, and no interval passes 1`(degrees: Double, isKnown: Bool) {
        let wide = Estimate(value: -0.4, error: 0.3, degrees: degrees)
        #expect(wide.interval() == ConfidenceInterval(-1, min(-0.4 + wide.reach(), 1)) && (wide.detectable() != nil) == isKnown)
        let claim = Claim(wide, adjustedFor: [.day], visits: 300)
        #expect((claim.refused == .fewUsers) != isKnown && (claim.interval != nil) == isKnown)
        #expect(claim.difference == (isKnown ? -0.4 : nil))
        #expect(Claim(wide, adjustedFor: [.day], visits: 300, refused: .unit).refused == .unit)
    }

    @Test func `a difference of more than 100 points is none`() {
        for few in [nil, Claim.Refusal.fewVisits] {
            let claim = Claim(Estimate(value: 164.3, error: 0.3, degrees: 30), adjustedFor: [.user, .day], visits: 300, refused: few)
            #expect(claim.refused == few ?? .fewUsers && claim.difference == nil && claim.interval == nil && claim.detectable == nil)
        }
        #expect(Claim(Estimate(value: -1, error: 0, degrees: 1), adjustedFor: [.day], visits: 300).difference == -1)
    }

    @Test func `where no possible difference would be seen, nothing is said of one`() {
        var claim = Claim(Estimate(value: 0.1, error: 0.3, degrees: 3), adjustedFor: [.day], visits: 300)
        claim.conclude(claim.pValue, crude: 0.1)
        #expect(claim.refused == .fewUsers && !claim.holds)
        #expect(claim.interval == nil && claim.detectable == nil && claim.pValue == nil && claim.difference == nil)
    }

    @Test func `dividing rows changes nothing`() throws {
        var random = SeededRandom(seed: 5)
        for holdsUsers in [false, true] {
            let rows = (0..<60).map { index in
                let visits = Int.random(in: 1...9, using: &random)
                return Row(
                    user: index % 13, stratum: index % 5, group: Int.random(in: 0...1, using: &random), visits: visits,
                    converted: visits / 2)
            }
            let divided = rows.flatMap { row in
                (0..<row.visits).map {
                    Row(user: row.user, stratum: row.stratum, group: row.group, visits: 1, converted: $0 < row.converted ? 1 : 0)
                }
            }
            let (whole, parts) = (
                try #require(AdjustedDifference(rows, holdsUsers: holdsUsers)),
                try #require(AdjustedDifference(divided, holdsUsers: holdsUsers))
            )
            #expect(abs(whole.estimate.value - parts.estimate.value) < 1e-9 && abs(whole.estimate.error - parts.estimate.error) < 1e-9)
        }
    }

    @Test(
        "Student's p-values and quantiles are those of scipy",
        arguments: [
            (2.0, 5.0, 0.10193947882985835, 2.570581835636314), (0.5, 1, 0.7048327646991335, 12.706204736174694),
            (3.2, 30, 0.0032386017119531312, 2.042272456301238), (-8, 100, 2.2728648077280694e-12, 1.983971518523552),
        ])
    func student(_ t: Double, _ degrees: Double, _ p: Double, _ quantile: Double) {
        #expect(abs(StudentT.pValue(t, degrees: degrees) / p - 1) < 1e-9)
        #expect(abs(StudentT.quantile(degrees: degrees) - quantile) < 1e-9)
    }

    @Test(
        "the size that would be seen lies 0.84 standard errors beyond the critical value of so many looks, as scipy has it",
        arguments: [(Double.infinity, 1, 1.959963984540054), (.infinity, 7, 2.6901095271588655), (20, 25, 3.5518083432033323)])
    func seen(degrees: Double, looks: Int, critical: Double) throws {
        let estimate = Estimate(value: 0, error: 0.01, degrees: degrees)
        #expect(abs(try #require(estimate.detectable(looks: looks)) - 0.01 * (critical + 0.84)) < 1e-9)
    }

    @Test(
        "a tenth of all sums of squares lie below the value that scipy gives",
        arguments: [(1, 0.015790774093431), (6, 2.204130656498639), (27, 18.11389596689598)])
    func sums(_ degrees: Int, _ tenth: Double) {
        #expect(abs(ChiSquare.tenth(degrees: degrees) - tenth) < 1e-9)
    }
}

import Foundation
import Testing

@testable import Funnels

/// What the question why claims on made-up visits whose causes are known.
@Suite("How often the question why is right")
struct WhyClaimsTests {
    private static let sets = ClaimRatesTests.sets

    @Test func `on visits without a cause hardly anything is claimed`() throws {
        var claiming = 0
        for seed in 0..<Self.sets where try !MadeForks(1000, seed: 100_000 + seed).findings().isEmpty { claiming += 1 }
        print("why, no cause:", claiming, "of", Self.sets)
        #expect(ClaimRatesTests.isAtMost(0.05, claiming), "\(claiming) of \(Self.sets)")
    }

    /// By how many points of a share of a half a logit is moved.
    private static func logit(_ points: Double) -> Double { -4.3 * points }

    @Test func `a cause is found`() throws {
        var (found, others) = (0, 0)
        for seed in 0..<Self.sets {
            let cause = MadeForks.item(1, 0)
            let made = MadeForks(3000, seed: 200_000 + seed) { values, _ in values[1] == 0 ? Self.logit(0.22) : 0 }
            let findings = try made.findings()
            if findings.first?.candidate.items == [cause], findings.first?.claim.kind == .less { found += 1 }
            others += findings.count { !$0.candidate.items.contains(cause) }
        }
        print("why, one cause:", found, "of", Self.sets, "and beside it", others)
        #expect(ClaimRatesTests.isAtLeast(0.95, found), "\(found) of \(Self.sets)")
    }

    @Test func `two values that matter together are named together`() throws {
        var found = 0
        for seed in 0..<Self.sets {
            let made = MadeForks(3000, seed: 300_000 + seed) { values, _ in values[0] == 1 && values[2] == 1 ? Self.logit(0.31) : 0 }
            if try made.findings().first?.candidate.items == [MadeForks.item(0, 1), MadeForks.item(2, 1)] { found += 1 }
        }
        print("why, two values:", found, "of", Self.sets)
        #expect(ClaimRatesTests.isAtLeast(0.9, found), "\(found) of \(Self.sets)")
    }
}

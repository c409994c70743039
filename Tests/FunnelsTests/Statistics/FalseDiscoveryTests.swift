import Testing
import TrackingEvents

@testable import Funnels

@Suite struct FalseDiscoveryTests {
    @Test(
        arguments: [
            ([], []), ([0.04], [0.04]), ([0.01, 0.5], [0.02, 0.5]), ([0.01, 0.02, 0.03], [0.03, 0.03, 0.03]),
            ([0.5, nil, 0.01], [0.5, nil, 0.02]), ([0.9, 0.8], [0.9, 0.9]), ([nil, nil], [nil, nil]),
        ] as [([Double?], [Double?])])
    func `q-values are those of Benjamini and Hochberg`(_ pValues: [Double?], _ expected: [Double?]) {
        for (q, wanted) in zip(FalseDiscovery.qValues(pValues), expected) {
            #expect((q == nil) == (wanted == nil) && abs((q ?? 0) - (wanted ?? 0)) < 1e-15)
        }
        #expect(FalseDiscovery.qValues(pValues).count == pValues.count)
    }

    @Test func `without any effect, a claim is made about as often as promised`() {
        var random = SeededRandom(seed: 7)
        let claims = (0..<2000).count { _ in
            FalseDiscovery.qValues((0..<20).map { _ in Double.random(in: 0..<1, using: &random) }).contains { ($0 ?? 1) <= 0.05 }
        }
        #expect((60...140).contains(claims))
    }
}

import EventFiles
import Foundation
import Testing
import TrackingEvents

@testable import Funnels

/// What the question why claims on made-up people whose causes are known.
@Suite("Claims of the question why")
struct WhyClaimsTests {
    /// As many data sets of each kind are made up; `LOOPTRAIL_CLAIM_SETS` asks for more.
    private static let sets = ProcessInfo.processInfo.environment["LOOPTRAIL_CLAIM_SETS"].flatMap(UInt64.init) ?? 40

    /// People who come several times, with properties and events that mean nothing but where they are planted.
    ///
    /// - Parameter isPlanted: whether a coupon and help make going on likelier, and the web less likely.
    private func people(_ count: Int, isPlanted: Bool, seed: UInt64) -> [TestLine] {
        var random = SeededRandom(seed: seed)
        var lines: [TestLine] = []
        for user in 0..<count {
            let platform = ["ios", "android", "web"].randomElement(using: &random) ?? ""
            // Some try again and again: their deepest attempt is no fair sample of their attempts.
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                var time = Int64.random(in: 100_000...9_000_000, using: &random)
                let session = "s\(user)-\(time)"
                lines.append(
                    TestLine(
                        "session_started", time, user: "u\(user)", session: session, kind: .meta, props: #"{"platform":"\#(platform)"}"#))
                var hasHelp = false
                for name in ["search", "help", "news", "share"] where Double.random(in: 0..<1, using: &random) < 0.3 {
                    if name == "help" { hasHelp = true }
                    lines.append(TestLine(name, time, user: "u\(user)", session: session))
                    time += 10
                }
                let hasCoupon = Bool.random(using: &random)
                let color = Int.random(in: 0..<8, using: &random)
                lines.append(
                    TestLine(
                        "cart", time, user: "u\(user)", session: session, props: #"{"coupon":\#(hasCoupon),"color":"c\#(color)"}"#))
                var chance = 0.35
                if isPlanted { chance += (hasCoupon ? 0.25 : 0) + (hasHelp ? 0.2 : 0) - (platform == "web" ? 0.2 : 0) }
                if Double.random(in: 0..<1, using: &random) < chance {
                    lines.append(TestLine("paid", time + 20, user: "u\(user)", session: session))
                }
            }
        }
        lines.append(TestLine("first", 0, user: "z"))
        lines.append(TestLine("last", 10_000_000, user: "z"))
        return lines
    }

    private func claims(_ lines: [TestLine]) throws -> [Why.Candidate] {
        let funnel = try FunnelDefinition(steps: FunnelStep.parse("cart > paid"), windowMilliseconds: 5_000)
        return try WhyTests.why(WhyDefinition(funnel, top: 1000), lines, batchSize: 5_000).candidates.filter(\.holds)
    }

    @Test func `on people without a cause hardly anything is claimed`() throws {
        var claiming = 0
        for seed in 0..<Self.sets where try !claims(people(400, isPlanted: false, seed: seed)).isEmpty { claiming += 1 }
        // One in twenty is expected at most; four standard deviations more would come once in many thousand times.
        let expected = Double(Self.sets) / 20
        #expect(Double(claiming) <= expected + 4 * (expected * 0.95).squareRoot(), "\(claiming) of \(Self.sets)")
    }

    @Test func `planted causes of every kind are found, and at most one in twenty claims is about something else`() throws {
        var (found, right, wrong) = (0, 0, 0)
        for seed in 1000..<1000 + Self.sets {
            let claims = try claims(people(800, isPlanted: true, seed: seed))
            let planted = claims.filter { ["props.coupon", "session.platform", "help"].contains($0.name) }
            func isFound(_ name: String, _ value: String?, helps: Bool) -> Bool {
                planted.contains { $0.name == name && $0.value == value && ($0.oddsRatio > 1) == helps }
            }
            if isFound("props.coupon", "true", helps: true), isFound("help", nil, helps: true),
                isFound("session.platform", "web", helps: false)
            {
                found += 1
            }
            right += planted.count
            wrong += claims.count - planted.count
        }
        #expect(UInt64(found) * 10 >= Self.sets * 9, "\(found) of \(Self.sets)")
        #expect(wrong * 20 <= right + wrong, "\(wrong) of \(right + wrong)")
    }
}

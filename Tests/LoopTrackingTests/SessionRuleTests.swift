import Testing

@testable import LoopTracking

/// When a session ends by itself: a table.
@Suite struct SessionRuleTests {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute

    @Test(arguments: [
        (lastEventAt: 0, now: 0, hasEnded: false),
        (lastEventAt: 0, now: 30 * minute, hasEnded: false),
        (lastEventAt: 0, now: 30 * minute + 1, hasEnded: true),
        (lastEventAt: 24 * hour - 1, now: 24 * hour, hasEnded: false),
        (lastEventAt: 24 * hour - 1, now: 24 * hour + 1, hasEnded: true),
        (lastEventAt: 10 * minute, now: -24 * hour, hasEnded: false),
        (lastEventAt: 10 * minute, now: -24 * hour - 1, hasEnded: true),
        (lastEventAt: .max, now: .min, hasEnded: true),
        (lastEventAt: .min, now: .max, hasEnded: true),
    ])
    func `a session ends by default after 30 minutes without an event, or after a day`(lastEventAt: Int64, now: Int64, hasEnded: Bool) {
        #expect(SessionRule().hasEnded(startedAt: 0, lastEventAt: lastEventAt, now: now) == hasEnded)
    }

    @Test(arguments: [
        (idle: Duration.seconds(1), length: Duration.seconds(10), now: 1_000 as Int64, hasEnded: false),
        (idle: .seconds(1), length: .seconds(10), now: 1_001, hasEnded: true),
        (idle: .seconds(60), length: .seconds(10), now: 10_001, hasEnded: true),
        (idle: .zero, length: .seconds(10), now: 0, hasEnded: false),
        (idle: .microseconds(1_999), length: .seconds(10), now: 2, hasEnded: true),
        (idle: .seconds(Int64.max), length: .seconds(Int64.max), now: .max, hasEnded: false),
    ])
    func `a session ends by limits of one's own`(idle: Duration, length: Duration, now: Int64, hasEnded: Bool) {
        let rule = SessionRule(maxIdle: idle, maxLength: length)
        #expect(rule.hasEnded(startedAt: 0, lastEventAt: 0, now: now) == hasEnded)
    }
}

import Testing

@testable import looptrail

@Suite struct MomentRangeTests {
    @Test(
        arguments: [
            ("2026-01-01..2026-01-08", 1_767_225_600_000, 1_767_830_400_000),
            ("2026-01-01T00:00Z..2026-01-01T00:00+01:00", 1_767_225_600_000, 1_767_222_000_000),
            ("now-14d..now-7d", 2_000_000_000_000 - 1_209_600_000, 2_000_000_000_000 - 604_800_000),
            ("2026-01-01..now", 1_767_225_600_000, 2_000_000_000_000),
            ("2026-01-01T08:30:00.250..2026-01-01T08:30:00.500", 1_767_256_200_250, 1_767_256_200_500),
        ] as [(String, Int64, Int64)])
    func `two moments with two points between`(_ text: String, _ from: Int64, _ to: Int64) throws {
        let range = try #require(MomentRange(text))
        #expect(range.from.milliseconds(now: 2_000_000_000_000) == from && range.to.milliseconds(now: 2_000_000_000_000) == to)
    }

    @Test(arguments: [
        "", "..", "2026-01-01", "2026-01-01..", "..2026-01-01", "2026-01-01...2026-01-02", "2026-01-01-2026-01-02", "a..b", "now..now..now",
    ])
    func `anything else is no range`(_ text: String) {
        #expect(MomentRange(text) == nil)
    }
}

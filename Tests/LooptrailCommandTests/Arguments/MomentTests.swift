import Foundation
import Testing

@testable import looptrail

@Suite struct MomentTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("2026-01-15", 1_768_435_200_000), ("2024-02-29", 1_709_164_800_000), ("2000-02-29", 951_782_400_000),
        ("2026-01-15T08:30", 1_768_465_800_000), ("2026-01-15 08:30", 1_768_465_800_000), ("2026-01-15T08:30:05", 1_768_465_805_000),
        ("2026-01-15T08:30:05Z", 1_768_465_805_000), ("2026-01-15t08:30:05z", 1_768_465_805_000),
        ("2026-01-15T08:30:05.25Z", 1_768_465_805_250), ("2026-01-15T08:30:05.123456", 1_768_465_805_123),
        ("2026-01-15T08:30:05,5", 1_768_465_805_500), ("2026-01-15T08:30+01:00", 1_768_462_200_000),
        ("2026-01-15T08:30:00-0530", 1_768_485_600_000), ("2026-01-15T08:30+02", 1_768_458_600_000),
        ("1969-12-31T23:59:59.999", -1), ("0001-01-01", -62_135_596_800_000), ("0000-03-01", -62_162_035_200_000),
        ("9999-12-31T23:59:59", 253_402_300_799_000),
    ])
    func `a date or time is milliseconds since 1970 in UTC`(_ text: String, _ milliseconds: Int64) {
        #expect(Moment(text)?.milliseconds(now: 0) == milliseconds)
    }

    @Test(arguments: [("now", 0), ("now-7d", 604_800_000), ("now-90m", 5_400_000), ("now-0s", 0), ("now-2w", 1_209_600_000)])
    func `a duration ago is counted from now`(_ text: String, _ ago: Int64) {
        #expect(Moment(text) == .ago(ago))
        #expect(Moment(text)?.milliseconds(now: 1_000_000_000_000) == 1_000_000_000_000 - ago)
    }

    @Test(arguments: [
        "", "today", "2026", "2026-01", "2026-1-15", "2026-13-01", "2026-00-01", "2026-01-00", "2026-01-32", "2026-02-29", "1900-02-29",
        "2026-04-31", "2026-01-15T", "2026-01-15T8:30", "2026-01-15T24:00", "2026-01-15T08:60", "2026-01-15T08:30:60",
        "2026-01-15T08:30:05.", "2026-01-15T08", "2026-01-15T08:30X", "2026-01-15T08:30+", "2026-01-15T08:30+1", "2026-01-15T08:30+24:00",
        "2026-01-15Z", " 2026-01-15", "2026-01-15 ", "2026/01/15", "20260115", "+2026-01-15", "-7d", "now-", "now-7", "now-7y", "now+1d",
        "now -7d", "1768435200000", "2026-01-1５",
    ])
    func `anything else is no moment`(_ text: String) {
        #expect(Moment(text) == nil)
    }

    @Test func `every day of four centuries agrees with Foundation`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in stride(from: -36_525, to: 109_575, by: 1) {
            let parts = calendar.dateComponents([.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
            let (year, month, date) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let text = "\(year)-\(two(month))-\(two(date))"
            guard Moment(text) == .civil(Int64(day) * 86_400_000) else {
                Issue.record("\(text) is \(String(describing: Moment(text)))")
                return
            }
        }
    }

    @Test func `only what is written without an offset depends on the zone`() throws {
        let surroundings = Surroundings.process
        let zone = try surroundings.zone(named: "Asia/Kolkata")
        let noon = try #require(Moment("2026-01-15T12:00Z")?.milliseconds(now: 0, zone: zone))
        #expect(Moment("2026-01-15T12:00")?.milliseconds(now: 0, zone: zone) == noon - 19_800_000)
        #expect(Moment("2026-01-15T12:00+01:00")?.milliseconds(now: 0, zone: zone) == noon - 3_600_000)
        #expect(Moment("now-1h")?.milliseconds(now: noon, zone: zone) == noon - 3_600_000)
    }

    @Test func `a time too long ago is the earliest there is`() {
        #expect(Moment.ago(.max).milliseconds(now: -2) == .min)
    }
}

import Basics
import Foundation
import Funnels
import TestSupport
import Testing

@testable import Reports

/// Zones of the machine's own database. Without it their tests are skipped, but not in CI.
enum TestZones {
    static let folder = "/usr/share/zoneinfo"
    static var areExpected: Bool { isCI || FileManager.default.fileExists(atPath: "\(folder)/Europe/Berlin") }

    static func zone(_ name: String) throws -> TimeZoneRules {
        let data = try #require(FileManager.default.contents(atPath: "\(folder)/\(name)"))
        return try TimeZoneRules(name: name, file: Array(data))
    }
}

extension DateFormat {
    /// `2026-01-15 08:30`, in UTC.
    fileprivate static func minute(_ milliseconds: Int64) -> String { String(second(milliseconds).dropLast(3)) }
}

@Suite("Time zones", .enabled(if: TestZones.areExpected))
struct TimeZoneRulesTests {
    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe",
        "Pacific/Apia", "Pacific/Chatham", "Africa/Casablanca", "America/St_Johns", "Antarctica/Troll", "Asia/Tehran",
        "Europe/Dublin", "UTC", "Etc/GMT+12",
    ])
    func `offsets agree with Foundation from 1970 to 2100`(name: String) throws {
        let zone = try TestZones.zone(name)
        let foundation = try #require(TimeZone(identifier: name))
        // The step does not divide a day evenly, so that it meets all hours of the day.
        for seconds in stride(from: 0, to: 4_102_444_800, by: 1_356_789) {
            let expected = foundation.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            guard zone.offset(at: Int64(seconds) * 1000) == Int64(expected) * 1000 else {
                Issue.record("\(name) at \(seconds): \(zone.offset(at: Int64(seconds) * 1000)), not \(expected)")
                return
            }
        }
    }

    @Test(arguments: [
        // Clocks of Berlin in 2026: forward on 29 March at 01:00 UTC, back on 25 October at 01:00 UTC.
        ("2026-01-15 12:00", "2026-01-15 11:00"), ("2026-07-15 12:00", "2026-07-15 10:00"), ("2026-03-29 01:59", "2026-03-29 00:59"),
        ("2026-03-29 02:30", "2026-03-29 01:30"), ("2026-03-29 03:00", "2026-03-29 01:00"), ("2026-10-25 01:59", "2026-10-24 23:59"),
        ("2026-10-25 02:30", "2026-10-25 00:30"), ("2026-10-25 03:00", "2026-10-25 02:00"),
    ])
    func `a time that clocks show twice is the first of the two, and a skipped time is as much later`(civil: String, utc: String) throws {
        let zone = try TestZones.zone("Europe/Berlin")
        #expect(DateFormat.minute(zone.moment(ofCivil: try Self.milliseconds(civil))) == utc)
    }

    @Test func `the time that clocks show leads back to its moment, unless they show it twice`() throws {
        let zone = try TestZones.zone("Europe/Berlin")
        let start = try Self.milliseconds("2026-01-01 00:00")
        for hour in 0..<Int64(24 * 365) {
            let moment = start + hour * 3_600_000
            let back = zone.moment(ofCivil: zone.civil(at: moment))
            #expect(back == moment || DateFormat.minute(moment) == "2026-10-25 01:00")
        }
    }

    @Test func `dates are printed by the zone's clocks`() throws {
        let zone = try TestZones.zone("America/New_York")
        let moment = try Self.milliseconds("2026-07-01 03:30")
        #expect(DateFormat.second(moment, in: zone) == "2026-06-30 23:30:00")
        #expect(DateFormat.day(moment, in: zone) == "2026-06-30")
        #expect(DateFormat.exact(moment + 7, in: zone) == "2026-06-30 23:30:00.007")
    }

    /// The time grows with the square of a file's size. A push tries a file with few changes of the clocks and a rule for later years.
    @Test(arguments: ["Pacific/Norfolk"] + (isNight ? ["Europe/Berlin"] : []))
    func `every beginning and every damaged byte of a file is an error or a zone, never a trap`(name: String) throws {
        let bytes = Array(try #require(FileManager.default.contents(atPath: "\(TestZones.folder)/\(name)")))
        for count in 0..<bytes.count {
            #expect(throws: TimeZoneFileError.self) { try TimeZoneRules(name: "x", file: Array(bytes[..<count])) }
        }
        for place in bytes.indices {
            for value in [UInt8(0), 0xFF] {
                var damaged = bytes
                damaged[place] = value
                guard let zone = try? TimeZoneRules(name: "x", file: damaged) else { continue }
                for moment in [Int64.min, -1, 0, 1_767_225_600_000, .max] { #expect(zone.offset(at: moment).magnitude < 100_000_000) }
            }
        }
    }

    static func milliseconds(_ text: String) throws -> Int64 {
        let numbers = text.split { "-: ".contains($0) }.compactMap { Int64($0) }
        let date = CivilDate(year: try #require(numbers.first), month: numbers[1], day: numbers[2])
        return ((date.daysSince1970 * 24 + numbers[3]) * 60 + numbers[4]) * 60_000
    }
}

@Suite("Rules of later years")
struct YearlyTimeRulesTests {
    private func hours(_ rules: YearlyTimeRules, _ date: String) throws -> Double {
        Double(rules.offset(at: try TimeZoneRulesTests.milliseconds(date) / 1000)) / 3600
    }

    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", 1.0, 2.0), ("EST5EDT,M3.2.0,M11.1.0", -5, -4), ("UTC0", 0, 0), ("<+0330>-3:30", 3.5, 3.5),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", 11, 10), ("<-0330>3:30:00<-0230>,J60/-1,300/26", -3.5, -2.5),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", 0, 1), ("<+01>-1", 1, 1), ("ABC4ABD,0/0,J365/25", -3, -3),
    ])
    func `offsets in January and July`(text: String, january: Double, july: Double) throws {
        let rules = try #require(YearlyTimeRules(text.utf8))
        #expect(try hours(rules, "2040-01-15 12:00") == january)
        #expect(try hours(rules, "2040-07-15 12:00") == july)
    }

    @Test(arguments: [
        "", "CET", "C1", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0",
        "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,M3.5.0,M10.5.0/3x", "CET-1CEST,J0,J1", "CET-1CEST,366,1", "CET-25", "CET-1:60", "<CET-1",
        "CET1 ",
        "CET-1CEST,M3.5.0,M10.5.0,",
    ])
    func `anything else is refused`(text: String) {
        #expect(YearlyTimeRules(text.utf8) == nil)
    }

    /// The rule's clocks go forward on the given day at 02:00, which is 01:00 UTC.
    @Test(
        "a day of the year is told with or without the leap day",
        arguments: [
            ("J60", "2027-03-01"), ("J60", "2028-03-01"), ("J59", "2028-02-28"), ("59", "2027-03-01"), ("59", "2028-02-29"),
            ("J60", "2100-03-01"), ("59", "2100-03-01"), ("59", "2000-02-29"), ("M2.5.2", "2028-02-29"), ("M2.5.1", "2027-02-22"),
        ])
    func daysOfTheYear(rule: String, date: String) throws {
        let rules = try #require(YearlyTimeRules("CET-1CEST,\(rule),J300".utf8))
        let change = try TimeZoneRulesTests.milliseconds("\(date) 01:00") / 1000
        #expect([change - 1, change].map(rules.offset) == [3600, 7200])
    }

    @Test func `summer begins and ends at the second`() throws {
        let rules = try #require(YearlyTimeRules("CET-1CEST,M3.5.0,M10.5.0/3".utf8))
        let (begin, end) = (
            try TimeZoneRulesTests.milliseconds("2026-03-29 01:00") / 1000, try TimeZoneRulesTests.milliseconds("2026-10-25 01:00") / 1000
        )
        #expect([begin - 1, begin, end - 1, end].map(rules.offset) == [3600, 7200, 7200, 3600])
    }
}

@Suite("Calendar units", .enabled(if: TestZones.areExpected))
struct CalendarUnitTests {
    @Test(arguments: [
        (CalendarUnit.hour, "2026-01-14 22:00"), (.day, "2026-01-13 23:00"), (.week, "2026-01-11 23:00"), (.month, "2025-12-31 23:00"),
    ])
    func `a unit begins when the zone's clocks say so`(unit: CalendarUnit, start: String) throws {
        let zone = try TestZones.zone("Europe/Berlin")
        // A Wednesday, 23:30 in Berlin.
        let moment = try TimeZoneRulesTests.milliseconds("2026-01-14 22:30")
        #expect(DateFormat.minute(unit.start(of: moment, in: zone)) == start)
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-10-24 23:00", ["01:00", "02:00 +02:00", "02:00 +01:00", "03:00"]),
        ("Europe/Berlin", "2026-03-28 23:00", ["00:00", "01:00", "03:00", "04:00"]),
        ("America/New_York", "2026-11-01 04:00", ["00:00", "01:00 -04:00", "01:00 -05:00", "02:00"]),
        (
            "Antarctica/Casey", "2019-03-16 13:00",
            ["00:00 +11:00", "01:00 +11:00", "02:00 +11:00", "00:00 +08:00", "01:00 +08:00", "02:00 +08:00", "03:00"]
        ), ("UTC", "2026-10-25 00:00", ["00:00", "01:00"]),
    ])
    func `an hour that clocks show twice is called by its offset, too`(name: String, first: String, labels: [String]) throws {
        let zone = try name == "UTC" ? TimeZoneRules.utc : TestZones.zone(name)
        let start = try TimeZoneRulesTests.milliseconds(first)
        let found = labels.indices.map { CalendarUnit.hour.label(of: start + Int64($0) * 3_600_000, in: zone).dropFirst(11) }
        #expect(found.map(String.init) == labels)
    }

    /// By night twenty years of days, weeks and months, but two years of hours. On a push the years in which Cairo changed its clocks four
    /// times and Apia left out a day, and the half-year in which Apia did.
    private static func span(of unit: CalendarUnit) throws -> (since: Int64, until: Int64) {
        let (since, until) =
            switch (isNight, unit) {
            case (true, .hour): ("2005-06-07 08:09", "2007-07-01 00:00")
            case (true, _): ("2005-06-07 08:09", "2026-01-01 00:00")
            case (false, .hour): ("2011-08-07 08:09", "2012-01-15 00:00")
            case (false, _): ("2010-06-07 08:09", "2015-01-01 00:00")
            }
        return (try TimeZoneRulesTests.milliseconds(since), try TimeZoneRulesTests.milliseconds(until))
    }

    @Test(
        arguments: CalendarUnit.allCases,
        ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "Australia/Lord_Howe", "Africa/Cairo"])
    func `units follow each other without a gap through all changes of their clocks`(unit: CalendarUnit, name: String) throws {
        let zone = try TestZones.zone(name)
        let (since, end) = try Self.span(of: unit)
        var start = unit.start(of: since, in: zone)
        while start < end {
            let next = unit.next(after: start, in: zone)
            guard next > start, unit.start(of: start, in: zone) == start, unit.start(of: next - 1, in: zone) == start,
                unit.start(of: next, in: zone) == next
            else {
                Issue.record("\(name) \(unit): \(DateFormat.minute(start)) to \(DateFormat.minute(next)) UTC")
                return
            }
            start = next
        }
    }

    @Test func `a day of changing clocks has 23 or 25 hours`() throws {
        let zone = try TestZones.zone("Europe/Berlin")
        for (date, hours) in [("2026-03-29 10:00", 23), ("2026-10-25 10:00", 25), ("2026-05-05 10:00", 24)] {
            let start = CalendarUnit.day.start(of: try TimeZoneRulesTests.milliseconds(date), in: zone)
            #expect(CalendarUnit.day.next(after: start, in: zone) - start == Int64(hours) * 3_600_000)
        }
    }

    @Test(
        arguments: CalendarUnit.allCases,
        ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia", "Australia/Lord_Howe", "Africa/Cairo"])
    func `the stretches of a statement are the units one after the other`(unit: CalendarUnit, name: String) throws {
        let zone = try TestZones.zone(name)
        let (since, until) = try Self.span(of: unit)
        let periods = unit.periodsForSQL(in: zone, since: since, until: until)
        var start = unit.start(of: since, in: zone)
        for (place, stretch) in periods.stretches.enumerated() {
            let end = place + 1 < periods.stretches.count ? periods.stretches[place + 1].start : periods.end
            for wanted in Swift.stride(from: stretch.start, to: end, by: Int(stretch.length)) {
                guard start == wanted else {
                    Issue.record("\(name) \(unit): \(DateFormat.minute(start)), not \(DateFormat.minute(wanted)) UTC")
                    return
                }
                start = unit.next(after: start, in: zone)
            }
        }
        #expect(start == periods.end && start >= until)
    }

    @Test func `a statement without a range knows 1970 until 2070`() throws {
        let zone = try TestZones.zone("Europe/Berlin")
        let periods = CalendarUnit.month.periodsForSQL(in: zone, since: nil, until: nil)
        #expect(periods.stretches.first?.start == -3_600_000)
        #expect(DateFormat.minute(periods.end) == "2070-01-31 23:00")
        // An end before 1970 is kept: the periods end with its day.
        let early = CalendarUnit.day.periodsForSQL(in: .utc, since: nil, until: -5)
        #expect(early.stretches.first?.start == -86_400_000 && early.end == 0)
    }
}

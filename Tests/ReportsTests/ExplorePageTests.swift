import Basics
import Testing

@testable import Reports

@Suite("The days of the explore page", .enabled(if: TestZones.areExpected))
struct ExplorePageTests {
    @Test(
        "each date has its start, also one that the zone passed over",
        arguments: [
            ("Pacific/Apia", [2011, 12, 30]), ("Pacific/Kwajalein", [1993, 8, 21]), ("Asia/Manila", [1844, 12, 31]),
            ("Europe/Berlin", [2026, 3, 29]),
        ] as [(String, [Int64])])
    func byDate(name: String, date: [Int64]) throws {
        let zone = try TestZones.zone(name)
        let middle = CivilDate(year: date[0], month: date[1], day: date[2]).daysSince1970
        var starts = [CalendarUnit.day.start(of: (middle - 9) * 86_400_000, in: zone)]
        while starts.count < 20 { starts.append(CalendarUnit.day.next(after: starts[starts.count - 1], in: zone)) }
        let dates = starts.map { CivilDate.floor(zone.civil(at: $0), 86_400_000) }
        let all = ExplorePage.byDate(starts, dates)
        #expect(all == (dates[0]...dates[19]).map { zone.moment(ofCivil: $0 * 86_400_000) } && all.count >= 20)
    }
}

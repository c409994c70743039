import Foundation
import Testing

@testable import Reports
@testable import looptrail

@Suite struct ZoneTests {
    private func message(_ name: String, _ variables: [String: String] = [:]) -> String? {
        do throws(UsageError) {
            _ = try Surroundings.made(variables).zone(named: name)
            return nil
        } catch { return error.message }
    }

    @Test func `UTC needs no file`() throws {
        #expect(try Surroundings.made(["TZDIR": "/nowhere"]).zone(named: "UTC") == .utc)
    }

    @Test func `a misspelt zone is told with the nearest one`() {
        #expect(message("Europe/Berln") == "--tz: there is no time zone `Europe/Berln`: did you mean `Europe/Berlin`?")
        #expect(message("berlin") == "--tz: there is no time zone `berlin`: did you mean `Europe/Berlin`?")
        #expect(message("Utterly/Unlike_Anything") == "--tz: there is no time zone `Utterly/Unlike_Anything`")
    }

    @Test func `TZDIR comes first, and a file that is no zone is told with its place`() throws {
        let folder = try TemporaryFolder()
        try folder.file("Mars", "no zone")
        #expect(
            message("Mars", ["TZDIR": folder.path])
                == "--tz: `\(folder.path("Mars"))` is not a time zone file: at byte 0: no time zone begins here"
        )
    }

    @Test(arguments: ["", "../../etc/passwd", "/etc/localtime", "Europe//Berlin", "Europe/", "a b", "x\u{1B}[2J", "zone.tab", "..", "é"])
    func `a name that could lead elsewhere is refused before anything is opened`(_ name: String) {
        #expect(throws: ValueProblem.self) { try ValueKind.zone.parse(name) }
    }

    @Test(arguments: ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+12", "EST5EDT"])
    func `names of the database are accepted`(_ name: String) throws {
        #expect(try ValueKind.zone.parse(name) == name)
        #expect(throws: Never.self) { try Surroundings.process.zone(named: name) }
    }

    @Test func `dates without an offset and dates that are shown follow --tz`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let events = try Child.looptrail(["events", path, "--tz", "America/New_York"])
        #expect(events.output.contains("first seen (America/New_York)") && events.output.contains("2026-01-01 07:00:01"))
        for (since, zone, entered) in [("2026-01-01T07:00:02", "America/New_York", 3), ("2026-01-01T07:00:02", "UTC", 4)] {
            let result = try Child.looptrail(
                ["funnel", path, "--steps", "viewed > added", "--since", since, "--tz", zone, "--format", "json"])
            #expect(try FunnelJSON(result.output).steps[0].count == entered)
        }
        let unknown = try Child.looptrail(["events", path, "--tz", "Atlantis"])
        #expect(unknown.status == 2 && unknown.output == "")
    }
}

import Foundation
import Testing

/// `looptrail report` as a process of its own.
@Suite struct ReportCallTests {
    private static let funnels = """
        [{"name":"Way to pay","steps":"viewed > added > paid","window":"1h"}, {"name":"Added","steps":"viewed > added"}]
        """

    private func files() throws -> (folder: TemporaryFolder, events: String, funnels: String) {
        let folder = try TemporaryFolder()
        return (folder, try folder.file("e.ndjson", Events.shop), try folder.file("funnels.json", Self.funnels))
    }

    @Test func `a page with every funnel and the events, the same each time`() throws {
        let (folder, events, funnels) = try files()
        let words = ["report", events, "--funnels", funnels, "--title", "Shop <1>"]
        let result = try Child.looptrail(words + ["-o", folder.path("report.html")])
        #expect(result.status == 0 && result.output == "" && result.complaints == "")
        let page = try #require(folder.text("report.html"))
        for text in ["Way to pay", "Added", "Shop &lt;1&gt;", "<svg", "Content-Security-Policy", "Events"] {
            #expect(page.contains(text), "\(text)")
        }
        try Child.looptrail(words + ["-o", folder.path("again.html")])
        #expect(folder.text("again.html") == page)
    }

    @Test(arguments: ["table", "json", "csv", "md", "html"])
    func `every format has every funnel`(_ format: String) throws {
        let files = try files()
        let (events, funnels) = (files.events, files.funnels)
        defer { withExtendedLifetime(files.folder) {} }
        let result = try Child.looptrail(["report", events, "--funnels", funnels, "--format", format, "--every", "day"])
        #expect(result.status == 0)
        #expect(result.output.contains("Way to pay") && result.output.contains("Added"))
    }

    @Test func `JSON holds what the commands print by themselves`() throws {
        let files = try files()
        let (events, funnels) = (files.events, files.funnels)
        defer { withExtendedLifetime(files.folder) {} }
        let output = try Child.looptrail(["report", events, "--funnels", funnels, "--format", "json", "--every", "week", "--no-why"]).output
        let object = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        #expect(object["title"] as? String == "funnels")
        let reports = try #require(object["reports"] as? [[String: Any]])
        #expect(reports.map { $0["kind"] as? String } == ["funnel", "trend", "funnel", "trend", "events"])
        let alone = try Child.looptrail(["funnel", events, "--steps", "viewed > added > paid", "--window", "1h", "--format", "json"]).output
        let funnel = try JSONSerialization.jsonObject(with: Data(alone.utf8)) as? NSDictionary
        #expect(reports[0]["result"] as? NSDictionary == funnel)
    }

    @Test func `two times are drawn over each other, and a range without any event is a warning`() throws {
        let files = try files()
        defer { withExtendedLifetime(files.folder) {} }
        let words = ["report", files.events, "--funnels", files.funnels, "--every", "day", "--include-open"]
        let compared = try Child.looptrail(words + ["--since", "2026-01-01", "--compare", "2025-12-01..2025-12-08", "--format", "html"])
        #expect(compared.status == 0 && compared.output.contains(">Other time<"), "\(compared.errors)")
        #expect(compared.errors.contains("warning: no event lies in the range of starts: the data is from "))
        #expect(try !Child.looptrail(words).errors.contains("no event lies in the range"))
    }

    @Test func `one funnel that flags describe is enough, and none is a usage error`() throws {
        let files = try files()
        let events = files.events
        defer { withExtendedLifetime(files.folder) {} }
        let one = try Child.looptrail(["report", events, "--steps", "viewed > added", "--format", "md"])
        #expect(one.status == 0 && one.output.hasPrefix("# Funnels\n"))
        let none = try Child.looptrail(["report", events])
        #expect(none.status == 2 && none.errors.contains("--funnels FILE"))
    }

    @Test func `a name that does not occur is a warning`() throws {
        let files = try files()
        let events = files.events
        defer { withExtendedLifetime(files.folder) {} }
        let result = try Child.looptrail(["report", events, "--steps", "veiwed > added", "--format", "json"])
        #expect(result.status == 0 && result.errors.contains("did you mean `viewed`?"))
    }

    @Test func `names and properties of --start and --return that do not occur are warnings`() throws {
        let files = try files()
        defer { withExtendedLifetime(files.folder) {} }
        let asked = ["--start", "veiwed", "--return", "added[prise>1]"]
        let result = try Child.looptrail(["report", files.events, "--steps", "viewed > added", "--format", "json"] + asked)
        #expect(result.status == 0 && result.errors.contains("no event is named `veiwed`: did you mean `viewed`?"), "\(result.errors)")
        #expect(result.errors.contains("has the property `props.prise`"), "\(result.errors)")
    }
}

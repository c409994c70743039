import Foundation
import Testing

@testable import Funnels
@testable import Reports

@Suite("JSON Lines")
struct JSONLinesReportTests {
    private func objects(_ document: ReportDocument) throws -> [[String: Any]] {
        try JSONLinesReport().text(of: document).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func `each row of the CSV is an object with the types of JSON`() throws {
        let events = EventCatalogue(
            entries: [.init(name: "a\n\u{1B}", count: 1000, users: 2, firstMilliseconds: 0, lastMilliseconds: 1500)], metaLines: 0,
            timingLines: 0, input: InputQuality())
        #expect(
            JSONLinesReport().text(of: events) == """
                {"name":"a\\u000a\\u001b","count":1000,"users":2,"first_seen":"1970-01-01T00:00:00.000Z",\
                "last_seen":"1970-01-01T00:00:01.500Z"}

                """)
    }

    @Test func `every result has the rows and keys of its CSV, and no key twice`() throws {
        for result in try SampleResults.everything(named: "x") {
            let records = result.section.records
            let alone = try objects(ReportDocument(result))
            #expect(alone.count == records.rows.count)
            for object in alone { #expect(Set(object.keys) == Set(records.columns.map(\.key)), "\(result.section.kind)") }
            for line in JSONLinesReport().text(of: ReportDocument(title: "t", results: [result])).split(separator: "\n") {
                #expect(line.ranges(of: "\"kind\":").count == 1 && line.ranges(of: "\"report\":").count == 1, "\(line)")
            }
        }
    }

    @Test func `a missing number is null`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"))
        let rows = try objects(ReportDocument(SampleResults.funnel(definition, counts: [0, 0])))
        #expect(rows.count == 2 && rows[0]["of_first"] is NSNull && rows[0]["optional"] as? Bool == false && rows[0]["count"] as? Int == 0)
    }
}

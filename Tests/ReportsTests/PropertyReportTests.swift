import Foundation
import Testing

@testable import Funnels
@testable import Reports

@Suite("Properties in reports")
struct PropertyReportTests {
    static func catalogue(name: String = "paid", path: [String] = ["plan"], text: String = "pro", isExact: Bool = true) -> PropertyCatalogue
    {
        PropertyCatalogue(
            name: name, events: 4,
            keys: [
                .init(
                    path: path, present: 3, kinds: [.string: 2, .double: 1], distinct: 2, isDistinctExact: isExact, minimum: -0.5,
                    maximum: 1200,
                    top: [.init(text: text, kind: .string, count: 2), .init(text: "-0.5", kind: .double, count: 1)], areTopExact: isExact)
            ], hasMoreKeys: false, range: .all, input: InputQuality(), unseenName: nil)
    }

    @Test func `JSON has exactly the fixed keys`() {
        #expect(
            JSONReport().text(of: Self.catalogue()) == """
                {"schema":1,"name":"paid","events":4,"since_ms":null,"until_ms":null,
                 "keys":[{"path":"plan","types":{"string":2,"int":0,"double":1,"bool":0,"null":0,"object":0,"array":0},"present":3,\
                "distinct":2,"distinct_exact":true,"min":-0.5,"max":1200,\
                "top":[{"value":"pro","type":"string","count":2},{"value":"-0.5","type":"double","count":1}],"top_exact":true}],"more_keys":false,
                 "input":{"files":0,"bytes":0,"events":0,"bad_lines":0,"duplicates":0,"without_key":0,"damaged_members":0,"sequence_gaps":0}}

                """)
    }

    @Test func `a table for people`() {
        #expect(
            TableReport().text(of: Self.catalogue())
                == """
                paid   4 events
                property  share  types                       distinct  range         top values
                plan      75.0%  string 66.7%, double 33.3%         2  −0.5 – 1,200  pro (2), -0.5 (1)
                0 events in 0 files (0 B): 0 bad lines, 0 duplicates, 0 without user, 0 damaged

                """)
    }

    @Test func `what is estimated says so`() {
        let text = TableReport(TextStyle(isASCII: true)).text(of: Self.catalogue(isExact: false))
        #expect(text.contains("~2") && text.contains("pro (>=2)") && text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("no line is wider than the terminal", arguments: [40, 60, 80, 140])
    func width(columns: Int) {
        let long = Self.catalogue(path: [String(repeating: "long", count: 30)], text: String(repeating: "値", count: 200))
        let text = TableReport(TextStyle(width: columns)).text(of: long)
        for line in text.split(separator: "\n") { #expect(TerminalText.width(of: String(line)) <= columns, "\(line)") }
    }

    @Test(
        "hostile names and values act on no terminal and come back from JSON",
        arguments: ["\u{1B}[2J", "\u{202E}evil", "line\nfeed", "\"quote\\", "</script>", String(repeating: "x", count: 200), "=1+1|pipe"])
    func hostile(text: String) throws {
        let catalogue = Self.catalogue(name: text, path: [text, text], text: text)
        for format in ReportFormats.all() {
            #expect(
                !format.text(of: catalogue).unicodeScalars.contains { $0 != "\n" && TerminalText.acts($0) && $0 != "\r" }, "\(format.name)")
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(JSONReport().text(of: catalogue).utf8)) as? [String: Any])
        let keys = try #require(object["keys"] as? [[String: Any]])
        let top = try #require(keys[0]["top"] as? [[String: Any]])
        #expect(object["name"] as? String == text && top[0]["value"] as? String == text)
    }

    @Test func `an event without properties, and none at all`() {
        let input = InputQuality()
        for (events, line) in [(3, "no properties\n"), (0, "paid   0 events\n")] {
            let empty = PropertyCatalogue(
                name: "paid", events: events, keys: [], hasMoreKeys: false, range: .all, input: input, unseenName: nil)
            #expect(TableReport().text(of: empty).contains(line))
            #expect(JSONReport().text(of: empty).contains(#""keys":[]"#))
        }
    }
}

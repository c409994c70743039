import Foundation
import Testing

@testable import Funnels
@testable import Reports

@Suite("Properties in reports")
struct PropertyReportTests {
    static func catalogue(
        name: String = "paid", path: [String] = ["plan"], text: String = "pro", isExact: Bool = true, hasMoreKeys: Bool = false,
        range: TimeRange = .all, unseen: UnseenName? = nil, maximum: Double = 1200
    ) -> PropertyCatalogue {
        PropertyCatalogue(
            name: name, events: 4,
            keys: [
                .init(
                    path: path, present: 3, kinds: [.string: 2, .double: 1], distinct: 2, isDistinctExact: isExact, minimum: -0.5,
                    maximum: maximum,
                    top: [.init(text: text, kind: .string, count: 2), .init(text: "-0.5", kind: .double, count: 1)], areTopExact: isExact)
            ], hasMoreKeys: hasMoreKeys, range: range, input: InputQuality(), unseenName: unseen)
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

    @Test func `a terminal without room for the frequent values beside the rest has them below`() {
        #expect(
            TableReport(TextStyle(width: 70)).text(of: Self.catalogue(text: "a rather long plan")).hasPrefix(
                """
                paid   4 events
                property  share  types                       distinct  range
                plan      75.0%  string 66.7%, double 33.3%         2  −0.5 – 1,200
                    a rather long plan (2), -0.5 (1)

                """))
    }

    @Test func `a bound of very many digits is written with its power of ten`() {
        #expect(TableReport().text(of: Self.catalogue(maximum: 9e18)).contains(" −0.5 – 9e+18 "))
        #expect(TableReport().text(of: Self.catalogue(maximum: 999_999_999_999)).contains(" −0.5 – 999,999,999,999 "))
    }

    @Test func `what is estimated says so`() {
        let text = TableReport(TextStyle(isASCII: true)).text(of: Self.catalogue(isExact: false))
        #expect(text.contains("~2") && text.contains("pro (>=2)") && text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `what is left out is said, in the table and on the page`() throws {
        let catalogue = Self.catalogue(
            isExact: false, hasMoreKeys: true, range: try TimeRange(since: 1_767_225_600_000, until: nil),
            unseen: UnseenName(name: "paid", nearest: nil))
        let lines = TableReport().text(of: catalogue).split(separator: "\n")
        #expect(lines[0] == "paid   4 events, events since 2026-01-01 00:00:00")
        #expect(lines.contains("Only the first 1,000 properties are told apart; there are more."))
        #expect(
            catalogue.section.remarks == [
                "No event has this name.", "Only the first 1,000 properties are told apart; there are more.",
                "Where a property has very many values, their number is an estimate, and each count a lower bound.",
            ])
        #expect(HTMLReport().text(of: catalogue).contains("about 2") && MarkdownReport().text(of: catalogue).contains("| about 2 |"))
        #expect(JSONReport().text(of: catalogue).contains(#""more_keys":true"#))
        #expect(Self.catalogue().section.remarks.isEmpty)
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
        for format in ReportFormats.texts() {
            #expect(
                !format.text(of: catalogue).unicodeScalars.contains { $0 != "\n" && TerminalText.acts($0) && $0 != "\r" }, "\(format.name)")
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(JSONReport().text(of: catalogue).utf8)) as? [String: Any])
        let keys = try #require(object["keys"] as? [[String: Any]])
        let top = try #require(keys[0]["top"] as? [[String: Any]])
        #expect(object["name"] as? String == text && top[0]["value"] as? String == text)
    }

    @Test func `an event without properties, and an event that never occurred, say so`() {
        let input = InputQuality()
        for (events, line) in [(3, "no properties\n"), (0, "paid   0 events\n")] {
            let empty = PropertyCatalogue(
                name: "paid", events: events, keys: [], hasMoreKeys: false, range: .all, input: input, unseenName: nil)
            #expect(TableReport().text(of: empty).contains(line))
            #expect(JSONReport().text(of: empty).contains(#""keys":[]"#))
        }
    }
}

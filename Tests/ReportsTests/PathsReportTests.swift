import Foundation
import Testing

@testable import Funnels
@testable import Reports

@Suite("Paths in reports")
struct PathsReportTests {
    static func paths(
        name: String = "paid", windowOpen: Int = 0,
        from definition: PathsDefinition = PathsDefinition(from: "cart", windowMilliseconds: 3_600_000, depth: 2)
    ) -> EventPaths {
        func node(_ place: EventPaths.Place, _ count: Int, _ times: [Int64], _ next: [EventPaths.Node] = []) -> EventPaths.Node {
            var times = times
            return EventPaths.Node(
                place: place, count: count, ofStarts: Double(count) / 4, ofPrevious: 0.5, fromPrevious: Distribution(sorting: &times),
                next: next)
        }
        return EventPaths(
            definition: definition, starts: 4,
            next: [
                node(.event(name: name), 2, [1000, 1000], [node(.event(name: "shipped"), 1, [60_000]), node(.end, 1, [])]),
                node(.other(names: 3), 1, [5]), node(.end, 1, []),
            ], windowOpen: windowOpen, input: InputQuality(), unseenName: nil)
    }

    @Test func `JSON has exactly the fixed keys`() {
        #expect(
            JSONReport().text(of: Self.paths(windowOpen: 1)) == """
                {"schema":1,
                 "definition":{"from":"cart","window_ms":3600000,"depth":2,"by":"user","count":"users","merge_repeats":false,"top":5,\
                "min_share":0,"since_ms":null,"until_ms":null},
                 "starts":4,"window_open":1,
                 "next":[{"name":"paid","kind":"event","count":2,"of_starts":0.5,"of_previous":0.5,\
                "from_previous_ms":{"n":2,"mean":1000,"p50":1000,"p90":1000,"p99":1000},"next":[\
                {"name":"shipped","kind":"event","count":1,"of_starts":0.25,"of_previous":0.5,\
                "from_previous_ms":{"n":1,"mean":60000,"p50":60000,"p90":60000,"p99":60000},"next":[]},
                   {"name":"(end)","kind":"end","count":1,"of_starts":0.25,"of_previous":0.5,"from_previous_ms":null,"next":[]}]},
                   {"name":"(other)","kind":"other","count":1,"of_starts":0.25,"of_previous":0.5,\
                "from_previous_ms":{"n":1,"mean":5,"p50":5,"p90":5,"p99":5},"next":[]},
                   {"name":"(end)","kind":"end","count":1,"of_starts":0.25,"of_previous":0.5,"from_previous_ms":null,"next":[]}],
                 "input":{"files":0,"bytes":0,"events":0,"bad_lines":0,"duplicates":0,"without_key":0,"damaged_members":0,"sequence_gaps":0}}

                """)
    }

    @Test func `a tree for people`() {
        #expect(
            TableReport(TextStyle(width: 100)).text(of: Self.paths(windowOpen: 2)) == """
                After cart   4 users, from the first of each, within 1h
                paid               2   50.0%  █████████████▌                50.0% of those before   p50 1s  p90 1s
                  shipped          1   25.0%  ██████▊                       50.0% of those before   p50 1m  p90 1m
                  (end)            1   25.0%  ██████▊                       50.0% of those before
                (other: 3 events)  1   25.0%  ██████▊                       50.0% of those before   p50 5ms  p90 5ms
                (end)              1   25.0%  ██████▊                       50.0% of those before
                2 of those that ended still had time when the data ended
                0 events in 0 files (0 B): 0 bad lines, 0 duplicates, 0 without user, 0 damaged

                """)
    }

    @Test("no line is wider than the terminal, nor ends in blanks", arguments: [30, 40, 60, 80, 140])
    func width(columns: Int) {
        for name in ["paid", String(repeating: "long name ", count: 20), String(repeating: "購", count: 70)] {
            for isASCII in [false, true] {
                let text = TableReport(TextStyle(width: columns, isASCII: isASCII)).text(of: Self.paths(name: name))
                for line in text.split(separator: "\n").dropLast(2) {
                    #expect(TerminalText.width(of: String(line)) <= max(columns, 22) && line.last != " ", "\(line)")
                }
            }
        }
    }

    @Test(
        "hostile names act on no terminal and come back from JSON",
        arguments: ["\u{1B}[2J", "\u{202E}evil", "line\nfeed", "\"quote\\", "</script>", "(end)", "=1+1|pipe"])
    func hostile(name: String) throws {
        let paths = Self.paths(name: name)
        for format in ReportFormats.texts() {
            #expect(!format.text(of: paths).unicodeScalars.contains { $0 != "\n" && TerminalText.acts($0) && $0 != "\r" }, "\(format.name)")
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(JSONReport().text(of: paths).utf8)) as? [String: Any])
        let first = try #require((object["next"] as? [[String: Any]])?.first)
        #expect(first["name"] as? String == name && first["kind"] as? String == "event")
    }

    @Test func `unusual settings are named`() throws {
        let range = try TimeRange(since: 1_767_225_600_000, until: 1_767_312_000_000)
        let paths = Self.paths(
            windowOpen: 1,
            from: PathsDefinition(
                from: "cart", key: .property(["cart"]), count: .attempts, mergesRepeats: true, range: range, identify: false))
        #expect(
            TableReport().text(of: paths).hasPrefix(
                "After cart   4 starts by props.cart, from every one, within 1d, repeats merged, "
                    + "starts 2026-01-01 00:00:00 – 2026-01-02 00:00:00\n"))
        let facts = paths.section.definition
        #expect(facts.first { $0.label == "Starts" }?.shown(in: .utc) == "every event of the name; paths may overlap")
        #expect(facts.first { $0.label == "Repeats" }?.shown(in: .utc) == "an event of the same name as the one before it is passed over")
        #expect(facts.first { $0.label == "Identified users" } != nil)
        #expect(facts.first { $0.label == "Starts before" }?.shown(in: .utc) == "2026-01-02 00:00:00 UTC")
        #expect(paths.section.remarks.last == "1 of those that ended still had time when the data ended.")
    }

    @Test func `paths without a start say so`() {
        let none = EventPaths(
            definition: PathsDefinition(from: "cart", count: .attempts), starts: 0, next: [], windowOpen: 0, input: InputQuality(),
            unseenName: nil)
        let text = TableReport().text(of: none)
        #expect(text.contains("After cart   0 starts by user, from every one, within 1d\nno paths: nothing to start from\n"))
        #expect(JSONReport().text(of: none).contains(#""next":[]"#))
    }

    @Test func `backwards, paths begin where others end`() throws {
        let definition = PathsDefinition(from: "cart", direction: .before, windowMilliseconds: 3_600_000, depth: 2)
        let paths = Self.paths(windowOpen: 2, from: definition)
        #expect(
            TableReport(TextStyle(width: 100)).text(of: paths) == """
                Before cart   4 users, from the first of each, within 1h
                paid               2   50.0%  █████████████▌                50.0% of those before   p50 1s  p90 1s
                  shipped          1   25.0%  ██████▊                       50.0% of those before   p50 1m  p90 1m
                  (start)          1   25.0%  ██████▊                       50.0% of those before
                (other: 3 events)  1   25.0%  ██████▊                       50.0% of those before   p50 5ms  p90 5ms
                (start)            1   25.0%  ██████▊                       50.0% of those before
                2 of those that began there had a window from before the data
                0 events in 0 files (0 B): 0 bad lines, 0 duplicates, 0 without user, 0 damaged

                """)
        let text = JSONReport().text(of: paths)
        #expect(text.contains(#""definition":{"to":"cart","window_ms":3600000"#) && !text.contains(#""next""#))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let previous = try #require(object["previous"] as? [[String: Any]])
        #expect(previous.map { $0["name"] as? String } == ["paid", "(other)", "(start)"])
        #expect(previous.map { $0["kind"] as? String } == ["event", "other", "start"])
        let deeper = previous[0]["previous"] as? [[String: Any]]
        #expect(deeper?.map { $0["kind"] as? String } == ["event", "start"])
        let section = paths.section
        #expect(section.highlights.first { $0.label == "Began there" }?.value == .share(0.25))
        #expect(
            section.definition.first { $0.label == "To" }?.value == .data("cart") && !section.definition.contains { $0.label == "From" })
        #expect(section.figures.first?.title == "What came before")
        #expect(MarkdownReport().text(of: paths).contains("events of one millisecond by name, the start behind them"))
    }
}

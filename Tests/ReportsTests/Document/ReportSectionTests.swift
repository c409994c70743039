import Testing
import TrackingEvents

@testable import EventFiles
@testable import Funnels
@testable import Reports

/// The sections of which pages, Markdown and spreadsheets are made, for results out of the ordinary.
@Suite("Sections")
struct ReportSectionTests {
    private func fact(_ label: String, in facts: [ReportFact]) -> String? { facts.first { $0.label == label }?.shown(in: .utc) }

    private func bars(_ figure: ReportFigure?) -> BarChart? {
        guard let chart = figure?.chart as? BarChart else { return nil }
        return chart
    }

    @Test func `a sound check says so, and alarms nobody`() {
        var check = CheckResult()
        check.files = [CheckResult.File(read: FileReadResult(path: "events/a.ndjson.gz"))]
        let sound = check.section
        #expect(fact("Verdict", in: sound.highlights) == "sound" && fact("Largest clock step", in: sound.quality) == "–")
        #expect((sound.highlights + sound.quality).allSatisfy { !$0.isAlarm })
        #expect(!MarkdownReport().text(of: check).contains("not sound"))
    }

    @Test func `each kind of fault that a check found has a row with its count, and no other kind has one`() throws {
        var read = FileReadResult(path: "a.ndjson.gz")
        read.framing = .blocked
        read.damage = [
            Damage(kind: .member, byteOffset: 0, bytes: 1, message: "m"),
            Damage(kind: .foreignBytes, byteOffset: 5, bytes: 2, message: "f"),
            Damage(kind: .missingEnd, byteOffset: 9, bytes: 0, message: "e"),
        ]
        (read.damagedMembers, read.lines) = (1, 9)
        var file = CheckResult.File(read: read)
        (file.badLines, file.duplicates) = (2, 3)
        var check = CheckResult()
        check.files = [file]
        check.unexplainedSequences = 4
        let faults = try #require(check.section.figures.first { $0.title == "Faults" })
        let told = faults.table.rows.map { row in row.map { $0.shown() } }
        for row in [
            ["Damaged members", "1"], ["Runs of bytes outside of members", "1"], ["Files without their end", "1"], ["Bad lines", "2"],
            ["Duplicates", "3"], ["Missing by sequence and not explained", "4"],
        ] { #expect(told.contains(row), "\(told)") }
        #expect(told.count == 6)
        #expect(
            TableReport().text(of: check).contains("1 run of bytes outside of members, 1 file without its end, 2 bad lines, 3 duplicates"))
        check.files[0].badLines = 0
        #expect(check.section.figures.first { $0.title == "Faults" }?.table.rows.count == 5)
    }

    @Test func `a gap before a file that the report does not list has no file`() throws {
        var check = CheckResult()
        check.firstGaps = [CheckResult.Gap(session: "s", firstMissing: 1, lastMissing: 2, isExplained: true, file: 7)]
        let gaps = try #require(check.section.figures.first { $0.title == "Sequence numbers that are missing" })
        #expect(gaps.table.rows == [[.data("s"), .count(1), .count(2), .flag(true), .none]])
    }

    @Test func `what is wrong with the input stands out in Markdown, and only that`() throws {
        var input = InputQuality()
        (input.badLines, input.events) = (3, 10)
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"))
        let text = MarkdownReport().text(of: SampleResults.funnel(definition, counts: [4, 2], input: input))
        #expect(text.contains("**3**") && !text.contains("**0**") && !text.contains("**10**"))
    }

    @Test(arguments: [(15, "How often"), (16, "How often: the 15 most frequent")])
    func `a picture of many events has the most frequent ones, the table all`(names: Int, title: String) throws {
        let entries = (0..<names).map {
            EventCatalogue.Entry(name: "e\($0)", count: 100 - $0, users: 1, firstMilliseconds: 0, lastMilliseconds: 0)
        }
        let figure = try #require(
            EventCatalogue(entries: entries, metaLines: 0, timingLines: 0, input: InputQuality()).section.figures.first)
        let chart = try #require(bars(figure))
        #expect(figure.title == title && chart.rows.count == 15 && chart.rows.last?.name == "e14" && figure.table.rows.count == names)
    }

    @Test func `paths without a start have neither picture nor share`() {
        let section = EventPaths(
            definition: PathsDefinition(from: "cart"), starts: 0, next: [], windowOpen: 0, input: InputQuality(), unseenName: nil
        ).section
        #expect(section.remarks == ["There is nothing to start from."])
        #expect(fact("Stopped there", in: section.highlights) == "–" && section.figures.allSatisfy { $0.chart == nil })
    }

    @Test func `timings that were left out or not understood are remarked upon; the only loop is named once`() {
        let section = TimingReportTests.timings(system: "shop", leftOut: 2, unreadable: 1).section
        #expect(section.remarks == ["Left out: 2 more events, which took less time.", "1 timing line could not be understood."])
        #expect(fact("System", in: section.definition) == "shop")
        #expect(TimingReportTests.timings().section.remarks.isEmpty && TimingReportTests.timings().section.definition.isEmpty)
    }

    @Test func `timings of several loops have a column for them`() throws {
        func entry(_ system: String?) -> TimingCatalogue.Entry {
            .init(system: system, event: "open", phase: "total", count: 2, total: 30, minimum: 10, maximum: 20, p50: 10, p90: 20, p99: 20)
        }
        let catalogue = TimingCatalogue(entries: [entry("shop"), entry(nil)], lines: 2, input: InputQuality())
        let section = catalogue.section
        #expect(fact("System", in: section.definition) == nil)
        #expect(HTMLReport().text(of: catalogue).contains(">System</th>") && MarkdownReport().text(of: catalogue).contains("| System |"))
        let chart = try #require(bars(section.figures.first))
        #expect(chart.rows.map(\.name) == ["shop: open", "open"])
        #expect(TableReport().text(of: catalogue).hasPrefix("system  event  phase"))
    }

    @Test func `timings that are left out count where all timing lines do, and have a system, too`() {
        func entry(_ system: String?, _ event: String) -> TimingCatalogue.Entry {
            .init(system: system, event: event, phase: "total", count: 2, total: 30, minimum: 10, maximum: 20, p50: 10, p90: 20, p99: 20)
        }
        func catalogue(leavingOut other: TimingCatalogue.Entry) -> TimingCatalogue {
            TimingCatalogue(entries: [entry("shop", "open")], leftOut: 1, leftOutEntries: [other], lines: 2, input: InputQuality())
        }
        let (one, two) = (catalogue(leavingOut: entry("shop", "close")), catalogue(leavingOut: entry("pay", "open")))
        for section in [one.section, two.section] {
            #expect(fact("Events measured", in: section.highlights) == "4" && fact("Names", in: section.highlights) == "2")
        }
        #expect(fact("System", in: one.section.definition) == "shop" && fact("System", in: two.section.definition) == nil)
        #expect(TableReport().text(of: one).contains("from 2 timing lines of shop"))
        let table = TableReport().text(of: two)
        #expect(table.hasPrefix("system  event  phase") && !table.contains("timing lines of"))
    }

    @Test func `the order any is explained by what it counts`() throws {
        let facts = try FunnelDefinition(steps: FunnelStep.parse("a > b"), windowMilliseconds: 3_600_000, order: .any).facts
        #expect(fact("Window", in: facts) == "1h from the earliest step, inclusive")
        #expect(fact("Order", in: facts)?.hasPrefix("any; the n-th bar counts any n of the steps") == true)
    }

    @Test func `a trend goes by its funnel's name`() throws {
        let definition = try FunnelDefinition(name: "Checkout", steps: FunnelStep.parse("a > b"))
        let trend = FunnelTrend(whole: SampleResults.funnel(definition, counts: definition.steps.map { _ in 0 }), points: [])
        let section = FunnelTrendResult(trend, every: .week, in: .utc).section
        #expect(
            section.title == "Checkout by week"
                && section.remarks == ["Nothing matched step 1.", "Who starts in several weeks counts in each."])
    }

    @Test func `a group that nobody entered has a dash and no bar`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), breakdown: FunnelBreakdown(path: ["plan"]))
        let all = SampleResults.funnel(definition, counts: [4, 2], milliseconds: [1000])
        let result = FunnelResult(
            definition: definition, steps: all.steps,
            groups: [
                .init(value: "pro", steps: all.steps), .init(value: "free", steps: SampleResults.funnel(definition, counts: [0, 0]).steps),
            ], windowOpen: 0, input: InputQuality(), unseenNames: [])
        let line = try #require(TableReport().text(of: result).split(separator: "\n").first { $0.hasPrefix("free") })
        #expect(line.split(separator: " ") == ["free", "0", "–"])
        let chart = try #require(bars(result.section.figures.first { $0.title == "Conversion by group" }))
        #expect(chart.rows.map(\.text) == ["50.0% of 4", "– of 0"] && chart.rows.map(\.value) == [0.5, 0])
    }

    @Test func `a property without values of its own has one row with nothing but its kind`() throws {
        let key = PropertyCatalogue.Key(
            path: ["where"], present: 2, kinds: [.object: 2], distinct: 0, isDistinctExact: true, minimum: nil, maximum: nil, top: [],
            areTopExact: true)
        let catalogue = PropertyCatalogue(
            name: "paid", events: 4, keys: [key], hasMoreKeys: false, range: .all, input: InputQuality(), unseenName: nil)
        let rows = try CommaSeparated.rows(CSVReport().text(of: catalogue))
        #expect(rows.count == 2 && rows[1].suffix(5) == ["", "", "", "", ""] && rows[1].prefix(3) == ["where", "2", "0.5"])
        #expect(catalogue.section.figures.map(\.title) == ["Properties"])
        let line = try #require(TableReport().text(of: catalogue).split(separator: "\n").first { $0.hasPrefix("where") })
        #expect(line.split(separator: " ") == ["where", "50.0%", "object"])
        #expect(
            JSONReport().text(of: catalogue).contains(#""types":{"string":0,"int":0,"double":0,"bool":0,"null":0,"object":2,"array":0}"#))
    }
}

import Foundation
import Testing

@testable import Funnels
@testable import Reports
@testable import TrackingPlans

@Suite("Tracking plans in reports")
struct PlanReportsTests {
    private static func plan(_ name: String, more: [PlannedEventDeclaration] = []) -> TrackingPlan {
        let properties = [
            PlannedProperty(path: name, kind: .string, values: .own([name]), about: name),
            PlannedProperty(path: "n", kind: .int, isOptional: true, min: 1, max: 9, isSensitive: true),
        ]
        let event = PlannedEventDeclaration(
            name: name, about: name, deprecated: name, since: name, owner: name, tags: [name], properties: properties)
        return TrackingPlan(
            name: name, version: name, events: [event] + more, shared: properties, session: properties,
            lists: [.init(name: name, values: [name])])
    }

    private static func report(_ name: String) -> PlanCheckResult {
        var input = InputQuality()
        (input.files, input.bytes, input.events, input.firstMilliseconds, input.lastMilliseconds) = (1, 1000, 9, 0, 86_400_000)
        let violation = PlanCheckResult.Violation(
            kind: .wrongType, event: name, property: name, count: 3, events: 4, firstMilliseconds: 0, lastMilliseconds: 1000, file: name,
            line: 7, example: name, versions: [.init(name: name, count: 2), .init(name: "(none)", count: 1)])
        return PlanCheckResult(plan: name, violations: [violation], range: .all, input: input)
    }

    private static func diff(_ name: String) throws -> PlanDiffResult {
        let funnel = try WrittenFunnel(
            funnel: SavedFunnel(name: name, steps: FunnelStep.parse("gone > b")), steps: "gone > b")
        return PlanDiffResult(
            from: plan(name, more: [PlannedEventDeclaration(name: "gone"), PlannedEventDeclaration(name: "b")]),
            to: TrackingPlan(name: "New", events: [PlannedEventDeclaration(name: "b"), PlannedEventDeclaration(name: "come")]),
            funnels: [funnel])
    }

    /// A result of every kind about plans, with the name wherever it takes text.
    static func results(named name: String) throws -> [any Reportable] {
        let seen = EventCatalogue(
            entries: [
                .init(name: name, count: 5, users: 2, firstMilliseconds: 0, lastMilliseconds: 1),
                .init(name: name + "?", count: 1, users: 1, firstMilliseconds: 0, lastMilliseconds: 1),
            ], metaLines: 0, timingLines: 0, input: InputQuality())
        return [report(name), try diff(name), PlanCatalogue(plan(name)), PlanCatalogue(plan(name), seen: seen)]
    }

    private static let input =
        #""input":{"files":1,"bytes":1000,"events":9,"bad_lines":0,"duplicates":0,"without_key":0,"damaged_members":0,"sequence_gaps":0}"#

    @Test func `the JSON of a check has exactly the fixed keys`() {
        #expect(
            JSONReport().text(of: Self.report("a")) == """
                {"schema":1,
                 "plan":"a",
                 "violations":[{"kind":"wrong_type","event":"a","property":"a","count":3,"events":4,"first_ms":0,"last_ms":1000,\
                "file":"a","line":7,"example":"a","versions":{"a":2,"(none)":1}}],"since_ms":null,"until_ms":null,
                 \(Self.input)}

                """)
    }

    @Test func `a check for people names the place and the versions`() {
        let text = TableReport().text(of: Self.report("a"))
        #expect(text.hasPrefix("a   1 difference from the plan"))
        #expect(text.contains("wrong_type") && text.contains("75.0%") && text.contains("a (2), (none) (1)") && text.contains("a:7"))
        let clean = PlanCheckResult(plan: "a", violations: [], range: .all, input: InputQuality())
        #expect(TableReport().text(of: clean).contains("every event is as the plan has it"))
        #expect(clean.section.remarks == ["Every event is as the plan has it."])
    }

    @Test func `a text where a number was expected stands in quotes for people, and unchanged in JSON and CSV`() {
        func text(_ report: any ReportFormat, isString: Bool) -> String {
            let violation = PlanCheckResult.Violation(
                kind: .wrongType, event: "e", property: "p", file: "f", line: 1, example: "10", isString: isString)
            return report.text(of: PlanCheckResult(plan: "a", violations: [violation], range: .all, input: InputQuality()))
        }
        for format in [TableReport(), MarkdownReport()] as [any ReportFormat] {
            #expect(text(format, isString: true).contains(#""10""#) && !text(format, isString: false).contains(#""10""#))
        }
        #expect(text(HTMLReport(), isString: true).contains("&quot;10&quot;"))
        #expect(text(JSONReport(), isString: true) == text(JSONReport(), isString: false))
        #expect(text(CSVReport(), isString: true) == text(CSVReport(), isString: false))
    }

    @Test func `CSV has one row a violation`() {
        let lines = CSVReport().text(of: Self.report("a")).split(whereSeparator: \.isNewline)
        #expect(lines.count == 2)
        #expect(lines[0] == "difference,event,property,count,events,share,first,last,file,line,example,versions")
        #expect(lines[1].hasPrefix("wrong_type,a,a,3,4,0.75,") && lines[1].hasSuffix(#",a,7,a,"a: 2, (none): 1""#))
    }

    @Test func `the JSON of a comparison names changes, renames and funnels`() throws {
        struct Answer: Decodable {
            struct Change: Decodable {
                var kind: String
                var event: String?
                var breaking: Bool
            }

            struct Rename: Decodable {
                var old: String
                var new: String
            }

            struct Broken: Decodable {
                var funnel: String
                var part: String
                var step: Int
                var column: Int
                var text: String
                var why: String
            }

            var breaking: Bool
            var changes: [Change]
            var renames: [Rename]
            var funnels: [Broken]
        }

        let answer = try JSONDecoder().decode(Answer.self, from: Data(JSONReport().text(of: Self.diff("x")).utf8))
        #expect(answer.breaking)
        #expect(answer.changes.filter(\.breaking).map { $0.event ?? "-" } == ["x", "gone", "-", "-", "-", "-"])
        #expect(answer.renames.map { "\($0.old) \($0.new)" } == ["gone come"])
        let broken = try #require(answer.funnels.first)
        #expect(answer.funnels.count == 1)
        #expect([broken.funnel, broken.part, broken.text] == ["x", "steps", "gone"] && broken.step == 1 && broken.column == 1)
        #expect(broken.why == "event `gone` is removed, renamed to `come`?")
    }

    @Test func `a comparison for people needs no sign beyond ASCII`() throws {
        let text = TableReport(TextStyle(isASCII: true)).text(of: try Self.diff("x"))
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(text.contains("  breaks  gone: event removed"))
        #expect(text.contains("funnel x, step 1, column 1 of its steps: gone no longer matches, as event `gone` is removed"))
    }

    @Test func `CSV of a comparison has changes, renames and places in funnels`() throws {
        let lines = CSVReport().text(of: try Self.diff("x")).split(whereSeparator: \.isNewline)
        #expect(lines[0] == "change,event,place,property,what,breaking,funnel,part,step,column,text")
        #expect(lines.contains("removed,gone,,,event removed,true,,,,,"))
        #expect(
            lines.contains("removed,,shared,n,property removed,true,,,,,")
                && lines.contains("removed,,session,n,property removed,true,,,,,"))
        #expect(lines.contains("renamed,gone,,,perhaps renamed to `come`,false,,,,,"))
        #expect(lines.last == "funnel,,,,\"event `gone` is removed, renamed to `come`?\",true,x,steps,1,1,gone")
    }

    @Test func `where only funnels break, the first line says so and not 0 breaking`() throws {
        func plan(_ sensitive: Bool) -> TrackingPlan {
            TrackingPlan(
                name: "T", events: [PlannedEventDeclaration(name: "a", properties: [.init(path: "p", kind: .int, isSensitive: sensitive)])])
        }
        var saved = try SavedFunnel(name: "F", steps: FunnelStep.parse("a > a"))
        saved.hold = ["p"]
        let funnel = WrittenFunnel(funnel: saved, steps: "a > a")
        let report = PlanDiffResult(from: plan(false), to: plan(true), funnels: [funnel])
        #expect(report.isBreaking)
        let lines = TableReport(TextStyle(isASCII: true)).text(of: report).split(whereSeparator: \.isNewline)
        #expect(lines.first == "T -> T: 1 change, 2 places in saved funnels broken")
        // One line names the place in both steps.
        #expect(
            lines.last == "funnel F, steps 1, 2, column 1 of its hold: props.p no longer matches, as property `p` of `a` is sensitive now")
        #expect(lines.count == 3)
        let unbroken = PlanDiffResult(from: plan(false), to: plan(false))
        #expect(TableReport().text(of: unbroken).contains(": 0 changes, 0 breaking"))
    }

    @Test func `CSV of a catalogue has bounds and lists beside the values, and rows for shared and session properties`() {
        let catalogue = PlanCatalogue(
            TrackingPlan(
                name: "T", events: [PlannedEventDeclaration(name: "a", properties: [.init(path: "n", kind: .int, min: 1, max: 9)])],
                shared: [.init(path: "s", kind: .string, isOptional: true, values: .list(.init(name: "l", values: ["x", "y"])))],
                session: [.init(path: "v", kind: .number, max: 0.5)]))
        #expect(
            CSVReport().text(of: catalogue).split(whereSeparator: \.isNewline) == [
                "place,event,about,deprecated,property,type,required,values,list,min,max,sensitive,property_about",
                "event,a,,,n,int,true,,,1,9,false,", "shared,,,,s,string,false,\"x, y\",l,,,false,",
                "session,,,,v,number,true,,,,0.5,false,",
            ])
    }

    @Test func `a catalogue shows counts and unplanned events where files were read`() throws {
        let (bare, counted) = (try Self.results(named: "e")[2], try Self.results(named: "e")[3])
        #expect(!MarkdownReport().text(of: bare).contains("Last seen"))
        let text = MarkdownReport().text(of: counted)
        #expect(text.contains("Last seen") && text.contains("In the files, and not in the plan") && text.contains("`e?`"))
        #expect(text.contains("1 to 9"))
        #expect(HTMLReport().text(of: counted).contains("<table"))
        #expect(TableReport().text(of: counted).contains("not in the plan: e? (1)"))
    }
}

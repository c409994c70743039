import Basics
import Testing

@testable import Funnels
@testable import Reports

@Suite("Groups of a funnel")
struct FunnelGroupsTests {
    @Test func `in CSV everybody comes first, then a row a group and step`() throws {
        let rows = try CommaSeparated.rows(CSVReport().text(of: try SampleResults.groups(["pro", "=x", "(none)"])))
        #expect(rows.dropFirst().map { $0[0] } == ["", "", "", "pro", "pro", "pro", "'=x", "'=x", "'=x", "(none)", "(none)", "(none)"])
        #expect(rows[4][1...5] == ["1", "a", "", "false", "10"] && rows[5][1...5] == ["2", "b", "", "true", "2"])
    }

    @Test func `in Markdown groups have a table of their own, with bars of their conversion`() throws {
        let text = MarkdownReport().text(of: try SampleResults.groups(["pro", "a|b"]))
        #expect(
            text.contains(
                "### Conversion by group\n\n| Group | Step 1 | Step 2 | Step 3 | Conversion | 95 % | Against the rest | Held equal | 95 % | q | Median time | p90 |  |\n"
            ))
        #expect(
            text.contains("| `pro` | 10 | 2 | 5 | 50.0% | 23.7–76.3% | −5.6 |  | −42.3 to +33.5 | – | 3s | 3s | ████████ |\n"), "\(text)")
        #expect(text.contains("| <code>a&#124;b</code> | 9 | 2 | 5 | 55.6% | 26.7–81.1% | +5.6 |  | −33.5 to +42.3 | – |"))
    }

    @Test func `a group that differs for certain is named, and its name stays data`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), breakdown: FunnelBreakdown(path: ["v"]))
        func steps(_ converted: Int) -> [FunnelResult.Step] { SampleResults.funnel(definition, counts: [4000, converted]).steps }
        var claim = Claim()
        (claim.kind, claim.difference, claim.interval) = (.less, -0.251, ConfidenceInterval(-0.268, -0.234))
        (claim.pValue, claim.qValue, claim.adjustedFor, claim.visits) = (1e-9, 2e-9, [.user, .day], 4000)
        var silent = Claim()
        (silent.difference, silent.detectable, silent.pValue, silent.qValue) = (0.001, 0.031, 0.8, 0.8)
        let result = FunnelResult(
            definition: definition, steps: steps(1500),
            groups: [
                .init(value: "(other)", steps: steps(2000)), .init(value: "<2.1>", steps: steps(1000)),
                .init(value: "2.0", steps: steps(2010)),
            ],
            windowOpen: 0, input: InputQuality(), unseenNames: [], groupClaims: [nil, claim, silent])
        let words = "converts 25.1 points less than the rest, same days, same users, 95% 23.4 to 26.8 (visits)."
        #expect(TableReport().text(of: result).hasPrefix("What matters: <2.1> \(words)\n\n"))
        #expect(MarkdownReport().text(of: result).contains(" \(words)\n\n"))
        #expect(HTMLReport().text(of: result).contains("<p class=\"finding worse\"><bdi>&lt;2.1&gt;</bdi> \(words)</p>"))
        // The group `(other)` stands last, whatever its size.
        #expect(TableReport().text(of: result).contains("\n(other)"))
        let rows = try CommaSeparated.rows(CSVReport().text(of: result))
        #expect(rows.dropFirst(3).map { $0[0] } == ["<2.1>", "<2.1>", "2.0", "2.0", "(other)", "(other)"])
        let json = JSONReport().text(of: result)
        #expect(
            json.contains(#""versus_rest":{"difference":-0.25125,"ci95":["#) && json.contains(#""p_value":1e-09,"q_value":2e-09"#),
            "\(json)")
        #expect(json.contains(#""claim":{"holds":true,"kind":"less","difference":-0.251,"ci95":[-0.268,-0.234]"#))
        #expect(json.contains(#""adjusted_for":["user","day"],"refused":null,"detectable":null,"sentence":"<2.1> \#(words)"}"#))
        #expect(json.contains(#""sentence":"No difference that these visits could show; one of 3.1 points would be seen 8 times in 10."}"#))
        #expect(JSONReport().text(of: result).contains(#""converted":2000,"rate":0.5,"rate_ci95":[0.4845125592034"#))
        // The claim's interval is about the adjusted difference: beside the crude one of visits there is none.
        let visits = try FunnelDefinition(
            steps: FunnelStep.parse("a > b"), counting: .visits, breakdown: FunnelBreakdown(path: ["v"]))
        let ofVisits = FunnelResult(
            definition: visits, steps: steps(1500), groups: result.groups, windowOpen: 0, input: InputQuality(), unseenNames: [],
            groupClaims: [nil, claim, silent])
        let crude = #""versus_rest":{"difference":-0.25125,"ci95":null,"p_value":1e-09,"q_value":2e-09}"#
        #expect(JSONReport().text(of: ofVisits).contains(crude))
    }

    @Test func `a group whose sure difference is said of another group is not said to have none`() {
        var mirror = Claim()
        (mirror.difference, mirror.interval, mirror.pValue, mirror.detectable) = (0.2, ConfidenceInterval(0.15, 0.25), 1e-9, 0.07)
        #expect(mirror.words(.group) == "Nothing is concluded beside what is found of another group.")
        // At a q-value of 0.06 it may be chance, as so many groups were asked; a difference of 0.4 points is too small to count.
        let silence = "No difference that these visits could show; one of 7.0 points would be seen 8 times in 10."
        mirror.qValue = 0.06
        #expect(mirror.words(.group) == silence)
        (mirror.qValue, mirror.difference, mirror.interval) = (nil, 0.004, ConfidenceInterval(0.003, 0.005))
        #expect(mirror.words(.group) == silence)
    }

    @Test func `groups of users are refused with advice that fits them`() {
        let words = "Nothing is concluded: only visits are compared; where they can be counted, --count visits does."
        #expect(Claim(refused: .unit, countsVisits: false).words(.group) == words)
        #expect(Claim(refused: .unit).words(.group) == "Nothing is concluded: it takes visits that have their group when they begin.")
    }

    @Test func `users of other weekdays and a mark on a day without whole data are refused with words of their own`() {
        let weekdays = "users are compared only over times with as many days of each weekday; --count visits compares any"
        #expect(Claim(refused: .fewDays, countsVisits: false).words(.range) == "Nothing is concluded: \(weekdays).")
        let day = "Nothing is concluded: that day has no visit, is not wholly covered, or has open windows."
        #expect(Claim(refused: .coverage).words(.trend(at: "", relative: nil)) == day)
        let few = "Nothing is concluded: too few days to tell a change from how days differ."
        #expect(Claim(refused: .fewDays).words(.range) == few && Claim(refused: .fewDays).words(.trend(at: "", relative: nil)) == few)
    }

    @Test func `where too few users decide, a sentence says so and how to go on, and the JSON says few visits`() {
        let claim = Claim(refused: .fewUsers)
        let words =
            "Nothing is concluded: too few users decide what is compared; `--not-users FILE` leaves out one with many visits, if there is one."
        for subject in [Claim.Subject.group, .fork, .range, .trend(at: "", relative: nil)] { #expect(claim.words(subject) == words) }
        var writer = JSONWriter()
        claim.json(.range).write(to: &writer)
        #expect(writer.text.contains(#""refused":"few_visits""#))
    }

    @Test func `a group that hardly any user came with and without is named as refused, beside what the others show`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), counting: .visits, breakdown: FunnelBreakdown(path: ["v"]))
        let steps = SampleResults.funnel(definition, counts: [4000, 1500]).steps
        var (silent, refused) = (Claim(), Claim(refused: .fewOfBoth))
        (silent.detectable, refused.adjustedFor) = (0.031, [.user, .day])
        func result(_ claims: [Claim?]) -> FunnelResult {
            FunnelResult(
                definition: definition, steps: steps, groups: ["5.2.0", "<5.3.0>"].map { .init(value: $0, steps: steps) }, windowOpen: 0,
                input: InputQuality(), unseenNames: [], groupClaims: claims)
        }
        let words =
            "allows no conclusion: too few users came both with it and without it; "
            + "`looptrail trend --mark DAY=NAME` compares before and after."
        let text = TableReport(TextStyle(width: 200)).text(of: result([silent, refused]))
        let silence = "No difference that these visits could show; one of 3.1 points would be seen 8 times in 10."
        #expect(text.contains("\n\(silence)\n<5.3.0> \(words)\n"))
        #expect(HTMLReport().text(of: result([refused, refused])).contains("<p class=\"finding none\"><bdi>5.2.0</bdi> \(words)</p>"))
        let json = JSONReport().text(of: result([silent, refused]))
        #expect(json.contains(#""refused":"few_visits","detectable":null,"sentence":"<5.3.0> \#(words)"}"#))
        #expect(result([silent, refused]).groupFindings.map { $0.labelled("Between the groups").subject } == [nil, "<5.3.0>"])
    }

    @Test func `a sure change of less than half a point is steady, and a sentence says why`() {
        var claim = Claim(.steady)
        (claim.difference, claim.interval, claim.detectable) = (-0.003, ConfidenceInterval(-0.004, -0.002), 0.002)
        let words = claim.words(.trend(at: "", relative: nil))
        #expect(words.hasPrefix("Steady: no lasting change of half a point or more that these visits could show; one of 0.5 points would"))
    }

    @Test func `in a page groups are bars of their conversion, and a full bar is the whole group`() throws {
        let html = HTMLReport().text(of: try SampleResults.groups(["pro", "<b>"]))
        #expect(MarkupPage(html).problems == [])
        #expect(html.contains("50.0% of 10") && html.contains("width=\"50%\" height=\"12\" class=\"bar\""))
        #expect(html.contains("<td class=\"data\"><bdi>&lt;b&gt;</bdi></td>"))
    }

    @Test func `bars of groups that all convert little end at less than the whole, and say so`() throws {
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), breakdown: FunnelBreakdown(path: ["v"]))
        let steps = SampleResults.funnel(definition, counts: [100, 3]).steps
        let result = FunnelResult(
            definition: definition, steps: steps, groups: [.init(value: "x", steps: steps)], windowOpen: 0, input: InputQuality(),
            unseenNames: [])
        let html = HTMLReport().text(of: result)
        #expect(html.contains(">A full bar is 5.0%.</text>") && html.contains("width=\"60%\" height=\"12\" class=\"bar\""))
        #expect(try !HTMLReport().text(of: SampleResults.groups(["pro"])).contains("A full bar"))
    }

    @Test func `the groups' times to convert stand below, the largest group first`() throws {
        let result = try SampleResults.groups(["pro", "<b>"])
        let html = HTMLReport().text(of: result)
        #expect(html.contains("Time to convert, by group") && html.components(of: "median 3s · p90 3s") == 2)
        #expect(
            MarkdownReport().text(of: result).contains(
                "### Time to convert, by group\n\n| Group | Converted | Mean | Median | p90 | p99 |\n"))
    }

    @Test func `steps and figures of groups that the width has no room for are named`() throws {
        let narrow = TableReport(TextStyle(width: 50)).text(of: try SampleResults.groups(["pro", "free"]))
        #expect(narrow.contains("\nno room for: step 2, vs. rest\n"), "\(narrow)")
        #expect(try !TableReport(TextStyle(width: 140)).text(of: SampleResults.groups(["pro", "free"])).contains("no room for"))
    }

    @Test func `a funnel without a breakdown has no groups anywhere`() throws {
        let funnel = try SampleResults.checkout()
        #expect(!HTMLReport().text(of: funnel).contains("by group") && !MarkdownReport().text(of: funnel).contains("by group"))
    }

    @Test("a group's name does nothing in any format", arguments: HostileName.allCases)
    func hostile(name: HostileName) throws {
        let result = try SampleResults.groups([name.rawValue])
        #expect(MarkupPage(HTMLReport().text(of: result)).problems == [])
        #expect(try CommaSeparated.rows(CSVReport().text(of: result)).allSatisfy { $0.count == 23 })
        for format in ReportFormats.texts() {
            let text = format.text(of: result).unicodeScalars
            #expect(text.allSatisfy { "\n\r\u{2068}\u{2069}".unicodeScalars.contains($0) || !TerminalText.acts($0) }, "\(format.name)")
        }
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}

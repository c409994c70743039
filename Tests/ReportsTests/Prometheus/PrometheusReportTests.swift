import Testing

@testable import Funnels
@testable import Reports

@Suite("Gauges for Prometheus")
struct PrometheusReportTests {
    private func lines(_ results: [any Reportable]) -> [String] {
        PrometheusReport().text(of: ReportDocument(title: "x", results: results)).split(separator: "\n").map(String.init)
    }

    @Test func `families stand together, each with help and kind, and each funnel once`() throws {
        let first = try SampleResults.checkout()
        let lines = lines([first, first])
        let families = lines.filter { $0.hasPrefix("# TYPE") }
        #expect(Set(families).count == families.count && families.allSatisfy { $0.hasSuffix(" gauge") })
        #expect(lines.count { $0.hasPrefix("# HELP") } == families.count)
        let samples = lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").dropLast().joined(separator: " ") }
        #expect(Set(samples).count == samples.count)
        #expect(lines.contains("looptrail_funnel_users{funnel=\"Checkout\",step=\"1\"} \(first.entered)"))
        #expect(lines.contains("looptrail_funnel_users{funnel=\"Checkout (2)\",step=\"1\"} \(first.entered)"))
        #expect(lines.contains("looptrail_funnel_conversion_ratio{funnel=\"Checkout\"} \(first.rate ?? 0)"))
        // Samples of a family follow its type line without another family between.
        var seen: [String] = []
        for line in lines where !line.hasPrefix("#") {
            let name = String(line.prefix { $0 != "{" })
            if seen.last != name { seen.append(name) }
        }
        #expect(Set(seen).count == seen.count)
    }

    @Test func `names that are alike once they can be seen, or end in a number, get numbers that nobody has`() throws {
        func named(_ name: String) throws -> any Reportable {
            SampleResults.funnel(try FunnelDefinition(name: name, steps: FunnelStep.parse("a > b")), counts: [2, 1])
        }
        let lines = try lines(["A", "A (2)", "A", "A\nb", #"A\nb"#].map(named))
        let samples = lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").dropLast().joined(separator: " ") }
        #expect(Set(samples).count == samples.count)
        #expect(lines.contains { $0.contains(#"funnel="A (3)""#) })
    }

    @Test func `the help says what is counted`() throws {
        for (counting, word) in [(.users, "Keys"), (.visits, "Visits"), (.attempts, "Attempts")] as [(FunnelDefinition.Counting, String)] {
            let definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"), counting: counting)
            let lines = lines([SampleResults.funnel(definition, counts: [2, 1])])
            #expect(lines.contains("# HELP looptrail_funnel_users \(word) whose chain took a step of the funnel, by step."))
        }
    }

    @Test(arguments: HostileName.allCases)
    func `a sample stays on its line whatever the names are`(name: HostileName) throws {
        let plain = lines(try SampleResults.everything(named: "plain"))
        let hostile = lines(try SampleResults.everything(named: name.rawValue))
        #expect(hostile.count == plain.count)
        for (one, other) in zip(hostile, plain) {
            #expect(
                one.prefix { $0 != "{" } == other.prefix { $0 != "{" } && one.split(separator: " ").last == other.split(separator: " ").last
            )
        }
    }

    @Test func `a share of nothing has no sample, and other results have none at all`() throws {
        let empty = SampleResults.funnel(try FunnelDefinition(steps: FunnelStep.parse("a > b")), counts: [0, 0])
        #expect(!PrometheusReport().text(of: empty).contains("\nlooptrail_funnel_conversion_ratio{"))
        #expect(PrometheusReport().text(of: empty).contains("looptrail_funnel_users{funnel=\"a > b\",step=\"1\"} 0\n"))
        let catalogue = EventCatalogue(entries: [], metaLines: 0, timingLines: 0, input: InputQuality())
        #expect(PrometheusReport().text(of: catalogue) == "# No result here has gauges.\n")
    }
}

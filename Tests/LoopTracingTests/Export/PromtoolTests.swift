import Foundation
import TestSupport
import Testing

@testable import LoopTracing

/// The exposition as Prometheus' own tool reads it, where that is installed; CI has it.
@Suite struct PromtoolTests {
    private static let promtool = InstalledProgram("promtool")

    /// What promtool says of a text; empty if all is well.
    private func complaints(_ text: String) throws -> String {
        let (status, output, errors) = try Self.promtool.run(["check", "metrics"], input: text)
        return (status == 0 ? "" : "exit \(status): ") + output + errors
    }

    @Test(
        "any name is taken, and nothing is found to mend", .enabled(if: promtool.isExpected),
        arguments: [
            "plain", "quo\"te", "back\\", "line\nfeed\r", "\u{0}\u{1B}[2J", "{}=,#", "日本 🛒", "", String(repeating: "long", count: 500),
        ])
    func names(name: String) throws {
        let measurements = Measured.times([10, 5_000_000], event: name, system: name)
        let counters = [
            PrometheusCounter("a_" + name, "Of " + name, 1, labels: ["label": name]), PrometheusCounter("other", "\\ and\nmore", 2),
        ]
        #expect(try complaints(PrometheusText().text(of: measurements, counters: counters)) == "")
    }

    @Test(.enabled(if: promtool.isExpected))
    func `what is wrong would be found`() throws {
        let text = PrometheusText().text(of: Measured.times([10]))
        #expect(try complaints(text.replacing("# TYPE looptrail_step_seconds histogram\n", with: "")) != "")
        #expect(try complaints(text + "looptrail_events_total{event=\"a\"b\"} 1\n") != "")
    }
}

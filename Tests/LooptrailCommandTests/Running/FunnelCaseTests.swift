import Foundation
import Testing

/// Cases restated from the test suites of other products, whose `source_file` names the source; run through the command.
private struct Case: Decodable, CustomTestStringConvertible {
    struct Semantics: Decodable {
        var order: String?
        var key: String
        var modes: [String]?
        var exclusions: [Present]?
        var breakdown: Present?
    }

    struct Present: Decodable {}

    struct Step: Decodable {
        var name: String
        var `where`: [String: String]
        var optional: Bool
    }

    struct Event: Decodable {
        var user: String
        var name: String
        var ts: Int64
        var props: [String: String]
    }

    struct Expected: Decodable {
        var counts: [Int]
    }

    var name: String
    var family: String
    var semantics: Semantics
    var events: [Event]
    var steps: [Step]
    var windowS: Double
    var expected: Expected

    var testDescription: String { name }

    /// Whether the case asks for nothing beyond points 1 to 5 of the definition. `windowFunnel` lets one event fill several
    /// equal steps, which is `--compat`'s.
    var needsOnlyOrderedFunnels: Bool {
        (semantics.modes ?? []).isEmpty && (semantics.exclusions ?? []).isEmpty && semantics.breakdown == nil
            && (semantics.order ?? "ordered") == "ordered" && !steps.contains(where: \.optional)
            && (family != "windowFunnel" || Set(steps.map(\.name)).count == steps.count)
    }

    static let all: [Case] = {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appendingPathComponent("FunnelsTests/Data/funnel-cases.json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return (try? decoder.decode([Case].self, from: Data(contentsOf: file))) ?? []
    }()

    /// A name or value as the grammar reads it whatever it holds.
    static func quoted(_ text: String) -> String {
        "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
    }
}

@Suite struct FunnelCaseTests {
    @Test func `the cases are there`() {
        #expect(Case.all.filter(\.needsOnlyOrderedFunnels).count >= 10)
    }

    @Test(arguments: Case.all.filter(\.needsOnlyOrderedFunnels))
    private func `the command counts what other products expect`(_ example: Case) throws {
        let encoder = JSONEncoder()
        let lines = try example.events.map { event in
            let (user, name) = (try encoder.encode(event.user), try encoder.encode(event.name))
            let props = String(decoding: try encoder.encode(event.props), as: UTF8.self)
            return #"{"t_ms":\#(event.ts),"user":\#(String(decoding: user, as: UTF8.self)),"name":"#
                + #"\#(String(decoding: name, as: UTF8.self)),"props":\#(props)}"#
        }
        let folder = try TemporaryFolder()
        let path = try folder.file("events.ndjson", Events.text(lines))
        let steps = example.steps.map { step in
            let tests = step.where.sorted { $0.key < $1.key }.map { "\(Case.quoted($0.key))=\(Case.quoted($0.value))" }
            return Case.quoted(step.name) + (tests.isEmpty ? "" : "[\(tests.joined(separator: ","))]")
        }
        let key = example.semantics.key == "user" ? "user" : "props.\(example.semantics.key)"
        let result = try Child.looptrail([
            "funnel", path, "--steps", steps.joined(separator: " > "), "--window", "\(Int64(example.windowS * 1000))ms", "--by", key,
            "--format", "json",
        ])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try FunnelJSON(result.output).steps.map(\.count) == example.expected.counts)
    }
}

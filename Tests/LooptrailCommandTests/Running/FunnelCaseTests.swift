import Foundation
import Testing

/// Cases restated from the test suites of other products, whose `source_file` names the source; run through the command.
private struct Case: Decodable, CustomTestStringConvertible {
    struct Semantics: Decodable {
        struct Exclusion: Decodable {
            var name: String
            var `where`: [String: String]
            var from: Int
            var to: Int
        }

        struct Breakdown: Decodable {
            var prop: String
            var attribution: String
        }

        var order: String?
        var key: String
        var modes: [String]?
        var exclusions: [Exclusion]?
        var breakdown: Breakdown?
    }

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
        var groups: [String: [Int]]?
        var avgS: [Double?]?
    }

    var name: String
    var family: String
    var semantics: Semantics
    var events: [Event]
    var steps: [Step]
    var windowS: Double
    var expected: Expected

    var testDescription: String { name }

    /// The flags that ask for what the case counts.
    var flags: [String] {
        get throws {
            let steps = steps.map { Self.pattern($0.name, $0.where) + ($0.optional ? "?" : "") }
            var flags = ["--steps", steps.joined(separator: " > "), "--window", "\(Int64(windowS * 1000))ms"]
            if semantics.key != "user" { flags += ["--by", "props.\(semantics.key)"] }
            if let order = semantics.order { flags += ["--order", order == "unordered" ? "any" : order] }
            for exclusion in semantics.exclusions ?? [] {
                flags += ["--exclude", "!\(Self.pattern(exclusion.name, exclusion.where))@\(exclusion.from + 1)-\(exclusion.to + 1)"]
            }
            if let breakdown = semantics.breakdown {
                let words = ["first_touch": "first", "last_touch": "last", "all_events": "all"]
                flags += ["--breakdown", "props.\(breakdown.prop):\(try #require(words[breakdown.attribution]))"]
            }
            if family == "windowFunnel" {
                let modes = semantics.modes ?? []
                flags += ["--compat", "clickhouse" + (modes.isEmpty ? "" : ":" + modes.joined(separator: "+"))]
            }
            return flags
        }
    }

    /// Names and values quoted, as the grammar reads them whatever they hold.
    private static func pattern(_ name: String, _ tests: [String: String]) -> String {
        func quoted(_ text: String) -> String {
            "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
        }
        let tests = tests.sorted { $0.key < $1.key }.map { "\(quoted($0.key))=\(quoted($0.value))" }
        return quoted(name) + (tests.isEmpty ? "" : "[\(tests.joined(separator: ","))]")
    }

    static let all: [Case] = {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appendingPathComponent("FunnelsTests/Data/funnel-cases.json")
        return (try? [Case](snakeCase: String(contentsOf: file, encoding: .utf8))) ?? []
    }()
}

@Suite struct FunnelCaseTests {
    @Test func `all cases are there`() {
        #expect(Case.all.count == 24)
    }

    @Test(arguments: Case.all)
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
        let result = try Child.looptrail(["funnel", path, "--format", "json"] + example.flags)
        #expect(result.status == 0, "\(result.errors)")
        let json = try FunnelJSON(result.output)
        #expect(json.steps.map(\.count) == example.expected.counts)
        for (step, seconds) in zip(json.steps, example.expected.avgS ?? []) {
            #expect(step.fromPrevious?.mean == seconds.map { $0 * 1000 })
        }
        if let groups = example.expected.groups {
            var found: [String: [Int]] = [:]
            for group in json.groups { found[group.value == "(none)" ? "" : group.value] = group.steps.map(\.count) }
            #expect(found == groups)
        }
    }
}

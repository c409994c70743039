import Foundation
import Testing

@testable import Funnels

/// One case of `Data/funnel-cases.json`: events and expected counts restated from another product's test suite, which its
/// `source_file` names. Times are whole milliseconds, `where` asks for equality, and steps are numbered from 0 in exclusions.
struct FunnelCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Semantics: Decodable, Sendable {
        struct Present: Decodable, Sendable {}

        var order: String?
        var key: String
        var ties: String?
        var attempt: String?
        var oneEventOneStep: Bool?
        var windowFrom: String?
        var windowBoundary: String?
        var modes: [String]?
        var exclusions: [Present]?
        var breakdown: Present?
    }

    struct Step: Decodable, Sendable {
        var name: String
        var `where`: [String: String]
        var optional: Bool
    }

    struct Event: Decodable, Sendable {
        var user: String
        var name: String
        var ts: Int64
        var props: [String: String]
    }

    struct Expected: Decodable, Sendable {
        var counts: [Int]
        var avgS: [Double?]?
        var medianS: [Double?]?
        /// Start in seconds and count of each bin.
        var histogramS: [[Double]]?
    }

    var name: String
    var family: String
    var sourceFile: String
    var semantics: Semantics
    var steps: [Step]
    var windowS: Double
    var events: [Event]
    var expected: Expected

    var testDescription: String { name }

    /// The part of the definition that the case needs and that is not built yet; `nil` if it can run. Decided by what the case
    /// asks for, never by its name.
    var waitsFor: String? {
        if !(semantics.modes ?? []).isEmpty { return "--compat clickhouse (point 14)" }
        if !(semantics.exclusions ?? []).isEmpty { return "exclusions (point 7)" }
        if semantics.breakdown != nil { return "breakdowns (point 10)" }
        if let order = semantics.order, order != "ordered" { return "--order \(order) (point 8)" }
        if steps.contains(where: \.optional) { return "optional steps (point 6)" }
        // Without a mode, windowFunnel lets one event fill several equal steps; ours agrees where steps differ.
        if family == "windowFunnel", Set(steps.map(\.name)).count < steps.count { return "--compat clickhouse (point 14)" }
        return nil
    }

    var definition: FunnelDefinition {
        get throws {
            try FunnelDefinition(
                steps: steps.map { step in
                    let tests = step.where.sorted { $0.key < $1.key }
                        .map { PropertyTest(path: [$0.key], comparison: .equal, value: $0.value) }
                    return FunnelStep(EventPattern(names: .oneOf([step.name]), tests: tests))
                },
                windowMilliseconds: Int64(windowS * 1000), key: semantics.key == "user" ? .user : .property([semantics.key]))
        }
    }

    /// The events as a test pass takes them.
    var lines: [TestLine] {
        get throws {
            try events.map { event in
                let props = String(decoding: try JSONEncoder().encode(event.props), as: UTF8.self)
                return TestLine(event.name, event.ts, user: event.user, props: props)
            }
        }
    }

    static let all: [FunnelCase] = {
        guard let url = Bundle.module.url(forResource: "funnel-cases", withExtension: "json", subdirectory: "Data"),
            let data = try? Data(contentsOf: url)
        else { return [] }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return (try? decoder.decode([FunnelCase].self, from: data)) ?? []
    }()
}

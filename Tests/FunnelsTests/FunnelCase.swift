import Foundation
import Testing

@testable import Funnels

/// One case of `Data/funnel-cases.json`: events and expected counts restated from another product's test suite, which its
/// `source_file` names. Times are whole milliseconds, `where` asks for equality, and steps are numbered from 0 in exclusions.
struct FunnelCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Semantics: Decodable, Sendable {
        struct Exclusion: Decodable, Sendable {
            var name: String
            var `where`: [String: String]
            var from: Int
            var to: Int
        }

        struct Breakdown: Decodable, Sendable {
            var prop: String
            var attribution: String
        }

        var order: String?
        var key: String
        var modes: [String]?
        var exclusions: [Exclusion]?
        var breakdown: Breakdown?
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
        /// Value and counts; the empty value is no value.
        var groups: [String: [Int]]?
        var avgS: [Double?]?
        var medianS: [Double?]?
        /// Start in seconds and count of each bin.
        var histogramS: [[Double]]?
        /// Between which steps the histogram is, from 0.
        var histogramSteps: [Int]?
    }

    enum Failure: Error { case unknownWord(String) }

    var name: String
    var family: String
    var sourceFile: String
    var semantics: Semantics
    var steps: [Step]
    var windowS: Double
    var events: [Event]
    var expected: Expected

    var testDescription: String { name }

    var definition: FunnelDefinition {
        get throws {
            try FunnelDefinition(
                steps: steps.map { FunnelStep(Self.pattern($0.name, $0.where), isOptional: $0.optional) },
                windowMilliseconds: Int64(windowS * 1000), key: semantics.key == "user" ? .user : .property([semantics.key]),
                order: try order,
                exclusions: (semantics.exclusions ?? [])
                    .map { FunnelExclusion(Self.pattern($0.name, $0.where), steps: $0.from + 1...$0.to + 1, spoils: true) },
                breakdown: try semantics.breakdown.map(Self.breakdown), compat: try compat)
        }
    }

    private static func pattern(_ name: String, _ tests: [String: String]) -> EventPattern {
        EventPattern(
            names: .oneOf([name]),
            tests: tests.sorted { $0.key < $1.key }.map { PropertyTest(path: [$0.key], comparison: .equal, value: $0.value) })
    }

    private var order: FunnelDefinition.Order {
        get throws {
            switch semantics.order {
            case nil, "ordered": .ordered
            case "strict": .strict
            case "unordered": .any
            case let word?: throw Failure.unknownWord(word)
            }
        }
    }

    private static func breakdown(_ breakdown: Semantics.Breakdown) throws -> FunnelBreakdown {
        let attributions: [String: FunnelBreakdown.Attribution] = ["first_touch": .first, "last_touch": .last, "all_events": .all]
        guard let attribution = attributions[breakdown.attribution] else { throw Failure.unknownWord(breakdown.attribution) }
        return FunnelBreakdown(path: [breakdown.prop], attribution: attribution)
    }

    /// `windowFunnel` cases are counted as it counts, with their modes or without.
    private var compat: FunnelCompat? {
        get throws {
            guard family == "windowFunnel" else { return nil }
            let modes = try (semantics.modes ?? []).map { word in
                guard let mode = FunnelCompat.WindowFunnelMode(rawValue: word) else { throw Failure.unknownWord(word) }
                return mode
            }
            return .clickhouse(Set(modes))
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

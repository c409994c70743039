import EventFiles
import Foundation
import Testing
import TrackingEvents

@testable import Funnels

@Suite("Funnels over files")
struct FunnelRunTests {
    /// Runs `body` in a folder of its own.
    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("funnel-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func write(_ lines: [String], to folder: URL, _ name: String) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.appendingPathComponent(name))
    }

    private func run(_ steps: String, _ folder: URL, key: FunnelKey = .user) throws -> (results: [FunnelResult], reading: ReadResult) {
        let definition = try FunnelDefinition(steps: FunnelStep.parse(steps), key: key)
        return try FunnelRun([definition]).results(reading: EventFileReader(paths: [folder.path]))
    }

    private let lines = [
        #"{"v":1,"t_ms":1000,"name":"a","user":"u","session":"s","seq":1,"id":"1","props":{"org":"x","price":10}}"#,
        #"{"v":1,"t_ms":2000,"name":"b","user":"u","session":"s","seq":2,"id":"2","props":{"org":"x"}}"#,
        #"{"props":{"org":7},"user":"v","name":"a","t_ms":1500,"id":"3"}"#,
        #"{"v":1,"t_ms":1500,"name":"session_started","user":"u","session":"s","seq":5,"id":"4","type":"meta","props":{}}"#,
        #"{"v":2,"t_ms":1,"name":"a"}"#, "nonsense", #"{"t_ms":3000,"name":"b"}"#,
        #"{"v":1,"t_ms":2000,"name":"b","user":"w","id":"2","props":{}}"#,
    ]

    @Test func `counts, times and the quality of the input`() throws {
        try inFolder { folder in
            try write(lines, to: folder, "1.ndjson")
            let outcome = try run("a > b", folder)
            let result = outcome.results[0]
            #expect(result.steps.map(\.count) == [2, 1] && result.timeToConvert?.mean == 1000)
            let input = result.input
            #expect(input.files == 1 && input.bytes == Int64(lines.joined(separator: "\n").utf8.count + 1))
            #expect(input.events == 5 && input.badLines == 2 && input.duplicates == 1 && input.withoutKey == 1)
            #expect(input.sequenceGaps == 2 && input.damagedMembers == 0)
            #expect(input.firstMilliseconds == 1000 && input.lastMilliseconds == 3000)
            #expect(outcome.reading.files.count == 1)
        }
    }

    @Test func `a property can be the key, and a number counts as it stands on the line`() throws {
        try inFolder { folder in
            try write(lines, to: folder, "1.ndjson")
            let result = try run("a[price>=9.5] > b", folder, key: .property(["org"])).results[0]
            #expect(result.steps.map(\.count) == [1, 1] && result.input.withoutKey == 1)
        }
    }

    @Test("dividing lines among files and threads changes nothing but the files", arguments: 1...4)
    func divided(threads: Int) throws {
        var random = SeededRandom(seed: 4)
        let many = (0..<3000).map { number in
            let name = ["a", "b", "c"].randomElement(using: &random)!
            return #"{"v":1,"t_ms":\#(Int.random(in: 0...5000, using: &random)),"name":"\#(name)","user":"u\#(number % 100)","#
                + #""session":"s\#(number % 70)","seq":\#(number / 70 + 1),"id":"i\#(number)","props":{"p":\#(number % 9)}}"#
        }
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a[p<7] > b > c > *"), windowMilliseconds: 400)
        try inFolder { folder in
            let whole = folder.appendingPathComponent("whole")
            let parts = folder.appendingPathComponent("parts")
            for sub in [whole, parts] { try FileManager.default.createDirectory(at: sub, withIntermediateDirectories: true) }
            try write(many, to: whole, "1.ndjson")
            let shuffled = many.shuffled(using: &random)
            for part in 0..<7 { try write(shuffled.indices.filter { $0 % 7 == part }.map { shuffled[$0] }, to: parts, "\(part).jsonl") }
            let one = try FunnelRun([definition]).results(reading: EventFileReader(paths: [whole.path]), threads: 1).results[0]
            let seven = try FunnelRun([definition]).results(reading: EventFileReader(paths: [parts.path]), threads: threads).results[0]
            #expect(one.steps == seven.steps && one.windowOpen == seven.windowOpen && one.converted > 0)
            #expect(one.input.files == 1 && seven.input.files == 7 && one.input.bytes == seven.input.bytes)
            #expect(one.input.sequenceGaps == 0 && seven.input.sequenceGaps == 0 && one.input.events == 3000)

            let catalogues = try [whole, parts].map {
                try CatalogueRun().answer(reading: EventFileReader(paths: [$0.path]), threads: threads).answer
            }
            #expect(catalogues[0].entries == catalogues[1].entries && catalogues[0].entries.map(\.count).reduce(0, +) == 3000)
        }
    }

    @Test func `an empty folder gives zeros, a missing one an error`() throws {
        try inFolder { folder in
            let result = try run("a > b", folder).results[0]
            #expect(result.steps.map(\.count) == [0, 0] && result.input.files == 0)
            #expect(throws: EventFileReadError.self) { try run("a", folder.appendingPathComponent("none")) }
        }
    }

    @Test("cases of other products through files", arguments: FunnelCase.all)
    func cases(_ testCase: FunnelCase) throws {
        try inFolder { folder in
            let lines = try testCase.events.map { event in
                let object: [String: Any] = ["t_ms": event.ts, "name": event.name, "user": event.user, "props": event.props]
                return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
            }
            try write(lines, to: folder, "events.ndjson")
            let outcome = try FunnelRun([testCase.definition]).results(reading: EventFileReader(paths: [folder.path]))
            #expect(outcome.results[0].steps.map(\.count) == testCase.expected.counts, "\(testCase.sourceFile)")
            #expect(outcome.results[0].input.events == testCase.events.count)
        }
    }

    @Test func `the catalogue lists names, and lines that are no events`() throws {
        try inFolder { folder in
            try write(lines, to: folder, "1.ndjson")
            let catalogue = try CatalogueRun().answer(reading: EventFileReader(paths: [folder.path])).answer
            #expect(
                catalogue.entries == [
                    .init(name: "a", count: 2, users: 2, firstMilliseconds: 1000, lastMilliseconds: 1500),
                    .init(name: "b", count: 2, users: 1, firstMilliseconds: 2000, lastMilliseconds: 3000),
                ])
            #expect(catalogue.metaLines == 1 && catalogue.input.withoutKey == 1 && catalogue.input.badLines == 2)
        }
    }

    @Test func `progress rises to the size of the files`() throws {
        try inFolder { folder in
            try write(lines, to: folder, "1.ndjson")
            var seen: [Int64] = []
            let outcome = try FunnelRun([FunnelDefinition(steps: [FunnelStep("a")])])
                .results(reading: EventFileReader(paths: [folder.path])) { seen.append($0.bytes) }
            #expect(seen == seen.sorted() && seen.last == outcome.reading.bytes)
        }
    }
}

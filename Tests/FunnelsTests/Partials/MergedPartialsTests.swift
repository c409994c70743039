import EventFiles
import Foundation
import Testing
import TrackingEvents

@testable import Funnels

/// Random definitions of every kind over random events, counted whole and in parts.
private struct RandomWay {
    var random: SeededRandom
    let names = ["a", "b", "c", "it's", "größe"]

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(random.next() % UInt64(elements.count))] }
    mutating func chance(_ percent: Int) -> Bool { Int(random.next() % 100) < percent }

    mutating func line(_ number: Int, span: Int) -> String {
        let time = Int(random.next() % UInt64(span))
        if chance(3) {
            return #"{"t_ms":\#(time),"name":"identified","type":"meta","user":"u1","props":{"anonymous":"a-\#(pick([0, 1]))"}}"#
        }
        if chance(2) { return #"{"t_ms":"never"}"# }
        if chance(2) { return #"{"t_ms":\#(time),"name":"step_timing","type":"timing","session":"s1","seq":\#(number + 1)}"# }
        var line = #"{"t_ms":\#(time),"name":"\#(pick(names))""#
        if chance(93) { line += #","user":"\#(pick(["u1", "u2", "u3", "a-0", "a-1"]))""# }
        if chance(90) { line += #","session":"\#(pick(["s1", "s2"]))","seq":\#(number + 1)"# }
        if chance(90) { line += #","id":"id-\#(number)""# }
        if chance(90) {
            line += #","props":{"p":\#(pick([#""x""#, #""y""#, "1", "2.50", "true", "null", #""(other)""#])),"q":"\#(pick(["v", "w"]))"}"#
        }
        return line + "}"
    }

    mutating func definition(_ span: Int) -> FunnelDefinition? {
        let count = pick([1, 2, 2, 3, 4])
        let patterns = ["a", "b", "c", "(a | b)", "*", "a[p=x]", "\"it's\"", "c[q!=v]"]
        var steps = (0..<count).map { _ in pick(patterns) }
        if count > 2 && chance(20) { steps[1] += "?" }
        var saved = SavedFunnel(steps: (try? FunnelStep.parse(steps.joined(separator: " > "))) ?? [])
        saved.window = Int64(pick([0, 1, 3, 20, span]))
        saved.key = pick([.user, .user, .user, .session, .property(["p"])])
        saved.order = pick([.ordered, .ordered, .ordered, .strict, .any])
        if chance(20) { saved.stepWindow = Int64(pick([0, 1, 5])) }
        if chance(15) { saved.counting = .attempts }
        if chance(20) { saved.hold = ["q"] }
        if chance(25), let exclusion = try? FunnelExclusion.parse(pick(["a", "!b", "!*", "c[p=1]"])) { saved.exclusions = [exclusion] }
        if chance(50) {
            saved.breakdown = FunnelBreakdown(path: ["p"], attribution: pick([.first, .last, .all, .step(count)]), top: pick([1, 2, 10]))
        }
        if chance(10) { saved.compat = .clickhouse(pick([[], [.order], [.increase]])) }
        if chance(10) { saved.identify = false }
        let (since, until) = (chance(20) ? Int64(span / 3) : nil, chance(20) ? Int64(span / 2) : nil)
        var definition = try? saved.definition(since: since, until: until)
        if chance(30) { definition?.starts = .mature }
        if chance(10) { definition?.dataEnd = Int64(span / 2) }
        return definition
    }
}

@Suite("Merged partials")
struct MergedPartialsTests {
    /// Compares the result of one pass over files with that of parts, split and merged in a random way.
    private func compare(_ definition: FunnelDefinition, _ files: [[String]], _ random: inout SeededRandom, in folder: String) throws {
        let paths = files.indices.map { "\(folder)/\($0).ndjson" }
        for (path, lines) in zip(paths, files) { try write(lines, to: path) }
        let whole = try FunnelRun([definition]).results(reading: EventFileReader(paths: paths), threads: 1).results[0]

        let groups = Bool.random(using: &random) ? [paths] : paths.map { [$0] }
        var contexts = try groups.map { group in
            try FunnelContext(FunnelContext.prepared(definition, reading: EventFileReader(paths: group), threads: 1).bytes)
        }
        contexts.shuffle(using: &random)
        var context = contexts[0]
        for other in contexts.dropFirst() { try context.merge(other) }

        let parts = Int.random(in: 1...5, using: &random)
        // Either the lines say which part they are, or the caller does.
        let saysPart = Bool.random(using: &random)
        var lines = try (1...parts).map { number in saysPart ? [] : [try #require(FunnelPart(number, of: parts)).mark] }
        var partials: [FunnelPartial] = []
        for group in groups {
            let split = FunnelSplit(context, parts: parts)
            let outcome = try split.lines(reading: EventFileReader(paths: group), threads: 1) { part, _, line in
                lines[part].append(String(decoding: line, as: UTF8.self))
            }
            partials.append(outcome.quality)
        }
        for (part, lines) in lines.enumerated() {
            let path = "\(folder)/part-\(part).ndjson"
            try write(lines, to: path)
            let number = saysPart ? FunnelPart(part + 1, of: parts) : nil
            partials.append(try FunnelPartial.counted(context, part: number, reading: EventFileReader(paths: [path]), threads: 1).partial)
        }
        partials = try partials.shuffled(using: &random).map { try FunnelPartial($0.bytes) }
        while partials.count > 1 {
            // Any two partials are merged, so that the grouping is random, too.
            let other = partials.remove(at: Int.random(in: 0..<partials.count, using: &random))
            try partials[Int.random(in: 0..<partials.count, using: &random)].merge(other)
        }
        let merged = try partials[0].result()
        #expect(merged.definition == whole.definition && merged.steps == whole.steps && merged.groups == whole.groups)
        #expect(merged.windowOpen == whole.windowOpen && merged.mature == whole.mature && merged.dataEnd == whole.dataEnd)
        #expect(merged.input == whole.input && merged.unseenNames == whole.unseenNames && merged.ninetyNinth == whole.ninetyNinth)
    }

    private func write(_ lines: [String], to path: String) throws {
        try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: false, encoding: .utf8)
    }

    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "looptrail-partials-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    /// `LOOPTRAIL_ROUNDS` sets another number of rounds.
    private static let rounds = ProcessInfo.processInfo.environment["LOOPTRAIL_ROUNDS"].flatMap { Int($0) } ?? 30

    @Test("a funnel in parts has the result of one pass", arguments: 0..<4)
    func random(_ batch: Int) throws {
        try inFolder { folder in
            var way = RandomWay(random: SeededRandom(seed: UInt64(batch)))
            var compared = 0
            while compared < Self.rounds {
                let span = way.pick([3, 10, 100])
                guard let definition = way.definition(span) else { continue }
                let files = (0..<way.pick([1, 2, 3])).map { file in
                    let count = way.pick([0, 5, 20, 40])
                    let lines = (0..<count).map { way.line(file * 100 + $0, span: span) }
                    // Copies of lines. Those with an id count once.
                    return lines + lines.prefix(way.pick([0, 0, 3]))
                }
                try compare(definition, files, &way.random, in: folder)
                compared += 1
            }
        }
    }

    @Test("cases of other products have the same result in parts", arguments: FunnelCase.all)
    func publicCases(_ example: FunnelCase) throws {
        try inFolder { folder in
            var random = SeededRandom(seed: 7)
            let lines = try example.lines.map { line in
                let user = String(decoding: try JSONEncoder().encode(line.user), as: UTF8.self)
                return #"{"t_ms":\#(line.time),"name":"\#(line.name)","user":\#(user),"props":\#(line.props)}"#
            }
            try compare(try example.definition, [lines], &random, in: folder)
        }
    }

    @Test func `events of one key go to one part, those without a key by their id`() throws {
        try inFolder { folder in
            let lines = (0..<50).map { #"{"t_ms":\#($0),"name":"a","user":"u\#($0 % 7)","id":"\#($0)"}"# }
            let without = [#"{"t_ms":1,"name":"a","id":"x"}"#, #"{"t_ms":2,"name":"a","id":"x"}"#]
            try write(lines + without, to: folder + "/events.ndjson")
            let context = try FunnelContext(try FunnelDefinition(steps: FunnelStep.parse("a")))
            var partsOfKey: [String: Set<Int>] = [:]
            var indices: [Int] = []
            let reader = try EventFileReader(paths: [folder + "/events.ndjson"])
            let outcome = try FunnelSplit(context, parts: 16).lines(reading: reader, threads: 2) { part, index, line in
                let text = String(decoding: line, as: UTF8.self)
                let key = text.firstRange(of: "\"user\":").map { String(text[$0.upperBound...].prefix(4)) } ?? "none"
                partsOfKey[key, default: []].insert(part)
                indices.append(index)
            }
            #expect(partsOfKey.count == 8 && partsOfKey.values.allSatisfy { $0.count == 1 })
            #expect(Set(partsOfKey.values.flatMap(\.self)).count > 1)
            #expect(indices == Array(0..<52))
            #expect(outcome.quality.quality?.input.events == 52)
        }
    }
}

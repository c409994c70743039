import Testing
import TrackingEvents

@testable import EventFiles

/// Gaps and clock steps of many sessions, against sums done in the plainest way.
@Suite struct SessionGapsTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    private struct Made {
        var numbers: [String: Set<Int>] = [:]
        var dropped: [String: Int] = [:]
        var lines: [String] = []

        var missing: [String: Int] {
            numbers.mapValues { numbers in (numbers.max() ?? 0) - (numbers.min() ?? 1) + 1 - numbers.count }
        }
        var unexplained: Int {
            let rest = missing.reduce(0) { $0 + max(0, $1.value - dropped[$1.key, default: 0]) }
            return max(0, rest - dropped["_other", default: 0])
        }
    }

    private func made(_ random: inout SeededRandom) -> Made {
        var made = Made()
        for session in 0..<Int.random(in: 1...6, using: &random) {
            let name = "s\(session)"
            let first = Int.random(in: 1...50, using: &random)
            for number in first..<first + Int.random(in: 1...60, using: &random) where Int.random(in: 0..<10, using: &random) > 1 {
                made.numbers[name, default: []].insert(number)
                made.lines.append(CheckLine.event(name, number))
                if Int.random(in: 0..<20, using: &random) == 0 { made.lines.append(CheckLine.event(name, number, id: "\(name)+\(number)")) }
            }
        }
        for line in 0..<Int.random(in: 0...5, using: &random) {
            let name = ["s0", "s1", "s2", "none", "_other"].randomElement(using: &random) ?? ""
            let count = Int.random(in: 0...6, using: &random)
            made.dropped[name, default: 0] += count
            made.lines.append(CheckLine.dropped([name: count], id: "d\(line)"))
        }
        return made
    }

    @Test(arguments: 0..<60)
    func `missing and explained numbers are counted right in any order of lines and files`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let made = made(&random)
        // In the order of writing, then with neighbours swapped, then in any order.
        for disorder in 0..<3 {
            var lines = made.lines
            if disorder == 1 { for place in lines.indices.dropFirst() where Bool.random(using: &random) { lines.swapAt(place, place - 1) } }
            if disorder == 2 { lines.shuffle(using: &random) }
            var files: [(name: String, bytes: [UInt8])] = []
            while !lines.isEmpty {
                let part = lines.prefix(Int.random(in: 1...80, using: &random))
                lines.removeFirst(part.count)
                files.append(("\(disorder)-\(files.count).ndjson.gz", Gzip.blocked([part.joined()])))
            }
            let report = try folder.check(files, threads: 1 + seed % 3)
            let missing = made.missing.values.reduce(0, +)
            #expect(report.missingSequences == missing)
            #expect(report.unexplainedSequences == made.unexplained)
            #expect(report.files.reduce(0) { $0 + $1.missingSequences } == missing)
            #expect(report.isSound == (made.unexplained == 0))
            #expect(report.sessions == made.numbers.count)
            #expect(report.droppedEvents == made.dropped.values.reduce(0, +))
            #expect(report.clockSteps == 0)
            for gap in report.firstGaps {
                let numbers = made.numbers[gap.session] ?? []
                #expect(numbers.contains(gap.firstMissing.asInt - 1) && numbers.contains(gap.lastMissing.asInt + 1))
                #expect(numbers.isDisjoint(with: gap.firstMissing.asInt...gap.lastMissing.asInt))
            }
            let flags = report.firstGaps.map(\.isExplained)
            #expect(flags == flags.sorted { !$0 && $1 }, "unexplained gaps come first")
        }
    }

    @Test func `a gap between two files belongs to the file with the line after it`() throws {
        let one = Gzip.blocked([CheckLine.event("s", 1) + CheckLine.event("t", 1)])
        let two = Gzip.blocked([CheckLine.event("s", 4) + CheckLine.event("t", 2)])
        let report = try folder.check([("a.ndjson.gz", one), ("b.ndjson.gz", two)])
        #expect(report.files.map(\.missingSequences) == [0, 2])
        #expect(
            report.firstGaps
                == [CheckResult.Gap(session: "s", firstMissing: 2, lastMissing: 3, isExplained: false, file: 1)])
        let turned = try EventFileCheck(EventFileReader(paths: ["b", "a"].map { "\(folder.path)/\($0).ndjson.gz" })).run()
        #expect(turned.files.map(\.missingSequences) == [2, 0])
        #expect(turned.firstGaps.map(\.file) == [0])
        #expect(turned.clockSteps == 0)
    }

    @Test func `sessions that alternate line by line have no gaps, and each has its own clock`() throws {
        var text = ""
        for number in 1...200 {
            // The clocks of the sessions are hours apart, which is no step of any.
            for session in 0..<5 { text += CheckLine.event("s\(session)", number, time: Int64(session) * 3_600_000 + Int64(number)) }
        }
        let report = try folder.check([("a.ndjson.gz", Gzip.bgzip(text, size: 1000))])
        #expect(report.isSound)
        #expect(report.sessions == 5)
        #expect(report.clockSteps == 0)
    }

    @Test(arguments: 0..<20)
    func `clock steps are counted in the order of sequence numbers, wherever the file is cut`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(100 + seed))
        let times = (0..<60).map { _ in Int64.random(in: 0..<50, using: &random) }
        let steps = zip(times, times.dropFirst()).filter { $1 < $0 }
        let lines = times.enumerated().map { CheckLine.event("s", $0 + 1, time: $1) }
        let cut = Int.random(in: 0...lines.count, using: &random)
        let report = try folder.check([
            ("a.ndjson", Array(lines[..<cut].joined().utf8)), ("b.ndjson", Array(lines[cut...].joined().utf8)),
        ])
        #expect(report.clockSteps == steps.count)
        #expect(report.largestClockStep == steps.map { $0 - $1 }.max() ?? 0)
        let inOneFile = try folder.check([("c.ndjson", Array(lines.shuffled(using: &random).joined().utf8))])
        #expect(inOneFile.clockSteps == steps.count)
        #expect(inOneFile.isSound)
    }

    @Test func `session names are compared by their text, not by its JSON escapes`() throws {
        let lines = [CheckLine.event("a/b", 1), CheckLine.event(#"a\/b"#, 2, id: "x"), CheckLine.event(#"\u0061\u002fb"#, 3, id: "y")]
        let report = try folder.check([("a.ndjson", Array(lines.joined().utf8))])
        #expect(report.sessions == 1)
        #expect(report.isSound)
    }

    @Test func `timing and meta lines have numbers as events have`() throws {
        let lines =
            [CheckLine.event("s", 1)]
            + ["meta", "timing"].enumerated().map { place, type in
                #"{"t_ms":1,"name":"x","session":"s","seq":\#(place + 2),"type":"\#(type)"}"# + "\n"
            }
        let report = try folder.check([("a.ndjson", Array((lines.joined() + CheckLine.event("s", 4)).utf8))])
        #expect(report.isSound)
        #expect([report.events, report.metaLines, report.timingLines] == [2, 1, 1])
    }
}

extension Int64 {
    fileprivate var asInt: Int { Int(self) }
}

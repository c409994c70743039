import Foundation
import LoopTesting
import Testing
import TrackingEvents

@testable import EventFiles

/// What a repair saves, gives up, and says of it.
@Suite struct EventFileRepairTests {
    let trial: RepairTrial

    init() throws { trial = try RepairTrial() }

    /// With `LOOPTRAIL_FUZZ_INPUTS` the file is cut at every byte, otherwise at those of headers and trailers and at every seventh between.
    @Test func `a file cut anywhere loses no whole member, and its sound form passes a check`() throws {
        let isWhole = ProcessInfo.processInfo.environment["LOOPTRAIL_FUZZ_INPUTS"] != nil
        let whole = Gzip.blocked(RepairTrial.members)
        let all = RepairTrial.members.joined().split(separator: "\n").map(String.init)
        var ends: [Int] = []
        for count in 1...3 { ends.append(Gzip.blocked(Array(RepairTrial.members[..<count]), end: false).count) }
        var salvaged = 0
        let edges = ([0] + ends).flatMap { ($0 - 8)...($0 + 28) }
        for cut in 1...whole.count where isWhole || cut % 7 == 0 || edges.contains(cut) {
            let report = try trial.repair(Array(whole[..<cut]))
            defer { try? FileManager.default.removeItem(atPath: trial.output) }
            let wholeMembers = ends.count { $0 <= cut }
            guard report.files[0].outcome == .repaired else {
                #expect(wholeMembers == 0, "cut at \(cut)")
                continue
            }
            #expect(report.isSound, "cut at \(cut)")
            let lines = try #require(try trial.lines(trial.output), "cut at \(cut)")
            #expect(lines.count >= wholeMembers * 10 && lines == Array(all.prefix(lines.count)), "cut at \(cut)")
            #expect(report.savedLines == lines.count)
            salvaged += report.salvagedLines
        }
        #expect(salvaged > 0, "some cut leaves whole lines in the member it falls into")
    }

    @Test func `a member whose checksum fails is left out, and its numbers are reported as dropped`() throws {
        var bytes = Gzip.blocked(RepairTrial.members)
        let second = Gzip.blocked([RepairTrial.members[0]], end: false).count
        let third = Gzip.blocked(Array(RepairTrial.members[..<2]), end: false).count
        bytes[third - 8] ^= 1
        let report = try trial.repair(bytes)
        #expect(report.isSound)
        #expect(report.damagedPlaces == 1 && report.unusableBytes == Int64(third - second))
        #expect(report.missingSequences == 10 && report.savedLines == 20)
        let lines = try #require(try trial.lines(trial.output))
        #expect(try sequences(lines) == Array(1...10) + Array(21...30))
        let dropped = try notes("dropped", in: lines)
        #expect(dropped.count == 1 && dropped[0]["count"] as? Int == 10)
        #expect(dropped[0]["sessions"] as? [String: Int] == ["s1": 10])
        #expect(dropped[0]["reasons"] as? [String: Int] == ["storage": 10])
        #expect(try trial.bytes(trial.input) == bytes, "the damaged file is as it was")
    }

    @Test func `numbers that a dropped line explains already are not explained twice`() throws {
        var random = SeededRandom(seed: 5)
        var tally = DropTally()
        tally.add(.overflow, session: "s1", count: 4)
        let note = StampedEvent(
            timeMilliseconds: 1, event: TrackingEvent("dropped", tally.properties(sessions: 8)),
            id: EventID(milliseconds: 1, random: &random),
            kind: .meta)
        let line = String(decoding: EventLineEncoder().line(of: note) ?? [], as: UTF8.self)
        // Numbers 5 to 8 were dropped by the writer, 11 to 20 by the damage.
        let texts = [RepairTrial.text(1...4) + RepairTrial.text(9...10), RepairTrial.text(11...20), RepairTrial.text(21...25) + line]
        var bytes = Gzip.blocked(texts)
        bytes[Gzip.blocked(Array(texts[..<2]), end: false).count - 8] ^= 1
        let report = try trial.repair(bytes)
        #expect(report.isSound && report.missingSequences == 10)
    }

    @Test func `a gap in an undamaged file stays unexplained`() throws {
        let report = try trial.repair(Gzip.blocked([RepairTrial.text(1...3), RepairTrial.text(7...9)]))
        #expect(!report.isSound)
        #expect(report.check?.unexplainedSequences == 3 && report.missingSequences == 0)
    }

    @Test func `numbers lost between two files of a session are reported as dropped once`() throws {
        let first = Gzip.blocked([RepairTrial.text(1...10), RepairTrial.text(11...20)])
        let inputs = ["a.ndjson.gz", "b.ndjson.gz"].map { trial.folder.path + "/" + $0 }
        try trial.folder.write(Array(first[..<(Gzip.blocked([RepairTrial.text(1...10)], end: false).count + 30)]), "a.ndjson.gz")
        try trial.folder.write(Gzip.blocked([RepairTrial.text(21...30)]), "b.ndjson.gz")
        let report = try trial.run(
            RepairJob(input: inputs[0], output: trial.folder.path + "/c.ndjson.gz"),
            RepairJob(input: inputs[1], output: trial.folder.path + "/d.ndjson.gz"))
        #expect(report.isSound && report.missingSequences == 10)
        #expect(try notes("dropped", in: #require(try trial.lines(trial.folder.path + "/d.ndjson.gz"))).count == 1)
    }

    @Test func `of two lines with the same id the first is kept, also across files`() throws {
        let double = Gzip.blocked([RepairTrial.text(1...3), RepairTrial.text(2...4)])
        #expect(try trial.repair(double).duplicates == 2)
        #expect(try sequences(#require(try trial.lines(trial.output))) == [1, 2, 3, 4])
        let again = try trial.run(
            RepairJob(input: trial.input, output: trial.folder.path + "/c.ndjson.gz"),
            RepairJob(input: trial.output, output: trial.folder.path + "/d.ndjson.gz"))
        #expect(again.files[0].savedLines == 4 && again.files[1].duplicates == 4)
        #expect(again.files[1].outcome == .nothingSaved && !again.isSound)
    }

    @Test func `lines that are no events are left out, counted and listed`() throws {
        let text = RepairTrial.text(1...2) + "{\"t_ms\":1}\nnonsense\n\n" + RepairTrial.text(3...4) + "{\"t_ms\":1,\"name\":"
        let report = try trial.repair(Gzip.blocked([text]))
        #expect(report.isSound)
        #expect(report.badLines == 4 && report.files[0].firstBadLines.map(\.lineNumber) == [3, 4, 5, 8])
        #expect(try sequences(#require(try trial.lines(trial.output))) == [1, 2, 3, 4])
    }

    @Test(arguments: ["plain", "gzip", "bgzip", "gzip of two"])
    func `files of other tools become blocked gzip`(framing: String) throws {
        let text = RepairTrial.text(1...20)
        let half = RepairTrial.text(1...10)
        let bytes: [UInt8] =
            switch framing {
            case "plain": Array(text.utf8)
            case "gzip": Gzip.ordinary(text)
            case "bgzip": Gzip.bgzip(text, size: 301)
            default: Gzip.ordinary(half) + Gzip.ordinary(RepairTrial.text(11...20))
            }
        let report = try trial.repair(bytes)
        #expect(report.isSound && report.savedLines == 20 && !report.files[0].hasLost)
        #expect(try sequences(#require(try trial.lines(trial.output))) == Array(1...20))
    }

    @Test func `an ordinary gzip stream that is cut gives its whole lines`() throws {
        let bytes = Gzip.ordinary(RepairTrial.text(1...200))
        let report = try trial.repair(Array(bytes[..<(bytes.count * 3 / 4)]))
        let saved = try sequences(#require(try trial.lines(trial.output)))
        #expect(report.isSound && saved.count > 20 && saved == Array(1...saved.count))
    }

    @Test func `a line of another tool that is longer than a member is kept whole`() throws {
        let long = "{\"t_ms\":1,\"name\":\"a\",\"props\":{\"x\":\"" + String(repeating: "ab", count: 100_000) + "\"}}"
        let report = try trial.repair(Array((RepairTrial.text(1...3) + long + "\n" + RepairTrial.text(4...6)).utf8))
        #expect(report.isSound && report.savedLines == 7)
        var lines: [String] = []
        _ = try EventFileReader(paths: [trial.output]).forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
        #expect(lines.count == 7 && lines[3] == long)
    }

    @Test func `a file from which nothing can be saved makes no file`() throws {
        for bytes in [[0x1F], Array(repeating: UInt8(0), count: 500), Array("nothing here\n".utf8)] {
            let report = try trial.repair(bytes)
            #expect(report.files[0].outcome == .nothingSaved && !report.isSound)
        }
        #expect(trial.names == [FilePath(trial.input).name])
    }

    @Test(arguments: [[], BGZF.endMember, Gzip.ordinary("")])
    func `an empty file makes no file, and a repair of others with it is sound`(empty: [UInt8]) throws {
        let alone = try trial.repair(empty)
        #expect(alone.files[0].outcome == .empty && !alone.isSound && alone.check == nil)
        #expect(trial.names == [FilePath(trial.input).name])
        let other = try trial.folder.write(Gzip.blocked(RepairTrial.members).dropLast(40) + [], "other.ndjson.gz")
        let report = try trial.run(
            RepairJob(input: trial.input, output: trial.folder.path + "/c.ndjson.gz"), RepairJob(input: other, output: trial.output))
        #expect(report.isSound && report.files.map(\.outcome) == [.empty, .repaired])
        #expect(trial.names == [FilePath(trial.input).name, "other.ndjson.gz", "sound.ndjson.gz"])
    }

    @Test func `in place an empty file without its end stays unsound`() throws {
        try trial.folder.write([], FilePath(trial.input).name)
        let report = try trial.run(RepairJob(input: trial.input, output: trial.input, isInPlace: true))
        #expect(report.files[0].outcome == .nothingSaved && !report.isSound)
    }

    @Test func `the whole lines of a cut member are saved behind any number of damaged places`() throws {
        let junk: [UInt8] = (0...FileReadResult.damageLimit).flatMap {
            [UInt8(0)] + Gzip.blocked([RepairTrial.text($0 + 1...$0 + 1)], end: false)
        }
        let last = Gzip.blocked([RepairTrial.text(2001...2300)], end: false)
        let report = try trial.repair(junk + last.prefix(last.count / 2))
        #expect(report.damagedPlaces == FileReadResult.damageLimit + 2)
        #expect(report.unusableBytes == Int64(FileReadResult.damageLimit + 1 + last.count / 2))
        #expect(report.salvagedLines > 100 && report.savedLines == FileReadResult.damageLimit + 1 + report.salvagedLines)
        #expect(report.isSound)
    }

    @Test func `a dropped line that is there twice explains its numbers once`() throws {
        let note = CheckLine.dropped(["s1": 4], id: "note")
        let texts = [
            RepairTrial.text(1...4) + note + RepairTrial.text(9...10), note + RepairTrial.text(11...14), note + RepairTrial.text(15...20),
        ]
        var second = Gzip.blocked(texts)
        second[Gzip.blocked(Array(texts[..<2]), end: false).count - 8] ^= 1
        let inputs = [
            try trial.folder.write(Gzip.blocked([texts[0]]), "a.ndjson.gz"), try trial.folder.write(second, "b.ndjson.gz"),
        ]
        let report = try trial.run(
            RepairJob(input: inputs[0], output: trial.folder.path + "/c.ndjson.gz"), RepairJob(input: inputs[1], output: trial.output))
        #expect(report.missingSequences == 4 && report.duplicates == 8)
        #expect(report.isSound, "5 to 8 were explained before, 11 to 14 are now")
    }

    @Test func `numbers lost by a cut between two members are reported as dropped`() throws {
        let inputs = [
            try trial.folder.write(Gzip.blocked([RepairTrial.members[0]], end: false), "a.ndjson.gz"),
            try trial.folder.write(Gzip.blocked([RepairTrial.members[2]]), "b.ndjson.gz"),
        ]
        let report = try trial.run(
            RepairJob(input: inputs[0], output: trial.folder.path + "/c.ndjson.gz"), RepairJob(input: inputs[1], output: trial.output))
        #expect(report.isSound && report.missingSequences == 10 && report.damagedPlaces == 0)
        #expect(report.files.map(\.missingSequences) == [0, 10])
    }

    /// The texts as members, one of them with a wrong checksum.
    private func spoilt(_ texts: [String], _ member: Int) -> [UInt8] {
        var bytes = Gzip.blocked(texts)
        bytes[Gzip.blocked(Array(texts[...member]), end: false).count - 8] ^= 1
        return bytes
    }

    @Test(arguments: [(0, 10), (1, 10), (2, 0)] as [(Int, Int64)])
    func `a session's lost beginning and middle are reported as dropped, and its lost end is not seen`(member: Int, missing: Int64) throws {
        let report = try trial.repair(spoilt(RepairTrial.members, member))
        #expect(report.isSound && report.savedLines == 20 && report.unusableBytes > 0)
        #expect(report.missingSequences == missing && report.uncertainSequences == 0)
        let dropped = try notes("dropped", in: #require(try trial.lines(trial.output)))
        #expect(dropped.compactMap { $0["sessions"] as? [String: Int] } == (missing == 0 ? [] : [["s1": 10]]))
        #expect(try EventFileCheck(EventFileReader(paths: [trial.output]), complete: true).run().isSound)
    }

    @Test(arguments: [nil, 1, 2] as [Int?])
    func `in a session that begins before the files only numbers lost by damage are reported as dropped`(member: Int?) throws {
        let texts = [RepairTrial.text(11...20), RepairTrial.text(21...30), RepairTrial.text(31...40)]
        let report = try trial.repair(member.map { spoilt(texts, $0) } ?? Gzip.blocked(texts))
        #expect(report.missingSequences == (member == 1 ? 10 : 0) && report.uncertainSequences == 0)
        let check = try #require(report.check)
        #expect(check.earlierSequences == 10 && check.unexplainedEarlierSequences == 10)
    }

    @Test func `a line that is no event may have been a session's first`() throws {
        let report = try trial.repair(Gzip.blocked(["{\"t_ms\":1\n" + RepairTrial.text(2...5)]))
        #expect(report.badLines == 1 && report.missingSequences == 1)
        try FileManager.default.removeItem(atPath: trial.output)
        #expect(try trial.repair(Gzip.blocked([RepairTrial.text(2...5) + "{\"t_ms\":1\n"])).missingSequences == 0)
    }

    /// A file that lost a member, and a later one in which a session begins at 11. Two characters stand for writer and number.
    @Test(
        arguments: [
            ("a1", "a2", 10, 0), ("a2", "a3", 0, 10), ("a1", "a3", 0, 10), ("a1", "b1", 0, 0), ("x", "y", 0, 10),
        ] as [(String, String, Int64, Int64)])
    func `a missing beginning is reported as dropped in a later file if all files before it are there`(
        damaged: String, later: String, missing: Int64, uncertain: Int64
    ) throws {
        func name(_ short: String) -> String {
            short.count == 1 ? short + ".ndjson.gz" : "events-0000000\(short.prefix(1))-000000000\(short.suffix(1)).ndjson.gz"
        }
        let inputs = [
            try trial.folder.write(spoilt(Array(RepairTrial.members.prefix(2)), 1), name(damaged)),
            try trial.folder.write(Gzip.blocked([RepairTrial.text(11...20, session: "s2")]), name(later)),
        ]
        let report = try trial.run(
            RepairJob(input: inputs[0], output: trial.folder.path + "/c.ndjson.gz"), RepairJob(input: inputs[1], output: trial.output))
        #expect(report.isSound)
        #expect(report.files.map(\.missingSequences) == [0, missing] && report.files.map(\.uncertainSequences) == [0, uncertain])
        let dropped = try notes("dropped", in: #require(try trial.lines(trial.output)))
        #expect(dropped.compactMap { $0["sessions"] as? [String: Int] } == (missing == 0 ? [] : [["s2": 10]]))
    }

    @Test(arguments: ["events-0000000a-0000000001.ndjson.gz", "x.ndjson.gz"])
    func `sums of numbers that are too large stop at the largest number`(name: String) throws {
        let lines = (0..<1500).map { CheckLine.event("s\($0)", 9_007_199_254_740_991, time: 1) }
        let input = try trial.folder.write(Gzip.blocked(["bad\n"] + lines), name)
        let report = try trial.run(RepairJob(input: input, output: trial.output))
        #expect(report.savedLines == 1500 && max(report.missingSequences, report.uncertainSequences) == .max)
    }

    @Test func `a missing beginning in a file without a segment's name is uncertain, and not reported as dropped`() throws {
        let input = try trial.folder.write(spoilt(RepairTrial.members, 0), "bad.ndjson.gz")
        let report = try trial.run(RepairJob(input: input, output: trial.output))
        #expect(report.isSound && report.missingSequences == 0 && report.uncertainSequences == 10)
    }
}

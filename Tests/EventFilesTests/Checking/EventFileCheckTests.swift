import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct EventFileCheckTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    private func dropped(_ properties: String, id: String = "d") -> String {
        #"{"v":1,"t_ms":1,"name":"dropped","id":"\#(id)","type":"meta","props":\#(properties)}"# + "\n"
    }

    private func check(_ text: String) throws -> CheckResult {
        try folder.check([("a-00000000-0000000001.ndjson.gz", Gzip.blocked([text]))])
    }

    @Test func `a member that is damaged, cut or has a false size is a fault`() throws {
        let bytes = Gzip.blocked([CheckLine.event("s", 1), CheckLine.event("s", 2), CheckLine.event("s", 3)])
        for change in [{ $0[40] ^= 1 }, { $0.removeLast(40) }, { $0[16] ^= 4 }] as [(inout [UInt8]) -> Void] {
            var changed = bytes
            change(&changed)
            for name in ["a.ndjson.gz", "a.ndjson.gz.open"] {
                let report = try folder.check([(name, changed)])
                #expect(report.faults.contains(.damagedMember))
                #expect(!report.isSound)
            }
        }
    }

    @Test(arguments: [
        "x", "{}", #"{"t_ms":1,"name":"e","props":{"a":tru}}"#, #"{"v":2,"t_ms":1,"name":"e"}"#, "",
        "{\"t_ms\":1,\"name\":\"e\",\"x\":\"\u{1}\"}",
    ])
    func `a bad line is a fault and is listed with its number and offset`(bad: String) throws {
        let report = try check(CheckLine.event("s", 1) + bad + "\n" + CheckLine.event("s", 2))
        #expect(report.faults == [.badLine])
        let found = try #require(report.files[0].firstBadLines.first)
        #expect(found.lineNumber == 2)
        #expect(found.byteOffset == 0)
        #expect(report.badLines == 1)
        let plain = try folder.check([("p.ndjson", Array((CheckLine.event("s", 1) + bad + "\n").utf8))])
        #expect(plain.files[0].firstBadLines.first?.byteOffset == Int64(CheckLine.event("s", 1).utf8.count))
    }

    @Test func `a line that is too long is a fault`() throws {
        let long = #"{"t_ms":1,"name":"e","x":""# + String(repeating: "x", count: EventFileReader.lineLimit) + "\"}\n"
        let report = try folder.check([("a.ndjson", Array((CheckLine.event("s", 1) + long + CheckLine.event("s", 2)).utf8))])
        #expect(report.faults == [.badLine])
        #expect(report.badLines == 1)
        #expect(report.lines == 2)
        #expect(report.files[0].read.damage.map(\.kind) == [.longLine])
    }

    @Test func `an id that occurs twice is a fault of the later file, on a line of any kind`() throws {
        let meta = dropped("{}", id: "s-1")
        let report = try folder.check([
            ("a.ndjson.gz", Gzip.blocked([CheckLine.event("s", 1) + CheckLine.event("s", 2)])),
            ("b.ndjson.gz", Gzip.blocked([CheckLine.event("s", 3), meta])),
            ("c.ndjson.gz", Gzip.blocked([CheckLine.event("t", 1, id: "s\\u002d3")])),
        ])
        #expect(report.faults == [.duplicateID])
        #expect(report.files.map(\.duplicates) == [0, 1, 1])
    }

    @Test func `lines without id are no duplicates`() throws {
        #expect(try check(String(repeating: #"{"t_ms":1,"name":"e"}"# + "\n", count: 3)).isSound)
    }

    @Test func `a gap is a fault unless dropped lines explain all of it`() throws {
        let lines = [1, 2, 5, 6, 9].map { CheckLine.event("s", $0) }.joined()
        let bare = try check(lines)
        #expect(bare.faults == [.unexplainedGap])
        #expect(bare.missingSequences == 4)
        #expect(bare.unexplainedSequences == 4)
        #expect(bare.firstGaps.map(\.firstMissing) == [3, 7])
        #expect(bare.firstGaps.map(\.lastMissing) == [4, 8])
        #expect(bare.firstGaps.allSatisfy { $0.session == "s" && !$0.isExplained })

        for (properties, unexplained) in [
            (#"{"count":4,"sessions":{"s":4}}"#, 0), (#"{"count":9,"sessions":{"s":9}}"#, 0), (#"{"count":3,"sessions":{"s":3}}"#, 1),
            (#"{"count":4,"sessions":{"s":1,"_other":3}}"#, 0), (#"{"count":4,"sessions":{"_other":4}}"#, 0),
            (#"{"count":4,"sessions":{"t":4}}"#, 4), (#"{"count":4}"#, 4), (#"{"sessions":{"s":"4"}}"#, 4), (#"{"sessions":{"s":-4}}"#, 4),
            (#"{"sessions":[4]}"#, 4), (#"{"sessions":{"s":4.0}}"#, 0), (#"{"sessions":{"\u0073":4}}"#, 0),
        ] {
            let report = try check(lines + dropped(properties))
            #expect(report.unexplainedSequences == unexplained, "\(properties)")
            #expect(report.missingSequences == 4)
            #expect(report.isSound == (unexplained == 0))
            #expect(report.firstGaps.allSatisfy { $0.isExplained == (unexplained == 0) })
        }
    }

    @Test func `several dropped lines add up, from any file`() throws {
        let report = try folder.check([
            ("a.ndjson.gz", Gzip.blocked([dropped(#"{"count":1,"sessions":{"s":1}}"#, id: "d1")])),
            ("b.ndjson.gz", Gzip.blocked([CheckLine.event("s", 1) + CheckLine.event("s", 4)])),
            ("c.ndjson.gz", Gzip.blocked([dropped(#"{"count":1,"sessions":{"s":1}}"#, id: "d2")])),
        ])
        #expect(report.isSound)
        #expect(report.droppedEvents == 2)
        #expect(report.files.map(\.missingSequences) == [0, 2, 0])
    }

    @Test(arguments: [true, false])
    func `a dropped line that is there twice explains its numbers once`(inOneMember: Bool) throws {
        let folder = try ReadingFolder()
        let note = CheckLine.dropped(["s": 2], id: "note")
        // The line explains 3 and 4. Its copy does not explain 6 and 7.
        let texts = [CheckLine.event("s", 1) + CheckLine.event("s", 2) + note, CheckLine.event("s", 5) + note + CheckLine.event("s", 8)]
        let report = try folder.check([("a.ndjson.gz", Gzip.blocked(inOneMember ? [texts.joined()] : texts))])
        #expect(report.droppedEvents == 2 && report.duplicates == 1)
        #expect(report.missingSequences == 4 && report.unexplainedSequences == 2)
        let both = try folder.check([("b.ndjson.gz", Gzip.blocked([texts[0]])), ("c.ndjson.gz", Gzip.blocked([texts[1]]))])
        #expect(both.droppedEvents == 2 && both.unexplainedSequences == 2)
    }

    @Test func `damage beyond the listed places is counted under its fault, too`() throws {
        let member = Gzip.blocked(["{\"t_ms\":1,\"name\":\"e\"}\n"], end: false)
        let much: [UInt8] = (0...FileReadResult.damageLimit).flatMap { _ in [0] + member }
        let report = try ReadingFolder().check([("a.ndjson.gz", much + member.dropLast(2))])
        #expect(report.count(of: .foreignBytes) == Int64(FileReadResult.damageLimit + 1))
        #expect(report.count(of: .damagedMember) == 1 && report.count(of: .missingEndMember) == 0)
        #expect(report.faults == [.damagedMember, .foreignBytes])
    }

    @Test func `an ordinary event with the name dropped explains nothing`() throws {
        let event = dropped(#"{"count":1,"sessions":{"s":1}}"#).replacingOccurrences(of: #""type":"meta","#, with: "")
        #expect(try check(CheckLine.event("s", 1) + CheckLine.event("s", 3) + event).faults == [.unexplainedGap])
    }

    @Test func `clock steps are reported and are no fault`() throws {
        let lines = ([5000, 4000, 4000] as [Int64]).enumerated().map { CheckLine.event("s", $0 + 1, time: $1) }
        let report = try folder.check([
            ("a.ndjson.gz", Gzip.blocked([lines.joined()])),
            ("b.ndjson.gz", Gzip.blocked([CheckLine.event("s", 4, time: 1000) + CheckLine.event("t", 1, time: 9)])),
        ])
        #expect(report.isSound)
        #expect(report.files.map(\.clockSteps) == [1, 1])
        #expect(report.largestClockStep == 3000)
    }

    @Test func `sums of made-up numbers do not overflow`() throws {
        let huge = Int(EventLineLimits.integerMagnitude)
        var text = ""
        for session in 0..<1100 { text += CheckLine.event("s\(session)", 1) + CheckLine.event("s\(session)", huge, time: 5) }
        text += dropped(#"{"count":9223372036854775807,"sessions":{"s0":9223372036854775807,"_other":9223372036854775807}}"#, id: "d1")
        text += dropped(#"{"count":9223372036854775807,"sessions":{"s0":9223372036854775807,"_other":9223372036854775807}}"#, id: "d2")
        let report = try folder.check([("a.ndjson", Array(text.utf8))])
        #expect(report.missingSequences == .max)
    }

    @Test func `counts are the same on any number of threads`() throws {
        let texts = (0..<200).map { member in (1...80).map { CheckLine.event("s\(member % 7)", member * 80 + $0) }.joined() }
        let bytes = Gzip.blocked(texts)
        let reports = try [1, 2, 6].map { try folder.check([("a.ndjson.gz", bytes)], threads: $0) }
        #expect(reports[0] == reports[1] && reports[1] == reports[2])
        #expect(reports[0].lines == 16_000)
    }
}

import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// What a check says of sessions that begin before the files, and of lines about files that were removed.
@Suite struct CompletenessTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    private func removed(_ segment: String, _ sessions: [String: Int], id: String) -> String {
        let entries = sessions.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
        let count = sessions.values.reduce(0, +)
        return
            #"{"v":1,"t_ms":1,"name":"dropped","id":"\#(id)","type":"meta","props":{"count":\#(count),"reasons":{"retention":\#(count)},"#
            + #""sessions":{\#(entries)},"segment":"\#(segment)"}}"# + "\n"
    }

    private func check(_ lines: [String], name: String = "a.ndjson.gz", complete: Bool = false) throws -> CheckResult {
        let path = try folder.write(Gzip.blocked([lines.joined()]), name)
        return try EventFileCheck(EventFileReader(paths: [path]), complete: complete).run(threads: 1)
    }

    @Test(arguments: [false, true])
    func `a session that begins above 1 is counted, and is a fault only if all files are expected`(complete: Bool) throws {
        let lines = [CheckLine.event("s", 4), CheckLine.event("s", 5), CheckLine.event("t", 1), CheckLine.event("u", 2)]
        let report = try check(lines, complete: complete)
        #expect(report.earlierSessions == 2 && report.earlierSequences == 4 && report.unexplainedEarlierSequences == 4)
        #expect(report.missingSequences == 0 && report.isSound == !complete)
        #expect(report.faults == (complete ? [.missingBeginning] : []))
        #expect(report.count(of: .missingBeginning) == (complete ? 4 : 0))
    }

    @Test func `the lowest number is a session's beginning in any order of lines`() throws {
        let report = try check([CheckLine.event("s", 9), CheckLine.event("s", 3), CheckLine.event("s", 7), CheckLine.event("s", 4)])
        #expect(report.earlierSessions == 1 && report.earlierSequences == 2 && report.missingSequences == 3)
    }

    @Test func `removed events explain a missing beginning before they explain a gap`() throws {
        let lines = [CheckLine.event("s", 11), CheckLine.event("s", 14), removed("x.ndjson.gz", ["s": 10], id: "r")]
        let report = try check(lines, complete: true)
        #expect(report.unexplainedEarlierSequences == 0 && report.unexplainedSequences == 2 && report.faults == [.unexplainedGap])
    }

    @Test func `dropped events explain a gap before they explain a missing beginning`() throws {
        let lines = [CheckLine.event("s", 11), CheckLine.event("s", 14), CheckLine.dropped(["s": 2], id: "d")]
        let report = try check(lines, complete: true)
        #expect(report.unexplainedSequences == 0 && report.unexplainedEarlierSequences == 10 && report.faults == [.missingBeginning])
        #expect(try check(lines + [CheckLine.dropped(["s": 7, "_other": 3], id: "e")], name: "b.ndjson.gz", complete: true).isSound)
    }

    @Test func `two lines about one file count once`() throws {
        let line = { (id: String) in removed("x.ndjson.gz", ["s": 5], id: id) }
        let report = try check([CheckLine.event("s", 11), line("r"), line("q")], complete: true)
        #expect(report.droppedEvents == 5 && report.removedEvents == 5 && report.unexplainedEarlierSequences == 5)
    }

    @Test func `a line about a removed file is not counted while that file is here`() throws {
        let path = try folder.write(
            Gzip.blocked([CheckLine.event("s", 1) + removed("here.ndjson.gz", ["s": 1], id: "r") + CheckLine.event("s", 3)]), "a.ndjson.gz")
        let here = try folder.write(Gzip.blocked([CheckLine.event("t", 1)]), "here.ndjson.gz")
        for order in [[path, here], [here, path]] {
            let report = try EventFileCheck(EventFileReader(paths: order)).run(threads: 2)
            #expect(report.droppedEvents == 0 && report.unexplainedSequences == 1)
        }
        #expect(try EventFileCheck(EventFileReader(paths: [path])).run().isSound)
    }

    @Test func `a line about a removed file is counted if that file went after it was listed`() throws {
        try folder.write(
            Gzip.blocked([CheckLine.event("s", 1) + removed("here.ndjson.gz", ["s": 1], id: "r") + CheckLine.event("s", 3)]), "a.ndjson.gz")
        let here = try folder.write(Gzip.blocked([CheckLine.event("s", 2)]), "here.ndjson.gz")
        let reader = try EventFileReader(paths: [folder.path])
        try FileManager.default.removeItem(atPath: here)
        let report = try EventFileCheck(reader).run(threads: 2)
        #expect(report.gone == [here] && report.removedEvents == 1 && report.isSound)
    }

    @Test func `the last file of each writer is listed, by number and not by order`() throws {
        let names = [
            "events-0a1b2c3d4e5f6071-0000000002.ndjson.gz", "events-0a1b2c3d4e5f6071-0000000010.ndjson.gz.open",
            "events-ffffffffffffffff-0000000001.ndjson.gz", "other-0a1b2c3d-0000000003.ndjson.gz", "plain.ndjson.gz",
        ]
        let report = try folder.check(
            names.enumerated().map { ($1, Gzip.blocked([CheckLine.event("s\($0)", 1)], end: !$1.hasSuffix("open"))) })
        #expect(
            report.lastSegments == [
                .init(writer: "events-0a1b2c3d4e5f6071", path: folder.path + "/" + names[1], isOpen: true),
                .init(writer: "events-ffffffffffffffff", path: folder.path + "/" + names[2], isOpen: false),
                .init(writer: "other-0a1b2c3d", path: folder.path + "/" + names[3], isOpen: false),
            ])
    }

    @Test func `a file that a forgetting made is no writer's last file`() throws {
        let old = SegmentName(stem: "events", writer: 1, number: 1)
        let made = ForgetRewriting.replacement(of: old)
        let report = try folder.check([
            (old.sealed, BGZF.endMember), (made.sealed, Gzip.blocked([CheckLine.event("s", 1)])),
            (ForgetRewriting.replacement(of: made).sealed, Gzip.blocked([CheckLine.event("s", 2)])),
        ])
        #expect(report.lastSegments.map(\.path) == [folder.path + "/" + old.sealed])
        let alone = try EventFileCheck(EventFileReader(paths: [folder.path + "/" + made.sealed])).run(threads: 1)
        #expect(alone.lastSegments.map(\.path) == [folder.path + "/" + made.sealed], "the file that it was made of is not here")
    }

    @Test func `a removed file's line with odd properties explains nothing`() throws {
        for props in [
            #"{"segment":7,"count":3}"#, #"{"segment":"x","count":-3,"sessions":{"s":-1}}"#,
            #"{"segment":null,"reasons":{"retention":"x"}}"#,
        ] {
            let line = #"{"v":1,"t_ms":1,"name":"dropped","id":"\#(props.utf8.count)","type":"meta","props":\#(props)}"# + "\n"
            let report = try check([CheckLine.event("s", 1), CheckLine.event("s", 3), line])
            #expect(report.unexplainedSequences == 1 && report.removedEvents == 0)
        }
    }
}

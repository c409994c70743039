import Testing
import TrackingEvents

@testable import EventFiles

/// Which findings make files unsound, one by one and together.
@Suite struct CheckFaultsTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    private static let good = CheckLine.event("s", 1) + CheckLine.event("s", 2)
    private static let sealed = Gzip.blocked([good])

    @Test(
        arguments: [
            ("sealed", "a.ndjson.gz", sealed, []), ("still open", "a.ndjson.gz.open", Gzip.blocked([good], end: false), []),
            ("open with its end", "a.ndjson.gz.open", sealed, []), ("plain", "a.ndjson", Array(good.utf8), []),
            (
                "plain with a mark and carriage returns", "a.ndjson",
                [0xEF, 0xBB, 0xBF] + Array(good.utf8).flatMap { $0 == 10 ? [13, 10] : [$0] }, []
            ),
            ("no last line feed", "a.ndjson", Array(good.utf8.dropLast()), []), ("ordinary gzip", "a.jsonl.gz", Gzip.ordinary(good), []),
            ("many members", "a.ndjson.gz", Gzip.ordinary(CheckLine.event("s", 1)) + Gzip.ordinary(CheckLine.event("s", 2)), []),
            ("two sealed files joined", "a.ndjson.gz", sealed + Gzip.blocked([CheckLine.event("s", 3)]), []),
            ("only the end member", "a.ndjson.gz", BGZF.endMember, []), ("empty, open", "a.ndjson.gz.open", [], []),
            ("empty, plain", "a.ndjson", [], []), ("empty, sealed", "a.ndjson.gz", [], [.missingEndMember]),
            ("no end member", "a.ndjson.gz", Gzip.blocked([good], end: false), [.missingEndMember]),
            ("half an end member", "a.ndjson.gz", sealed.dropLast(5), [.damagedMember]),
            ("half an end member, open", "a.ndjson.gz.open", sealed.dropLast(5), [.damagedMember]),
            ("zeros behind", "a.ndjson.gz", sealed + [0, 0, 0], [.foreignBytes]),
            ("zeros behind, open", "a.ndjson.gz.open", sealed + [UInt8](repeating: 0, count: 5000), [.foreignBytes]),
            ("zeros in front", "a.ndjson.gz", [0, 0] + sealed, [.foreignBytes]),
            ("text behind", "a.ndjson.gz", sealed + Array("{}\n".utf8), [.foreignBytes]),
            ("one zero behind ordinary gzip", "a.ndjson.gz", Gzip.ordinary(good) + [0], [.foreignBytes]),
            ("ordinary gzip cut", "a.ndjson.gz", Gzip.ordinary(good).dropLast(1), [.damagedMember]),
            ("a bad line", "a.ndjson", Array((good + "nonsense\n").utf8), [.badLine]),
            ("an empty line", "a.ndjson", Array((good + "\n").utf8), [.badLine]),
            ("a bad line within props", "a.ndjson", Array(#"{"t_ms":1,"name":"a","props":{"a":01}}"#.utf8), [.badLine]),
            (
                "no UTF-8 within props", "a.ndjson", Array(#"{"t_ms":1,"name":"a","props":{"a":""#.utf8) + [0xFF] + Array("\"}}".utf8),
                [.badLine]
            ),
            ("one brace too many", "a.ndjson", Array(#"{"t_ms":1,"name":"a","props":{}}}"#.utf8), [.badLine]),
            ("a newer version", "a.ndjson", Array(#"{"v":2,"t_ms":1,"name":"a"}"#.utf8), [.badLine]),
            ("an id twice", "a.ndjson", Array((good + CheckLine.event("t", 1, id: "s-1")).utf8), [.duplicateID]),
            ("a gap", "a.ndjson", Array((good + CheckLine.event("s", 4)).utf8), [.unexplainedGap]),
            ("a number twice", "a.ndjson", Array((good + CheckLine.event("s", 2, id: "other")).utf8), []),
            ("a clock that goes back", "a.ndjson", Array((good + CheckLine.event("s", 3, time: -5)).utf8), []),
            (
                "all at once", "a.ndjson.gz",
                Gzip.blocked([good + good + "x\n" + CheckLine.event("s", 9)], end: false) + [1, 2, 3],
                [.foreignBytes, .badLine, .duplicateID, .unexplainedGap]
            ),
        ] as [(String, String, [UInt8], [CheckResult.Fault])])
    func `a file has exactly its faults`(what: String, name: String, bytes: [UInt8], faults: [CheckResult.Fault]) throws {
        for threads in [1, 3] {
            let report = try folder.check([(name, bytes)], threads: threads)
            #expect(report.faults == faults)
            #expect(report.isSound == faults.isEmpty)
            for fault in CheckResult.Fault.allCases { #expect((report.count(of: fault) > 0) == faults.contains(fault)) }
            #expect(report.bytes == Int64(bytes.count))
            #expect(report.files.count == 1)
        }
    }

    @Test func `every bad line is counted, and the first ones are listed with line number and member`() throws {
        let members = (0..<40).map { "\(CheckLine.event("s", $0 * 2 + 1))bad \($0)\n\(CheckLine.event("s", $0 * 2 + 2))" }
        let bytes = Gzip.blocked(members)
        var offsets: [Int64] = []
        var place = 0
        for member in members {
            offsets.append(Int64(place))
            place += Gzip.blocked([member], end: false).count
        }
        let report = try folder.check([("a.ndjson.gz", bytes)])
        #expect(report.badLines == 40)
        #expect(report.files[0].firstBadLines.map(\.lineNumber) == (0..<CheckResult.exampleLimit).map { $0 * 3 + 2 })
        #expect(report.files[0].firstBadLines.map(\.byteOffset) == Array(offsets.prefix(CheckResult.exampleLimit)))
        #expect(report.faults == [.badLine])
        #expect(report.members == 40)
    }

    @Test func `a duplicate counts for the later line's file, in whatever files and members the two lines are`() throws {
        let ids = (0..<300).map { "id-\($0)" }
        var random = SeededRandom(seed: 41)
        for _ in 0..<10 {
            var seen: Set<String> = []
            var expected = [0, 0, 0]
            let files = (0..<3).map { file in
                let texts = (0..<4).map { _ in
                    (0..<40).map { _ in
                        let id = ids.randomElement(using: &random) ?? ""
                        if !seen.insert(id).inserted { expected[file] += 1 }
                        return #"{"t_ms":1,"name":"e","id":"\#(id)"}"# + "\n"
                    }.joined()
                }
                return ("f\(file).ndjson.gz", Gzip.blocked(texts))
            }
            let report = try folder.check(files, threads: 3)
            #expect(report.files.map(\.duplicates) == expected)
            #expect(report.count(of: .duplicateID) == Int64(expected.reduce(0, +)))
        }
    }

    @Test func `a copy of a file under another name has only duplicates, and no gaps`() throws {
        let report = try folder.check([("a.ndjson.gz", Self.sealed), ("b.ndjson.gz", Self.sealed)])
        #expect(report.files.map(\.duplicates) == [0, 2])
        #expect(report.missingSequences == 0)
        #expect(report.sessions == 1)
        #expect(report.faults == [.duplicateID])
    }

    @Test func `a check of no file is not sound`() throws {
        let report = try EventFileCheck(EventFileReader(paths: [folder.path])).run()
        #expect(!report.isSound)
        #expect(report == CheckResult())
    }
}

import Foundation
import Testing
import TrackingEvents

@testable import EventFiles
@testable import Reports

@Suite("Check reports")
struct CheckResultTests {
    /// A check of a sound file and of one with many kinds of fault; some names are hostile.
    private func sample() -> CheckResult {
        var check = CheckResult()
        var sound = FileReadResult(path: "events/a.ndjson.gz")
        sound.framing = .blocked
        (sound.bytes, sound.members, sound.lines, sound.hasEndMember) = (1234, 3, 2000, true)
        check.files.append(CheckResult.File(read: sound))
        var broken = FileReadResult(path: "events/\u{1B}[2J.ndjson.gz")
        broken.framing = .blocked
        (broken.bytes, broken.lines, broken.damagedMembers) = (100, 5, 30)
        broken.damage = (0..<25).map { Damage(kind: .member, byteOffset: Int64($0) * 1000, bytes: 10, message: "the CRC is wrong \u{7}") }
        var file = CheckResult.File(read: broken)
        file.badLines = 2
        file.firstBadLines = [CheckResult.BadLineFound(lineNumber: 3, byteOffset: 500, problem: BadLine(.empty, at: 0))]
        (file.duplicates, file.missingSequences, file.clockSteps) = (1, 4, 1)
        check.files.append(file)
        check.leftOut = ["events/b.open"]
        check.gone = ["events/old"]
        check.pending = [.init(path: "events/.pending", files: 2, bytes: 1_500)]
        check.rings = [.init(path: "events/.app-000000000000000a.ring", lines: 12)]
        (check.events, check.metaLines, check.sessions, check.droppedEvents) = (2003, 1, 7, 1)
        (check.missingSequences, check.unexplainedSequences, check.largestClockStep) = (4, 3, 61_000)
        check.firstGaps = [
            CheckResult.Gap(session: "s\u{202E}", firstMissing: 2, lastMissing: 4, isExplained: false, file: 1),
            CheckResult.Gap(session: "t", firstMissing: 9, lastMissing: 9, isExplained: true, file: 5),
        ]
        return check
    }

    @Test func `a table names every place, counts the rest, and ends with the verdict`() {
        let text = TableReport().text(of: sample())
        let lines = text.split(separator: "\n").map(String.init)
        let folded = lines.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines[0].hasPrefix("file") && lines[0].hasSuffix("clock steps"))
        #expect(lines[1].hasPrefix("events/a.ndjson.gz") && lines[1].contains("2,000"))
        #expect(folded.contains(#"events/\u{1B}[2J.ndjson.gz 19,000 the CRC is wrong \u{7}"#) && !text.contains(" 20,000 "))
        #expect(folded.contains(#"events/\u{1B}[2J.ndjson.gz 500 3 byte 0: the line is empty"#))
        #expect(folded.contains(#"s\u{202E} 2 4 no events/\u{1B}[2J.ndjson.gz"#))
        #expect(folded.contains("t 9 9 yes"))
        #expect(folded.contains("events/b.open its content is in another file"))
        #expect(folded.contains("events/old removed before it could be read"))
        #expect(folded.contains("events/.pending 2 files (1.5 kB) waiting for consent"))
        #expect(folded.contains("events/.app-000000000000000a.ring 12 lines in the ring of a writer that is at work or was killed"))
        #expect(
            text.contains(
                "2,003 events, 1 meta line, 0 timing lines in 2 files (1.3 kB), 7 sessions, 1 dropped by the writer, 4 missing by sequence, "
                    + "1 clock step back, the largest 1m1s\n"))
        #expect(lines.last == "not sound: 25 damaged members, 2 bad lines, 1 duplicate, 3 missing by sequence and not explained")
        #expect(!text.unicodeScalars.contains { $0 != "\n" && TerminalText.acts($0) })
    }

    @Test func `sound files are called sound`() {
        var check = sample()
        check.files.removeLast()
        check.unexplainedSequences = 0
        #expect(TableReport().text(of: check).hasSuffix("\nsound\n"))
        #expect(JSONReport().text(of: check).contains(#""sound":true"#))
        #expect(TableReport().text(of: CheckResult()).hasPrefix("no files\n"))
    }

    @Test func `sessions that begin before the files are counted, and fail the check only if completeness was asked for`() throws {
        var check = sample()
        check.files.removeLast()
        (check.unexplainedSequences, check.firstGaps) = (0, [])
        (check.earlierSessions, check.earlierSequences, check.unexplainedEarlierSequences) = (2, 1_200, 200)
        (check.droppedEvents, check.removedEvents) = (1_000, 900)
        let text = TableReport().text(of: check)
        #expect(text.contains("2 sessions begin before these files, by 1,200 numbers, 1,000 of them explained by dropped lines\n"))
        #expect(text.contains("1,000 dropped by the writer, 900 of them removed before they were taken") && text.hasSuffix("\nsound\n"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(JSONReport().text(of: check).utf8)) as? [String: Any])
        let totals = try #require(object["totals"] as? [String: Int])
        #expect(totals["earlier_sessions"] == 2 && totals["earlier_sequences"] == 1_200 && totals["removed_events"] == 900)
        #expect(totals["unexplained_earlier_sequences"] == 200)
        check.isCompleteAsked = true
        #expect(TableReport().text(of: check).hasSuffix("\nnot sound: 200 missing before these files and not explained\n"))
        #expect(JSONReport().text(of: check).contains(#""missing_beginnings":200"#))
        (check.earlierSessions, check.earlierSequences, check.unexplainedEarlierSequences) = (1, 1, 1)
        #expect(TableReport().text(of: check).contains("1 session begins before these files, by 1 number\n"))
    }

    @Test func `the last file of each writer is named, in the table of at most forty writers`() throws {
        var check = sample()
        check.lastSegments = (0..<43).map { .init(writer: "w\($0)\u{7}", path: "in/w\($0).ndjson.gz.open", isOpen: $0 == 0) }
        let lines = TableReport().text(of: check).split(separator: "\n").map(String.init)
        #expect(
            lines.contains { $0.split(separator: " ") == [#"w0\u{7}"#, "in/w0.ndjson.gz.open", "yes"] } && lines.contains("and 3 more rows")
        )
        #expect(lines.count { $0.hasPrefix("w") && $0.contains("ndjson.gz.open") } == 40)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(JSONReport().text(of: check).utf8)) as? [String: Any])
        let last = try #require(object["last_segments"] as? [[String: Any]])
        #expect(last.count == 43 && last[0]["open"] as? Bool == true && last[1]["path"] as? String == "in/w1.ndjson.gz.open")
    }

    @Test func `a narrow terminal loses columns and no files`() {
        let text = TableReport(TextStyle(width: 60, isASCII: true)).text(of: sample())
        #expect(text.hasPrefix("file") && text.contains("events/a.ndjson.gz") && text.utf8.allSatisfy { $0 < 0x80 })
        for line in text.split(separator: "\n").prefix(3) { #expect(line.count <= 60) }
    }

    @Test func `a long path keeps its end, wherever it stands`() {
        let folder = String(repeating: "folder/", count: 40)
        var check = sample()
        check.files[1].read.path = folder + "broken.ndjson.gz"
        check.leftOut = [folder + "twice.ndjson.gz"]
        check.gone = [folder + "gone.ndjson.gz"]
        let lines = TableReport(TextStyle(isASCII: true)).text(of: check).split(separator: "\n")
        #expect(lines[2].hasPrefix("...") && lines[2].contains("broken.ndjson.gz "), "its row")
        #expect(lines.contains { $0.hasPrefix("...") && $0.contains("/broken.ndjson.gz ") && $0.contains("the CRC is wrong") })
        for name in ["twice", "gone"] { #expect(lines.contains { $0.hasPrefix("...") && $0.contains("/\(name).ndjson.gz ") }) }
    }

    @Test func `json holds every number and acts on no terminal`() throws {
        let text = JSONReport().text(of: sample())
        #expect(!text.unicodeScalars.contains { $0 != "\n" && TerminalText.acts($0) })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["sound"] as? Bool == false && object["schema"] as? Int == 1)
        let faults = try #require(object["faults"] as? [String: Int])
        #expect(
            faults == [
                "damaged_members": 25, "foreign_bytes": 0, "missing_end_members": 0, "bad_lines": 2, "duplicates": 1,
                "unexplained_sequences": 3,
            ])
        let files = try #require(object["files"] as? [[String: Any]])
        #expect(files.map { $0["lines"] as? Int } == [2000, 5] && files.map { $0["end_member"] as? Bool } == [true, false])
        #expect((files[1]["damage"] as? [[String: Any]])?.count == 25)
        #expect(((files[1]["first_bad_lines"] as? [[String: Any]])?.first?["line"] as? Int) == 3)
        let gaps = try #require(object["gaps"] as? [[String: Any]])
        #expect(gaps.map { $0["explained"] as? Bool } == [false, true] && gaps[1]["file"] is NSNull)
        #expect((object["totals"] as? [String: Int])?["largest_clock_step_ms"] == 61_000)
        #expect(object["left_out"] as? [String] == ["events/b.open"])
        #expect(object["gone"] as? [String] == ["events/old"])
        let pending = try #require((object["pending"] as? [[String: Any]])?.first)
        #expect(pending["path"] as? String == "events/.pending" && pending["files"] as? Int == 2 && pending["bytes"] as? Int == 1_500)
        let ring = try #require((object["rings"] as? [[String: Any]])?.first)
        #expect(ring["path"] as? String == "events/.app-000000000000000a.ring" && ring["lines"] as? Int == 12)
    }

    @Test func `a name that cannot be read makes the files unsound, and the verdict says so`() {
        var check = CheckResult()
        check.unnameable = ["a\u{FFFD}"]
        #expect(TableReport().text(of: check).hasSuffix("\nnot sound: 1 name that is not UTF-8\n"))
        check.unnameable.append("b\u{FFFD}")
        check.unexplainedSequences = 1
        #expect(
            TableReport().text(of: check).hasSuffix(
                "\nnot sound: 1 missing by sequence and not explained, 2 names that are not UTF-8\n"))
        let text = TableReport().text(of: check)
        #expect(text.contains("\na\u{FFFD}    a name that is not UTF-8\nb\u{FFFD}    a name that is not UTF-8\n"))
    }

    @Test func `where every file was removed before it could be read, the verdict says why nothing is sound`() {
        var check = CheckResult()
        check.gone = ["events/old"]
        #expect(TableReport().text(of: check).hasSuffix("\nnot sound: no file could be read\n"))
    }
}

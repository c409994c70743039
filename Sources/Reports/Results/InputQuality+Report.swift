import Basics
import Funnels

extension InputQuality {
    /// How much was read and what was wrong with it; `key` is what an event had to have.
    func facts(key: String) -> [ReportFact] {
        [
            ReportFact("Files", .count(files)), ReportFact("Size", .bytes(bytes)), ReportFact("Events", .count(events)),
            ReportFact("First event", .moment(firstMilliseconds)), ReportFact("Last event", .moment(lastMilliseconds)),
            .fault("Bad lines", badLines), ReportFact("Duplicates", .count(duplicates)), ReportFact("Without \(key)", .count(withoutKey)),
            .fault("Damaged places", damagedMembers), .fault("Missing by sequence", sequenceGaps),
        ]
    }

    /// From the first event to the last; `nil` without events.
    var period: ClosedRange<Int64>? {
        guard let firstMilliseconds, let lastMilliseconds, firstMilliseconds <= lastMilliseconds else { return nil }
        return firstMilliseconds...lastMilliseconds
    }

    var json: JSONObject {
        let input: JSONObject = [
            "files": files, "bytes": bytes, "events": events, "bad_lines": badLines, "duplicates": duplicates, "without_key": withoutKey,
            "damaged_members": damagedMembers, "sequence_gaps": sequenceGaps,
        ]
        return ["input": input]
    }
}

extension ReportFact {
    /// Names that a question has and the data does not: such a question rarely counts what was meant.
    static func unseen(_ names: [UnseenName]) -> [ReportFact] {
        names.map { ReportFact("No event is named", .data($0.name), isAlarm: true) }
    }
}

extension TableReport {
    /// `10,000,000 events in 40 files (460 MB): 0 bad lines, 0 duplicates, 0 without user, 0 damaged. 2.9 s`
    func inputLines(_ input: InputQuality, key: String) -> [String] {
        let files = GroupedNumber.counted(input.files, "file")
        let head = "\(GroupedNumber.counted(input.events, "event")) in \(files) (\(NumberFormat.bytes(input.bytes))):"
        var counts = [
            GroupedNumber.counted(input.badLines, "bad line"), GroupedNumber.counted(input.duplicates, "duplicate"),
            "\(NumberFormat.count(input.withoutKey)) without \(key)", "\(NumberFormat.count(input.damagedMembers)) damaged",
        ]
        if input.sequenceGaps > 0 { counts.append("\(NumberFormat.count(input.sequenceGaps)) missing by sequence") }
        if style.elapsedSeconds != nil { counts[counts.count - 1] += "." }
        let elapsed = style.elapsedSeconds.map { [(NumberFormat.seconds($0), " ")] } ?? []
        return style.flow([(head, "")] + style.list(counts) + elapsed)
    }
}

import Funnels

extension ReportSection {
    /// How much was read and what was wrong with it.
    ///
    /// - Parameter key: what an event had to have.
    static func quality(_ input: InputQuality, key: String) -> [ReportFact] {
        [
            ReportFact("Files", .count(input.files)), ReportFact("Size", .bytes(input.bytes)), ReportFact("Events", .count(input.events)),
            ReportFact("First event", .moment(input.firstMilliseconds)), ReportFact("Last event", .moment(input.lastMilliseconds)),
            ReportFact("Bad lines", .count(input.badLines)), ReportFact("Duplicates", .count(input.duplicates)),
            ReportFact("Without \(key)", .count(input.withoutKey)), ReportFact("Damaged places", .count(input.damagedMembers)),
            ReportFact("Missing by sequence", .count(input.sequenceGaps)),
        ]
    }

    /// `2026-01-01 – 2026-01-15 UTC`; `nil` without events.
    static func period(_ input: InputQuality) -> String? {
        guard let first = input.firstMilliseconds, let last = input.lastMilliseconds else { return nil }
        return "\(DateFormat.day(first)) – \(DateFormat.day(last)) UTC"
    }
}

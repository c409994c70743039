import Funnels

extension ReportSection {
    /// How much was read and what was wrong with it.
    ///
    /// - Parameter key: what an event had to have.
    static func quality(_ input: InputQuality, key: String) -> [ReportFact] {
        [
            ReportFact("Files", .count(input.files)), ReportFact("Size", .bytes(input.bytes)), ReportFact("Events", .count(input.events)),
            ReportFact("First event", .moment(input.firstMilliseconds)), ReportFact("Last event", .moment(input.lastMilliseconds)),
            .fault("Bad lines", input.badLines), ReportFact("Duplicates", .count(input.duplicates)),
            ReportFact("Without \(key)", .count(input.withoutKey)), .fault("Damaged places", input.damagedMembers),
            .fault("Missing by sequence", input.sequenceGaps),
        ]
    }

    /// From the first event to the last; `nil` without events.
    static func period(_ input: InputQuality) -> ClosedRange<Int64>? {
        guard let first = input.firstMilliseconds, let last = input.lastMilliseconds, first <= last else { return nil }
        return first...last
    }
}

/// The periods of a calendar for a statement that counts a trend: no engine has to know a time zone.
///
/// Periods of equal length that follow each other are one stretch.
public struct SQLPeriods: Sendable, Hashable {
    package struct Stretch: Sendable, Hashable {
        /// The beginning of the first period, and how long each period is, in milliseconds.
        package let start: Int64
        package let length: Int64
    }

    /// What the periods are, in words for the statement's comment: `day, by the clocks of Europe/Berlin`.
    public let words: String
    /// By time, without gaps; at least one.
    package let stretches: [Stretch]
    /// Where the last period ends.
    package let end: Int64

    /// - Complexity: O(calls of `next`)
    /// - Parameters:
    ///   - words: what the periods are, for the statement's comment.
    ///   - start: the beginning of the first period, in milliseconds since 1970 UTC.
    ///   - end: the latest time at which an attempt may start; the last period reaches beyond it.
    ///   - next: how long the period is that begins at a time, and how many of that length follow each other from there; both above 0.
    public init(_ words: String, from start: Int64, through end: Int64, next: (Int64) -> (length: Int64, count: Int64)) {
        self.words = words
        var (stretches, time): ([Stretch], Int64) = ([], start)
        repeat {
            let (length, count) = next(time)
            if stretches.last?.length != length { stretches.append(Stretch(start: time, length: length)) }
            time += length * count
        } while time <= end
        self.stretches = stretches
        self.end = time
    }
}

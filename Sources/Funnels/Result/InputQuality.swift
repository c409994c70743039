/// How much was read, and what was wrong with it. A result without this would hide what it could not count.
public struct InputQuality: Sendable, Hashable {
    public var files = 0
    /// Bytes of the files as they lie, compressed or not.
    public var bytes: Int64 = 0
    /// Event lines read, before de-duplication, whatever their name. Meta and timing lines are not among them.
    public var events = 0
    /// Lines that cannot be used.
    public var badLines = 0
    /// Event lines whose id was seen before.
    public var duplicates = 0
    /// Events, whatever their name, that were left out because they lack the key.
    public var withoutKey = 0
    /// In how many places files were damaged.
    public var damagedMembers = 0
    /// How many sequence numbers are missing: for each session highest − lowest + 1 − distinct `seq` read, of lines of all kinds.
    public var sequenceGaps: Int64 = 0
    /// Time of the earliest and the latest event, in milliseconds since 1970 UTC; `nil` without events.
    public var firstMilliseconds: Int64?
    public var lastMilliseconds: Int64?
    /// The smallest sampling rate that a session's line states; 1 if none does.
    package internal(set) var sampleRate = 1.0
    /// When the data end; `nil` where no windows were followed, and in a ``FunnelResult``, which says it itself.
    public internal(set) var dataEnd: DataEnd?

    public init() {}
}

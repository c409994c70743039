/// When the data of a funnel ends: windows that reach beyond it are still open.
///
/// It is the time of the last event. But if fewer than one event in 1,000 comes after a gap that is longer than a day and than the funnel's
/// window, it is the last event before the gap: one device with a wrong clock must not make everything look finished. Where the gap is
/// longer than a year, and longer than the time from the first event to the gap, fewer than one event in 50 is enough.
public struct DataEnd: Sendable, Hashable {
    /// In milliseconds since 1970 UTC.
    public let milliseconds: Int64
    /// How many events come after the gap, and the time of the first of them in milliseconds since 1970 UTC.
    public internal(set) var eventsBehind = 0
    public internal(set) var firstBehind: Int64?
}

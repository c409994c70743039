/// When the data of a funnel ends: windows that reach beyond it are still open.
///
/// It is the time of the last event. Where fewer than one event in 1,000 lie behind a gap that is longer than the funnel's window and a
/// day, it is the last event before the gap: one device with a wrong clock must not make everything look finished.
public struct DataEnd: Sendable, Hashable {
    /// In milliseconds since 1970 UTC.
    public let milliseconds: Int64
    /// Events behind the gap, and the time of the first of them.
    public internal(set) var eventsBehind = 0
    public internal(set) var firstBehind: Int64?
}

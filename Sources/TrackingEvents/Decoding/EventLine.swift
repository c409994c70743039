/// What one line says before its properties, as places on that line: nothing is copied, so it is of use only beside the
/// bytes that were scanned.
public struct EventLine: Sendable, Hashable {
    /// The keys that the format knows. Others are ignored.
    public enum Key: String, Sendable, Hashable, CaseIterable {
        case version = "v"
        case time = "t_ms"
        case name
        case user
        case session
        case sequence = "seq"
        case id
        case type
        case system
        case properties = "props"
    }

    /// Wall clock in milliseconds since 1970 UTC, within ±2⁵³, so that a window can be added without overflow.
    public var timeMilliseconds: Int64
    /// Never empty.
    public var name: LineText
    public var user = LineText.missing
    public var session = LineText.missing
    /// 1 or more; 0 where the line has none.
    public var sequence: Int64 = 0
    public var id = LineText.missing
    public var kind = TrackedEvent.Kind.track
    public var system = LineText.missing
    /// The object with its braces, for a ``PropertyReader``; missing where the line has none.
    public var properties = LineText.missing

    @inline(__always)
    package init(timeMilliseconds: Int64, name: LineText) {
        self.timeMilliseconds = timeMilliseconds
        self.name = name
    }
}

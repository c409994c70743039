/// The head of one line, with its texts as ranges of the line. Nothing is copied, so it is useful only together with the scanned bytes.
package struct EventLine: Sendable, Hashable {
    /// The keys of the format. Others are ignored.
    package enum Key: String, Sendable, Hashable {
        case version = "v"
        case time = "t_ms"
        case sequence = "seq"
        case properties = "props"
        case name, user, session, id, type, system
    }

    /// Wall clock in milliseconds since 1970 UTC, within ±2⁵³, so that a window can be added without overflow.
    package var timeMilliseconds: Int64
    /// Never empty.
    package var name: LineText
    package var user = LineText.missing
    package var session = LineText.missing
    /// 1 or more; 0 if the line has none.
    package var sequence: Int64 = 0
    package var id = LineText.missing
    package var kind = StampedEvent.Kind.track
    package var system = LineText.missing
    /// The object with its braces, for a ``PropertyReader``; missing if the line has none.
    package var properties = LineText.missing

    @inline(__always)
    package init(timeMilliseconds: Int64, name: LineText) { (self.timeMilliseconds, self.name) = (timeMilliseconds, name) }
}

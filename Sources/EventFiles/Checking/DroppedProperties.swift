internal import TrackingEvents

/// The properties of a `dropped` line as they stand there. A negative number, or a value that is no number, counts as 0.
struct DroppedProperties: Sendable {
    typealias Part = (name: String, count: Int64)

    private(set) var count: Int64 = 0
    private(set) var reasons: [Part] = []
    /// The sessions that the line names, and all others under one name (``SessionTally/others``).
    private(set) var sessions: [Part] = []
    /// The name of the file that was removed with the events of the line; `nil` if the line names none.
    private(set) var segment: String?

    init(_ properties: LineText, in line: UnsafeRawBufferPointer) {
        if properties.isMissing { return }
        let bytes = properties.bytes(in: line)
        var cursor = JSONCursor(bytes)
        try? cursor.forEachEntry { key, value in
            switch key.string(in: bytes) {
            case "count": count = Self.number(value, in: bytes)
            case "reasons": reasons = Self.parts(value, in: bytes)
            case "sessions": sessions = Self.parts(value, in: bytes)
            case MetaEventName.segment: segment = value.string(in: bytes)
            default: break
            }
        }
    }

    private static func parts(_ value: JSONValue, in bytes: UnsafeRawBufferPointer) -> [Part] {
        guard value.kind == .object else { return [] }
        var parts: [Part] = []
        var cursor = JSONCursor(bytes, at: value.text.range.lowerBound)
        try? cursor.forEachEntry { parts.append(($0.string(in: bytes), number($1, in: bytes))) }
        return parts
    }

    private static func number(_ value: JSONValue, in bytes: UnsafeRawBufferPointer) -> Int64 { max(value.integer(in: bytes) ?? 0, 0) }
}

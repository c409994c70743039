import Basics
import TrackingEvents

/// The session that a `session_started` line names as the one before.
enum PreviousSession {
    private static let reader = PropertyReader(path: [MetaEventName.previousSession])
    private static let key = Array(MetaEventName.previousSession.utf8)
    private static let started = Array(MetaEventName.sessionStarted.utf8)

    static func of(_ line: UnsafeRawBufferPointer, _ head: EventLine, scratch: ByteBuffer) -> Fingerprint? {
        guard head.kind == .meta, !head.properties.isMissing, head.name.bytes(in: line).elementsEqual(started) else { return nil }
        let properties = head.properties.bytes(in: line)
        guard let value = reader.value(in: properties), value.kind == .string else { return nil }
        return Fingerprint.of(value.text.unescaped(in: properties, scratch: scratch))
    }

    /// The line without the name of that session, and without a line feed.
    static func removed(from line: UnsafeRawBufferPointer, _ head: EventLine) -> [UInt8] {
        let properties = head.properties.bytes(in: line)
        var kept: [Range<Int>] = []
        var cursor = JSONCursor(properties)
        // ``of(_:_:scratch:)`` found a value in the object, so the object is well-formed.
        try? cursor.forEachEntry { name, value in
            if name.string(in: properties).utf8.elementsEqual(key) { return }
            let quote = value.kind == .string ? 1 : 0
            kept.append(name.range.lowerBound - 1..<value.text.range.upperBound + quote)
        }
        let comma = CollectionOfOne(UInt8(ascii: ","))
        return Array(line[..<head.properties.range.lowerBound]) + [UInt8(ascii: "{")]
            + Array(kept.map { Array(properties[$0]) }.joined(separator: comma)) + [UInt8(ascii: "}")]
            + Array(line[head.properties.range.upperBound...])
    }
}

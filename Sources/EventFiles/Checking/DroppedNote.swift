import Basics
internal import TrackingEvents

/// What `dropped` lines say: how many events of which session did not reach the files.
struct DroppedNote: Sendable {
    /// The key under which a writer counts the sessions for which the line has no room.
    private static let others = Fingerprint.of("_other")
    private static let count = PropertyReader(path: ["count"])
    private static let sessions = PropertyReader(path: ["sessions"])
    private static let removed = PropertyReader(path: ["reasons", DropReason.retention.rawValue])
    private static let segment = PropertyReader(path: [MetaEventName.segment])

    /// The file with which the events of a line were removed; `nil` if the line names none.
    private(set) var segment: String?
    private(set) var events: Int64 = 0
    private(set) var bySession: [Fingerprint: Int64] = [:]
    private(set) var ofOthers: Int64 = 0
    /// How many of the events retention removed with a file.
    private(set) var removed: Int64 = 0

    init() {}

    /// What one line's properties say. Negative numbers and what is no number count as 0.
    init(_ properties: LineText, in line: UnsafeRawBufferPointer) {
        guard !properties.isMissing else { return }
        let properties = properties.bytes(in: line)
        if case .number(_, let text) = Self.count.value(in: properties) { events = number(text, in: properties) }
        if case .number(_, let text) = Self.removed.value(in: properties) { removed = number(text, in: properties) }
        if case .string(let text) = Self.segment.value(in: properties) { segment = text.string(in: properties) }
        guard case .object(let found) = Self.sessions.value(in: properties) else { return }
        let object = found.bytes(in: properties)
        let scratch = ByteBuffer(capacity: 64)
        var cursor = JSONCursor(object)
        // The line is well-formed: it was checked as a whole.
        try? cursor.forEachEntry { key, value in
            let session = Fingerprint.of(key.unescaped(in: object, scratch: scratch))
            guard value.kind == .number else { return }
            let dropped = number(value.text, in: object)
            if session == Self.others {
                ofOthers = ofOthers.addingClamped(dropped)
            } else {
                bySession[session] = bySession[session, default: 0].addingClamped(dropped)
            }
        }
    }

    mutating func add(_ other: DroppedNote) {
        removed = removed.addingClamped(other.removed)
        events = events.addingClamped(other.events)
        ofOthers = ofOthers.addingClamped(other.ofOthers)
        for (session, dropped) in other.bySession { bySession[session] = bySession[session, default: 0].addingClamped(dropped) }
    }

    /// Explains missing numbers of a session by the events that are counted here, which then explain nothing else. Returns how many are
    /// left.
    mutating func rest(of count: Int64, _ session: Fingerprint) -> Int64 {
        let byName = min(count, bySession[session] ?? 0)
        if byName > 0 { bySession[session, default: 0] -= byName }
        let byOthers = min(count - byName, ofOthers)
        ofOthers -= byOthers
        return count - byName - byOthers
    }

    private func number(_ text: LineText, in bytes: UnsafeRawBufferPointer) -> Int64 {
        max(JSONNumber.integer(text.bytes(in: bytes)) ?? 0, 0)
    }
}

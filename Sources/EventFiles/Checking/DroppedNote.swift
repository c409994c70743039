import Basics
internal import TrackingEvents

/// What `dropped` lines say: how many events of which session did not reach the files.
struct DroppedNote: Sendable {
    /// The file with which the events of a line were removed; `nil` if the line names none.
    private(set) var segment: String?
    private(set) var events: Int64 = 0
    private(set) var bySession: [Fingerprint: Int64] = [:]
    private(set) var ofOthers: Int64 = 0
    /// How many of the events retention removed with a file.
    private(set) var removed: Int64 = 0

    init() {}

    /// What one line's properties say.
    init(_ properties: LineText, in line: UnsafeRawBufferPointer) {
        let found = DroppedProperties(properties, in: line)
        (segment, events) = (found.segment, found.count)
        removed = found.reasons.last { $0.name == DropReason.retention.rawValue }?.count ?? 0
        for (name, count) in found.sessions {
            if name == SessionTally.others { ofOthers = ofOthers.addingClamped(count) } else { add(count, .of(name)) }
        }
    }

    private mutating func add(_ count: Int64, _ session: Fingerprint) {
        bySession[session] = bySession[session, default: 0].addingClamped(count)
    }

    mutating func add(_ other: DroppedNote) {
        removed = removed.addingClamped(other.removed)
        events = events.addingClamped(other.events)
        ofOthers = ofOthers.addingClamped(other.ofOthers)
        for (session, count) in other.bySession { add(count, session) }
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
}

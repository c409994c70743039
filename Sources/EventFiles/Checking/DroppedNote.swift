import Basics
internal import TrackingEvents

/// The sum of several `dropped` lines: how many events of which session did not reach the files.
struct DroppedNote {
    private(set) var events: Int64 = 0
    private var bySession: [Fingerprint: Int64] = [:]
    private var ofOthers: Int64 = 0
    private(set) var removed: Int64 = 0

    mutating func add(_ line: DroppedProperties) {
        events = events.addingClamped(line.count)
        removed = removed.addingClamped(line.reasons.last { $0.name == DropReason.retention.rawValue }?.count ?? 0)
        for (name, count) in line.sessions {
            if name == SessionTally.others {
                ofOthers = ofOthers.addingClamped(count)
            } else {
                bySession[.of(name)] = bySession[.of(name), default: 0].addingClamped(count)
            }
        }
    }

    /// Explains missing numbers of a session by the events counted here: each event explains one number. Returns how many stay unexplained.
    mutating func rest(of count: Int64, _ session: Fingerprint) -> Int64 {
        let byName = min(count, bySession[session] ?? 0)
        if byName > 0 { bySession[session, default: 0] -= byName }
        let byOthers = min(count - byName, ofOthers)
        ofOthers -= byOthers
        return count - byName - byOthers
    }
}

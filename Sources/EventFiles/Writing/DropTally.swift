import Basics
import TrackingEvents

/// Drops that no `dropped` line reports yet.
struct DropTally {
    private(set) var count = 0
    private(set) var reasons: [DropReason: Int] = [:]
    /// Also those of events that ``add(_:session:count:)`` has counted without their session.
    var sessions = SessionTally()

    var isEmpty: Bool { count == 0 }

    mutating func add(_ reason: DropReason, session: String?, count more: Int = 1) {
        count = count.addingClamped(more)
        reasons[reason] = (reasons[reason] ?? 0).addingClamped(more)
        if let session { sessions.add(session, more) }
    }

    mutating func add(_ other: DropTally) {
        count += other.count
        for (reason, more) in other.reasons { reasons[reason, default: 0] += more }
        sessions.add(other.sessions)
    }

    /// The properties of the `dropped` line, with at most so many sessions by name, and other keys besides.
    func properties(sessions limit: Int, otherKeys: Int = 0) -> TrackingProperties {
        let byReason = DropReason.allCases.compactMap { reason in reasons[reason].map { (reason.rawValue, TrackingValue.int($0)) } }
        // `count`, `reasons`, `sessions` and `_other` are keys, too.
        let limit = min(limit, EventLineLimits.keys - 4 - byReason.count - otherKeys)
        return [
            "count": .int(count), "reasons": .object(TrackingProperties(byReason)), "sessions": .object(sessions.properties(atMost: limit)),
        ]
    }

    /// A whole `dropped` line for a file that is made anew, at a time in milliseconds since 1970.
    func line(time: Int64, random: inout SeededRandom) -> ByteBuffer {
        Self.line(by: EventLineEncoder(), time: time, random: &random) { properties(sessions: $0) }
    }

    /// A whole `dropped` line with properties that name so many sessions at most.
    static func line(
        by encoder: EventLineEncoder, time: Int64, random: inout SeededRandom, _ properties: (Int) -> TrackingProperties
    ) -> ByteBuffer {
        let line = ByteBuffer(capacity: 1024)
        _ = withFewerSessions { named in
            let note = StampedEvent(
                timeMilliseconds: time, event: TrackingEvent(MetaEventName.dropped, properties(named)),
                id: EventID(milliseconds: time, random: &random), kind: .meta)
            if case .written = encoder.append(note, to: line) { return true }
            return false
        }
        return line
    }

    /// Tries to make a line with all sessions by name, and with fewer if it is too long. `isMade` gets how many may be named.
    static func withFewerSessions(_ isMade: (Int) -> Bool) -> Bool { [SessionTally.maxSessions, 16, 0].contains(where: isMade) }
}

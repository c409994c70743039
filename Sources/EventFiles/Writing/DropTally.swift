import Basics
import TrackingEvents

/// Drops that no `dropped` line reports yet.
struct DropTally {
    private(set) var count = 0
    private(set) var reasons: [DropReason: Int] = [:]
    /// Drops by session. A caller that counts drops in ``add(_:session:count:)`` without a session may add their sessions here.
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

    /// The properties of the `dropped` line, with at most `limit` sessions by name. They leave room for `otherKeys` more keys.
    func properties(sessions limit: Int, otherKeys: Int = 0) -> TrackingProperties {
        let byReason = DropReason.allCases.compactMap { reason in reasons[reason].map { (reason.rawValue, TrackingValue.int($0)) } }
        // The limit on keys counts `count`, `reasons`, `sessions` and `_other`, too.
        let limit = min(limit, EventLineLimits.keys - 4 - byReason.count - otherKeys)
        return [
            "count": .int(count), "reasons": .object(TrackingProperties(byReason)), "sessions": .object(sessions.properties(atMost: limit)),
        ]
    }

    /// A whole `dropped` line for a file that is written anew. `time` is in milliseconds since 1970 UTC.
    func line(time: Int64, random: inout SeededRandom) -> ByteBuffer {
        Self.line(by: EventLineEncoder(), time: time, random: &random) { properties(sessions: $0) }
    }

    /// A whole `dropped` line. `properties` gets how many sessions the line may name at most.
    static func line(
        by encoder: EventLineEncoder, time: Int64, random: inout SeededRandom, _ properties: (Int) -> TrackingProperties
    ) -> ByteBuffer {
        let line = ByteBuffer(capacity: 1024)
        _ = withFewerSessions { named in
            let note = StampedEvent(note: MetaEventName.dropped, properties(named), at: time, random: &random)
            return if case .written = encoder.append(note, to: line) { true } else { false }
        }
        return line
    }

    /// Tries to make a line that names all sessions, then fewer if it is too long. `isMade` gets how many. Says whether it succeeded.
    static func withFewerSessions(_ isMade: (Int) -> Bool) -> Bool { [SessionTally.maxSessions, 16, 0].contains(where: isMade) }
}

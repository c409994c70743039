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
        func value(_ count: Int) -> TrackingValue { .int(min(Int64(count), EventLineLimits.integerMagnitude)) }
        let byReason = DropReason.allCases.compactMap { reason in reasons[reason].map { (reason.rawValue, value($0)) } }
        // The limit on keys counts `count`, `reasons`, `sessions` and `_other`, too.
        let limit = min(limit, EventLineLimits.keys - 4 - byReason.count - otherKeys)
        let bySession = TrackingValue.object(sessions.properties(atMost: limit))
        return ["count": value(count), "reasons": .object(TrackingProperties(byReason)), "sessions": bySession]
    }

    /// A whole `dropped` line, which has `more` properties at its end. `time` is in milliseconds since 1970 UTC.
    func line(
        by encoder: EventLineEncoder = EventLineEncoder(), time: Int64, random: inout SeededRandom, with more: TrackingProperties = [:]
    ) -> ByteBuffer {
        let line = ByteBuffer(capacity: 1024)
        _ = Self.withFewerSessions { named in
            let all = more.merging(under: properties(sessions: named, otherKeys: more.entries.count))
            let note = StampedEvent(note: MetaEventName.dropped, all, at: time, random: &random)
            return if case .written = encoder.append(note, to: line) { true } else { false }
        }
        return line
    }

    /// Tries to make a line that names all sessions, then fewer if it is too long. `isMade` gets how many. Says whether it succeeded.
    static func withFewerSessions(_ isMade: (Int) -> Bool) -> Bool { [SessionTally.maxSessions, 16, 0].contains(where: isMade) }
}

import TrackingEvents

/// Drops that no `dropped` line reports yet.
struct DropTally {
    static let maxSessions = SessionTally.maxSessions

    private(set) var count = 0
    private var reasons: [DropReason: Int] = [:]
    private var sessions = SessionTally()

    var isEmpty: Bool { count == 0 }

    /// An event without a session has no number that could be missing.
    mutating func add(_ reason: DropReason, session: String?, count more: Int = 1) {
        count += more
        reasons[reason, default: 0] += more
        if let session { sessions.add(session, more) }
    }

    mutating func add(_ other: DropTally) {
        count += other.count
        for (reason, more) in other.reasons { reasons[reason, default: 0] += more }
        sessions.add(other.sessions)
    }

    /// Adds lines whose sessions are unknown.
    mutating func addUnknown(_ reason: DropReason, count more: Int) { add(reason, session: SessionTally.others, count: more) }

    /// The properties of the `dropped` line, with at most so many sessions by name.
    func properties(sessions limit: Int) -> TrackingProperties {
        let byReason = DropReason.allCases.compactMap { reason in reasons[reason].map { (reason.rawValue, TrackingValue.int($0)) } }
        return [
            "count": .int(count), "reasons": .object(TrackingProperties(byReason)),
            "sessions": .object(sessions.properties(atMost: limit)),
        ]
    }
}

import TrackingEvents

/// Drops that no `dropped` line reports yet.
struct DropTally {
    /// The key for the sessions beyond ``maxSessions``.
    static let others = "_other"
    /// The most sessions that stand by name. With the other keys of the line that is less than 128, the most that `props` may have.
    static let maxSessions = 120

    private(set) var count = 0
    private var reasons: [DropReason: Int] = [:]
    private var sessions: [String: Int] = [:]
    private var otherSessions = 0

    var isEmpty: Bool { count == 0 }

    mutating func add(_ reason: DropReason, session: String?, count more: Int = 1) {
        count += more
        reasons[reason, default: 0] += more
        // An event without a session has no number that could be missing.
        if let session { addSession(session, more) }
    }

    private mutating func addSession(_ session: String, _ more: Int) {
        let isKnown = sessions[session] != nil
        // An id that is longer than a key would be cut on the line, where two ids could become one key.
        let isNamed = isKnown || sessions.count < Self.maxSessions && session.utf8.count <= EventLineLimits.stringBytes
        if isNamed, session != Self.others { sessions[session, default: 0] += more } else { otherSessions += more }
    }

    mutating func add(_ other: DropTally) {
        count += other.count
        for (reason, more) in other.reasons { reasons[reason, default: 0] += more }
        otherSessions += other.otherSessions
        for (session, more) in other.sessions { addSession(session, more) }
    }

    /// Adds lines whose sessions are unknown.
    mutating func addUnknown(_ reason: DropReason, count more: Int) {
        count += more
        reasons[reason, default: 0] += more
        otherSessions += more
    }

    /// The properties of the `dropped` line, with at most so many sessions by name.
    func properties(sessions limit: Int) -> TrackingProperties {
        let named = sessions.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let others = named.dropFirst(limit).reduce(otherSessions) { $0 + $1.value }
        var bySession = named.prefix(limit).map { ($0.key, TrackingValue.int($0.value)) }
        if others > 0 { bySession.append((Self.others, .int(others))) }
        let byReason = DropReason.allCases.compactMap { reason in reasons[reason].map { (reason.rawValue, TrackingValue.int($0)) } }
        return [
            "count": .int(count), "reasons": .object(TrackingProperties(byReason)), "sessions": .object(TrackingProperties(bySession)),
        ]
    }
}

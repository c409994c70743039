/// The last sequence number of each session that requests bring, see ``ScopedTracker``.
struct ScopedSessions {
    private struct Session {
        let isSampled: Bool
        var lastEventAt: Int64
        var sequence: Int64 = 0
    }

    private let limit: Int
    private var sessions: [String: Session] = [:]
    /// At this many sessions, those that have ended are looked for and forgotten.
    private var cleaningAt: Int

    init(limit: Int = ScopedTracker.maxSessions) {
        self.limit = max(1, limit)
        cleaningAt = min(1_024, self.limit)
    }

    /// The number of the next event in a session, from 1, in O(1) on average. A session that is not sampled is remembered as any other.
    mutating func next(in id: String, at now: Int64, rule: SessionRule, rate: Double) -> (sequence: Int64, isSampled: Bool) {
        if sessions[id] == nil, sessions.count >= cleaningAt { clean(at: now, rule: rule) }
        var session = sessions[id] ?? Session(isSampled: SessionSampling.includes(id, rate: rate), lastEventAt: now)
        session.sequence += 1
        session.lastEventAt = max(now, session.lastEventAt)
        sessions[id] = session
        return (session.sequence, session.isSampled)
    }

    /// Forgets the sessions that have ended. If too many are left, forgets also the quarter that was used longest ago.
    private mutating func clean(at now: Int64, rule: SessionRule) {
        sessions = sessions.filter { !rule.isOver(lastEventAt: $0.value.lastEventAt, now: now) }
        if sessions.count >= limit {
            let oldest = sessions.sorted { $0.value.lastEventAt < $1.value.lastEventAt }.prefix(max(1, limit / 4))
            for (id, _) in oldest { sessions[id] = nil }
        }
        cleaningAt = min(limit, max(1_024, sessions.count * 2))
    }

    mutating func removeAll() { sessions.removeAll() }
}

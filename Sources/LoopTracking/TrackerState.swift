import TrackingEvents

/// What a tracker keeps under its lock.
struct TrackerState {
    struct Session {
        let id: String
        let startedAt: Int64
        /// A session that is not sampled lasts as long as any other, but none of its events are handed on.
        let isSampled: Bool
        /// The latest time of an event.
        var lastEventAt: Int64
        var sequence: Int64 = 0

        /// The number of an event at a time; `nil` if it is not handed on.
        mutating func next(at now: Int64) -> Int64? {
            lastEventAt = max(now, lastEventAt)
            if !isSampled { return nil }
            sequence += 1
            return sequence
        }
    }

    /// A change of the kept anonymous id that is still to be made in the store.
    enum StoreChange { case replace, remove }

    var user: String?
    var anonymous: String
    /// Whether the store is known to hold ``anonymous``.
    var isAnonymousKept = false
    /// Whether the store was read since the last session ended.
    var isStoreRead = false
    var storeChange: StoreChange?
    /// A change that the store did not take. It is tried again when the store is used next: until then the state goes on without it.
    var refusedChange: StoreChange?
    var session: Session?
    var scoped = ScopedSessions()
    /// The last session whose events were handed on.
    var previousSession: String?
    /// Anonymous id still to be linked to ``user``; deferred until a sampled session.
    var unlinkedAnonymous: String?
    var shared: TrackingProperties
    var context: TrackingProperties
    /// `nil` in an app that asks nobody: its sinks are told nothing about consent.
    var consent: TrackingConsent?
    var sampleRate: Double
    var held = HeldEvents()
    var delivery: SinkDelivery
    var random: SeededRandom

    var current: String { user ?? anonymous }

    mutating func endSession() {
        isStoreRead = false
        guard let ended = session.take() else { return }
        if ended.isSampled { previousSession = ended.id }
    }

    mutating func newAnonymousID(at now: Int64) -> String { "a-\(EventID(milliseconds: now, random: &random))" }

    /// Ends the session and makes a new anonymous id. The next session names no previous one. The store follows once the lock is free.
    mutating func beginAnew(at now: Int64, keeping: Bool = true) {
        endSession()
        (previousSession, unlinkedAnonymous) = (nil, nil)
        anonymous = newAnonymousID(at: now)
        isAnonymousKept = false
        storeChange = keeping && consent != .denied ? .replace : .remove
    }

    /// Forgets whoever was tracked so far. The user stays.
    mutating func forget(at now: Int64) {
        held.removeAll()
        scoped.removeAll()
        beginAnew(at: now, keeping: false)
    }
}

import TrackingEvents

/// What a tracker keeps under its lock.
struct TrackerState {
    struct Session {
        let id: String
        let startedAt: Int64
        /// A session that is not sampled lasts as long as any other and gives nothing.
        let isSampled: Bool
        var lastEventAt: Int64
        var sequence: Int64 = 0
    }

    var user: String?
    var anonymous: String
    /// Whether the store is known to hold ``anonymous``.
    var isAnonymousKept = false
    var session: Session?
    /// The last session that was handed on.
    var previousSession: String?
    /// The anonymous id that belongs to ``user`` and of which no line tells yet, as the session is not sampled.
    var untoldAnonymous: String?
    var shared: TrackingProperties
    var consent: TrackingConsent
    /// Whether the sinks know of it. They are not told for an app that asks nobody.
    var isConsentTold: Bool
    var sampleRate: Double
    var held = HeldEvents()
    var random: SeededRandom
    /// What is to be said once the lock is free.
    var errors: [AnonymousIDError] = []

    var current: String { user ?? anonymous }

    mutating func endSession() {
        guard let ended = session.take() else { return }
        if ended.isSampled { previousSession = ended.id }
    }

    mutating func newAnonymousID(at now: Int64) -> String { "a-\(EventID(milliseconds: now, random: &random))" }

    /// Runs something on the store; what goes wrong is said later.
    mutating func trying(_ body: (inout TrackerState) throws(AnonymousIDError) -> Void) {
        do throws(AnonymousIDError) { try body(&self) } catch { errors.append(error) }
    }
}

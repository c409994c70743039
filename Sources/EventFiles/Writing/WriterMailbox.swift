/// What the writer's thread is asked for, besides writing what waits in the ring. ``WriterMonitor`` guards it.
///
/// Consent and erasing take effect in the ring at once. Until they do on the disk, no lane that they concern is written (``freeLanes``).
struct WriterMailbox {
    struct Request {
        enum Kind: Equatable {
            case flush(FlushDurability)
            case rotate
            case recovery
            case erase
            case suspend
            case close

            var isDoneByClosing: Bool { self == .suspend || self == .close }
        }

        let kind: Kind
        let completion: @Sendable (EventFileError?) -> Void
    }

    enum PendingDecision { case promote, erase }

    private(set) var requests: [Request] = []
    private(set) var isOpen = true
    /// Whether events are taken; `false` once the thread has given up the rings.
    var takesEvents = true
    private(set) var isEnded = false
    /// The first decision that is not carried out yet. The pending folder holds only older events, so later decisions change nothing there.
    private(set) var decision: PendingDecision?
    private var erasuresWanted = 0
    private var erasuresDone = 0
    /// Closing has run out of time: give up rather than try again.
    var mustGiveUp = false
    var thread: UInt?
    /// Consent or the folder has changed: the thread has to look which lanes need a ring file.
    var mustTendRings = false
    /// Somebody resumed the writer while the folder was closed: it is opened at once, even if the writer was suspended again before that.
    var mustOpen = false
    var recovery = RecoveryResult()

    /// - Returns: `false` if the writer is closed, or about to be. Requests that closing fulfils are taken until the writer has ended.
    mutating func post(_ request: Request) -> Bool {
        if request.kind.isDoneByClosing ? isEnded : !isOpen { return false }
        if request.kind == .close { isOpen = false }
        if request.kind == .erase { erasuresWanted += 1 }
        requests.append(request)
        return true
    }

    mutating func takeRequests() -> [Request] { exchange(&requests, with: []) }

    /// Takes no request any more; gives those that came too late to be carried out.
    mutating func end() -> [Request] {
        isEnded = true
        return takeRequests()
    }

    /// - Returns: whether no other decision is still to be carried out.
    mutating func decide(_ new: PendingDecision) -> Bool {
        if decision != nil { return false }
        decision = new
        return true
    }

    mutating func decisionCarriedOut() {
        decision = nil
        mustTendRings = true
    }

    /// How many erasures were asked for in all; `nil` if the last of them is done.
    var erasures: Int? { erasuresWanted == erasuresDone ? nil : erasuresWanted }

    mutating func erased(upTo number: Int) {
        erasuresDone = number
        mustTendRings = true
    }

    /// Whether every decision about the pending folder and every erasure is carried out.
    var isSettled: Bool { decision == nil && erasures == nil }

    /// The lanes whose lines may be written.
    var freeLanes: [Lane] { erasures != nil ? [] : decision != nil ? [.main] : Lane.allCases }

    /// Where events of a lane would be by now; `nil` if they would be erased.
    func currentLane(of lane: Lane) -> Lane? {
        guard lane == .pending, let decision else { return lane }
        return decision == .promote ? .main : nil
    }
}

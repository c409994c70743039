import Basics
import Synchronization
import TrackingEvents

/// What callers and the writer's thread share: the ring and the mailbox, one lock over both, and the two conditions to wait on.
///
/// The thread holds this and not the writer: so a writer that nobody else holds is freed, and ends the thread.
final class WriterMonitor: Sendable {
    struct State {
        var ring: LineRing
        var mailbox = WriterMailbox()
    }

    /// Not private, and neither is ``work``: tests wait for callers in the thread's place.
    let lock: Lock<State>
    private let blockNanoseconds: Int64
    private let context: WriterContext
    /// The thread waits on `work` for something to do. Callers wait on `room` for room in the ring.
    let work = Condition()
    private let room = Condition()
    /// In a forked child the lock may be held for ever, by a thread that only the parent has.
    let fork = ForkGuard()
    private let droppedInChild = Atomic(0)
    let observers = SegmentObservers()

    init(_ context: WriterContext, random: SeededRandom) {
        let ring = LineRing(context, random: random)
        blockNanoseconds = ring.limits.blockNanoseconds
        self.context = context
        lock = Lock(State(ring: ring))
    }

    /// The callers' only way in; `nil` in a forked child.
    @inline(__always) @discardableResult
    private func enter<Result>(_ body: (inout State) -> Result) -> Result? { fork.isInherited ? nil : lock.withLock(body) }

    private func dropInChild() { if droppedInChild.wrappingAdd(1, ordering: .relaxed).oldValue == 0 { context.onError?(.inForkedChild) } }

    /// Takes the event or drops it; `false` if there is no room and the policy is to wait.
    func offer(_ event: StampedEvent) -> Bool {
        let isDone = enter { state in admit(&state) { ring in ring.admit(event, mayWait: blockNanoseconds > 0) } }
        if isDone == nil { dropInChild() }
        return isDone ?? true
    }

    func record(_ event: StampedEvent) { if !offer(event) { waitForRoom { ring, mayWait in ring.admit(event, mayWait: mayWait) } } }

    /// ``record(_:)`` for a log's line, which is text already; says whether it was taken.
    func record(line: String) -> Bool {
        var isKept = false
        let isDone = enter { state in admit(&state) { $0.admit(line: line, mayWait: blockNanoseconds > 0, isKept: &isKept) } }
        if isDone == nil { dropInChild() }
        if isDone == false { waitForRoom { ring, mayWait in ring.admit(line: line, mayWait: mayWait, isKept: &isKept) } }
        return isKept
    }

    @inline(__always)
    private func admit(_ state: inout State, _ body: (inout LineRing) -> Bool) -> Bool {
        // What nobody agreed to is not even counted.
        if state.ring.consent == .denied { return true }
        guard state.mailbox.takesEvents else {
            state.ring.statistics.recorded += 1
            state.ring.statistics.droppedByReason[.closed, default: 0] += 1
            return true
        }
        if !body(&state.ring) { return false }
        if state.ring.mustWakeThread() { work.signal() }
        return true
    }

    /// Tries again whenever there may be room, until the policy's time is over.
    private func waitForRoom(_ body: (inout LineRing, _ mayWait: Bool) -> Bool) {
        let start = MonotonicClock.system.nanoseconds
        // A callback on the writer's thread must not wait: only this thread makes room.
        let limit = isOnThread ? 0 : blockNanoseconds
        var isCounted = false
        lock.wait(on: room) { state in
            let left = limit - (MonotonicClock.system.nanoseconds - start)
            if admit(&state, { ring in body(&ring, left > 0) }) {
                if isCounted { state.ring.blockedCallers -= 1 }
                return .done(())
            }
            if !isCounted {
                isCounted = true
                state.ring.blockedCallers += 1
                wakeThread(&state)
            }
            return .wait(nanoseconds: left)
        }
    }

    var statistics: EventFileWriterStatistics {
        if let statistics = enter({ $0.ring.currentStatistics }) { return statistics }
        var statistics = EventFileWriterStatistics()
        statistics.recorded = droppedInChild.load(ordering: .relaxed)
        if statistics.recorded > 0 { statistics.droppedByReason = [.closed: statistics.recorded] }
        return statistics
    }

    var recovery: RecoveryResult { enter { $0.mailbox.recovery } ?? RecoveryResult() }

    /// Whether segments may leave. A forked child uploads nothing.
    var mayUpload: Bool { enter { $0.ring.consent != .denied && $0.mailbox.erasures == nil && !$0.ring.suspension.isOn } ?? false }

    /// Whether the writer is suspended or about to be.
    var isSuspended: Bool { enter { $0.ring.suspension.isOn } ?? false }

    var isErasing: Bool { enter { $0.mailbox.erasures != nil } ?? false }

    func changeSuspension<Result>(_ body: (inout Suspension) -> Result) -> Result? {
        let change = enter { state in
            let wasOn = state.ring.suspension.isOn
            let result = body(&state.ring.suspension)
            if !state.ring.suspension.isOn { state.mailbox.mustOpen = true }
            wakeThread(&state)
            room.broadcast()
            return (result, isOver: wasOn && !state.ring.suspension.isOn)
        }
        if change?.isOver == true { observers.notify(.resumed) }
        return change?.0
    }

    func setConsent(_ consent: TrackingConsent) {
        enter { state in
            guard state.mailbox.isOpen else { return }
            switch consent {
            case .pending: state.ring.consent = .pending
            case .granted: state.ring.grant(isFirst: state.mailbox.decide(.promote))
            case .denied:
                _ = state.mailbox.decide(.erase)
                state.ring.deny()
            }
            state.mailbox.mustTendRings = true
            wakeThread(&state)
            // Forgotten lines leave room.
            if consent != .pending { room.broadcast() }
        }
        if !fork.isInherited { observers.notify(consent == .denied ? .denied : .granted) }
    }

    /// Asks the thread for something. The completion is called by the thread, or here if there is no thread to ask.
    func request(_ kind: WriterMailbox.Request.Kind, completion: @escaping @Sendable (EventFileError?) -> Void) {
        let isPosted = enter { state in
            guard state.mailbox.post(WriterMailbox.Request(kind: kind, completion: completion)) else { return false }
            if kind == .erase { state.ring.forgetAll() }
            wakeThread(&state)
            room.broadcast()
            return true
        }
        // A second close has nothing left to do, and a forked child has no thread to close.
        if isPosted != true { completion(kind.isDoneByClosing ? nil : isPosted == nil ? .inForkedChild : .closed) }
    }

    /// Makes a closing writer stop trying when storage fails.
    func giveUp() {
        enter { state in
            state.mailbox.mustGiveUp = true
            work.signal()
        }
    }

    /// Whether the caller is the writer's own thread, which cannot wait for itself.
    var isOnThread: Bool { enter { $0.mailbox.thread } == .some(PosixThread.current) }

    private func wakeThread(_ state: inout State) {
        state.ring.threadWait = .no
        work.signal()
    }

    enum Wake {
        case requests
        /// Storage failed some time ago: try again.
        case retry
        case fullMembers
        case everything
        case rotate
        /// There is nothing else to do: recover, or remove expired files.
        case background
        /// Only the rings need looking after. Each turn begins with that.
        case rings
        /// The folder is not open, and may be opened now.
        case open
        /// Storage fails, and closing has no time left.
        case giveUp
    }

    /// When the thread has to come back by itself, on the monotonic clock.
    struct Times {
        var retry: Int64?
        var rotate: Int64?
        /// When to carry out the decision about the pending folder again, if that failed.
        var settle: Int64?
        var isClosing = false
        var isOpen = true
        var hasBackground = false
    }

    struct Errand {
        var wake: Wake
        var requests: [WriterMailbox.Request] = []
        /// ``WriterMailbox/erasures`` and ``WriterMailbox/decision`` as they were when the requests were taken.
        var erasures: Int?
        var decision: WriterMailbox.PendingDecision?
    }

    enum Next<Work> {
        case work(Work)
        /// There is nothing to do before this time, or with `nil` until the thread is woken.
        case wait(until: Int64?)
    }

    func nextErrand(_ times: Times) -> Errand {
        lock.wait(on: work) { state in
            let now = context.clock.nanoseconds
            switch state.next(times, at: now) {
            case .work(let errand): return .done(errand)
            // At least a millisecond: a clock that somebody moves by hand must not make the thread spin.
            case .wait(let next): return .wait(nanoseconds: next.map { max(1_000_000, $0.subtractingClamped(now)) })
            }
        }
    }

    /// The position up to which the thread may write a lane now; `nil` if nothing waits there, or nothing that may be written yet.
    ///
    /// Lines of the pending lane wait for the older ones of the main lane, or promotion would reorder them.
    ///
    /// - Parameter granted: whether the pending lane's lines are written because a grant is carried out.
    func take(_ lane: Lane, reportingDrops: Bool, granted: Bool = false) -> Int? {
        lock.withLock { state in
            guard granted || state.mailbox.freeLanes.contains(lane) && (lane == .main || !state.mainGoesFirst) else { return nil }
            return state.ring.take(lane, reportingDrops: reportingDrops, granted: granted)
        }
    }

    func written(bytes: Int) {
        lock.withLock { state in
            state.ring.written(bytes: bytes)
            if state.ring.blockedCallers > 0 { room.broadcast() }
        }
    }

    func storageFails() {
        lock.withLock { state in
            state.ring.isStorageFailing = true
            state.ring.droppedInEpisode = 0
            room.broadcast()
        }
    }

    /// Takes no more events. What waits in memory alone is dropped; what waits in a ring file is for the next writer.
    func stopTaking() {
        lock.withLock { state in
            state.mailbox.takesEvents = false
            state.ring.dropWaiting()
            room.broadcast()
        }
    }

    /// For changes that need not wake anybody.
    func withState<Result>(_ body: (inout State) -> Result) -> Result { lock.withLock(body) }
}

extension WriterMonitor.State {
    /// Whether lines of the pending lane may be written, but only after older ones that wait on the main lane.
    var mainGoesFirst: Bool { mailbox.freeLanes.contains(.pending) && ring.pending.count > 0 && ring.main.count > 0 }

    /// Notes that a decision about the pending folder is carried out. What was granted meanwhile is promoted next.
    mutating func carriedOut(_ decision: WriterMailbox.PendingDecision) {
        mailbox.decisionCarriedOut()
        if decision == .promote && !ring.grants.isEmpty { ring.grants.removeFirst() }
        if !ring.grants.isEmpty { _ = mailbox.decide(.promote) }
    }

    /// Whether a lane is to have a ring file: only the lane of new events, and `pending` only once its folder is settled.
    func wantsFile(for lane: Lane) -> Bool { lane == .main ? ring.consent == .granted : ring.consent == .pending && mailbox.isSettled }

    /// Takes what there is to do now, or notes which lines are to wake the thread.
    mutating func next(_ times: WriterMonitor.Times, at now: Int64) -> WriterMonitor.Next<WriterMonitor.Errand> {
        ring.threadWait = .no
        switch look(times, at: now) {
        case .wait(let next):
            if times.isOpen { ring.threadWait = ring.untakenLines == 0 ? .forFirstLine : .forMoreLines }
            return .wait(until: next)
        case .work(let wake):
            return .work(.init(wake: wake, requests: mailbox.takeRequests(), erasures: mailbox.erasures, decision: mailbox.decision))
        }
    }

    /// What there is to do now, or when to look again.
    func look(_ times: WriterMonitor.Times, at now: Int64) -> WriterMonitor.Next<WriterMonitor.Wake> {
        if times.isClosing && mailbox.mustGiveUp { return .work(.giveUp) }
        if !mailbox.requests.isEmpty { return .work(.requests) }
        if ring.suspension.isOn && !times.isClosing { return .wait(until: nil) }
        if !times.isOpen {
            if let retry = times.retry, now < retry, !mailbox.mustOpen { return .wait(until: retry) }
            return .work(.open)
        }
        let ringsDue = ring.ringsDue
        if mailbox.mustTendRings || ringsDue <= now { return .work(.rings) }
        if let retry = times.retry { return now >= retry ? .work(.retry) : .wait(until: min(retry, ringsDue)) }
        if mailbox.erasures != nil { return .work(.everything) }
        if let rotate = times.rotate, rotate <= now { return .work(.rotate) }
        var next = min(times.rotate ?? .max, ringsDue)
        if mailbox.decision != nil {
            next = min(next, times.settle ?? now)
            if next <= now { return .work(.everything) }
        }
        switch ring.due(on: mailbox.freeLanes, at: now) {
        case .fullMembers: return .work(.fullMembers)
        case .everything: return .work(.everything)
        case .at(let time): next = min(next, time)
        }
        return times.hasBackground ? .work(.background) : .wait(until: next == .max ? nil : next)
    }
}

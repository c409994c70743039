import Basics
public import LoopCore

/// A clock that stands still until a test moves it, for effects that wait and for the timings of steps.
///
/// ```swift
/// let clock = ManualClock()
/// let poll = Feedback<State, Event>.onChange(of: \.pollInterval) { interval in
///     .run {
///         try await clock.sleep(for: interval)       // in the app: any Clock<Duration>, handed in
///         return .poll
///     }
/// }
/// let system = System(initialState: State(), clock: clock.clock, feedbacks: [poll], reducer: reduce)
/// await clock.whenSleeping()
/// clock.advance(by: .seconds(30))
/// ```
/// Sleepers are woken in the order of their deadlines; equal deadlines are first in, first out. Work that sleeps again needs one `advance`
/// for each sleep, and ``whenSleeping(_:)`` before it. Any thread may read and move the clock.
public final class ManualClock: Clock, Sendable {
    private struct Contents {
        var now: ContinuousClock.Instant
        /// By deadline, and by age among equals.
        var sleeps: [(deadline: ContinuousClock.Instant, sleeper: Sleeper)] = []
        /// Those whose time has come and who have not been woken yet.
        var due: [Sleeper] = []
        /// The one that was woken last and has not gone on yet.
        var woken: Sleeper?
        var watches: [(count: Int, sleeper: Sleeper)] = []
    }

    private let contents: Lock<Contents>
    private let zero: ContinuousClock.Instant

    /// - Parameter nanoseconds: its first time as a step clock. Not 0 by default: a system takes a send time of 0 for "not measured".
    public init(nanoseconds: UInt64 = 1_000_000_000) {
        let now = ContinuousClock.now
        contents = Lock(Contents(now: now))
        zero = now.advanced(by: .nanoseconds(-Int64(clamping: nanoseconds)))
    }

    /// Hand this to ``/LoopCore/System``: it times steps by ``nanoseconds``, and its effects wait on this clock.
    public var clock: StepClock {
        StepClock(
            nanoseconds: { self.nanoseconds }, sleep: { try await self.sleep(until: self.now.advanced(by: $0), isolation: #isolation) })
    }

    /// Its time as a step clock.
    public var nanoseconds: UInt64 { UInt64(clamping: zero.duration(to: now).clampedNanoseconds) }

    /// The time at which the clock was made, plus all advances. Compute deadlines from this, not from `ContinuousClock`, which goes on.
    public var now: ContinuousClock.Instant { contents.withLock { $0.now } }

    public var minimumResolution: Duration { .zero }

    package var sleeperCount: Int { contents.withLock { $0.sleeps.count } }

    /// Sleeps until a test has moved the clock to the deadline; returns at once if the deadline is past.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration? = nil) async throws {
        try await sleep(until: deadline, isolation: #isolation)
    }

    private func sleep(until deadline: ContinuousClock.Instant, isolation: isolated (any Actor)?) async throws {
        try Task.checkCancellation()
        let sleeper = Sleeper()
        let met = contents.withLock { contents -> [Sleeper]? in
            if deadline <= contents.now { return nil }
            let index = contents.sleeps.firstIndex { deadline < $0.deadline } ?? contents.sleeps.endIndex
            contents.sleeps.insert((deadline, sleeper), at: index)
            let count = contents.sleeps.count
            defer { contents.watches.removeAll { $0.count <= count } }
            return contents.watches.filter { $0.count <= count }.map(\.sleeper)
        }
        guard let met else { return }
        for watcher in met { watcher.wake() }
        await wait(sleeper)
        // Off an actor it goes back to its own by way of another thread, where the next one is not to overtake it.
        if isolation == nil { Task { wakeNext(after: sleeper) } } else { wakeNext(after: sleeper) }
        try Task.checkCancellation()
    }

    /// Returns when the sleeper is woken, or when the waiting task is cancelled: that removes the sleeper at once.
    private func wait(_ sleeper: Sleeper, isolation: isolated (any Actor)? = #isolation) async {
        await withTaskCancellationHandler {
            await sleeper.sleep(isolation: isolation)
        } onCancel: {
            contents.withLock { contents in
                contents.sleeps.removeAll { $0.sleeper === sleeper }
                contents.due.removeAll { $0 === sleeper }
                contents.watches.removeAll { $0.sleeper === sleeper }
            }
        }
    }

    /// Moves the clock and wakes the sleepers that are due by then. A clock never goes back: a negative duration is a programming error.
    ///
    /// It returns before the woken tasks have gone on: ``TestSystem`` waits for the events that they send.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "A clock never goes backwards; \(duration) is negative.")
        contents.withLock { contents in
            contents.now = contents.now.advanced(by: duration)
            let count = contents.sleeps.prefix { $0.deadline <= contents.now }.count
            contents.due += contents.sleeps.prefix(count).map(\.sleeper)
            contents.sleeps.removeFirst(count)
        }
        wakeNext(after: nil)
    }

    /// Wakes the next sleeper that is due, if the `last` one that was woken has gone on. No executor promises to keep the order of jobs.
    private func wakeNext(after last: Sleeper?) {
        let next = contents.withLock { contents -> Sleeper? in
            guard contents.woken === last else { return nil }
            contents.woken = contents.due.isEmpty ? nil : contents.due.removeFirst()
            return contents.woken
        }
        next?.wake()
    }

    /// Returns when at least `count` tasks sleep, or when the waiting task is cancelled.
    public func whenSleeping(_ count: Int = 1) async {
        let sleeper = Sleeper()
        let isMet = contents.withLock { contents in
            if contents.sleeps.count >= count { return true }
            contents.watches.append((count, sleeper))
            return false
        }
        if !isMet { await wait(sleeper) }
    }
}

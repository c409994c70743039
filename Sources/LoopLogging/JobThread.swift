import Basics
import LoopCore

#if canImport(ObjectiveC)
import ObjectiveC
#endif

/// A thread that does jobs in the order in which it gets them. The number of waiting jobs is bounded. When this object is released, the
/// thread does the waiting jobs and ends. Threads do not survive `fork`: in the child, jobs are dropped and counted.
package final class JobThread<Job: Sendable>: Sendable {
    /// Which job is dropped when too many wait.
    package enum Overflow: Sendable { case newest, oldest }

    package struct Batch: Sendable {
        package internal(set) var jobs: [Job] = []
        /// How many were dropped since the last batch.
        package internal(set) var dropped = 0
        /// How many jobs were accepted when the batch was taken. A batch takes all that wait: after it, each is done or was dropped.
        fileprivate var accepted = 0
    }

    fileprivate struct State {
        /// Jobs that are never dropped, and the others, each with its number in the order.
        var kept = EventQueue<(order: Int, job: Job)>()
        var waiting = EventQueue<(order: Int, job: Job)>()
        var batch = Batch()
        var dropped = 0
        var accepted = 0
        var done = 0
        var isOpen = true
        /// Callers that wait until so many jobs are done.
        var waiters: [(target: Int, caller: CheckedContinuation<Void, Never>)] = []
    }

    /// The thread holds this and not the object, so that the object can be released.
    private let monitor: JobMonitor<Job>
    private let capacity: Int
    private let overflow: Overflow
    /// `nil` once it was joined or detached, and if the system could not start a thread.
    private let thread: Lock<PosixThread?>
    private let fork = ForkGuard()
    /// How many jobs the child of a `fork` dropped, under a lock that no other thread can have held at the time of the `fork`.
    private let droppedInChild = Lock(0)

    /// Starts a thread; if the system cannot start one, every job is dropped. `capacity`, at least 1, is how many jobs may wait beside kept
    /// ones. `makeWork` is called on the thread, once, and what it returns is called there for each batch.
    package init(capacity: Int, overflow: Overflow, _ makeWork: @escaping @Sendable () -> (Batch) -> Void) {
        let monitor = JobMonitor<Job>()
        (self.monitor, self.capacity, self.overflow) = (monitor, capacity, overflow)
        let started = try? PosixThread { monitor.run(makeWork()) }
        if started == nil { monitor.end() }
        thread = Lock(started)
    }

    deinit { end()?.detach() }

    /// How many jobs were dropped because too many waited, because the thread was closed, or since this process was forked.
    package var dropped: Int { fork.isInherited ? droppedInChild.withLock { $0 } : monitor.state.withLock { $0.dropped } }

    /// Hands over a job; one that is kept is never dropped for want of room. Returns the job that was dropped, if any, so that it is
    /// released outside the lock: the deinit of what a job holds may call this.
    @discardableResult
    package func append(_ job: Job, isKept: Bool = false) -> Job? {
        if fork.isInherited {
            droppedInChild.withLock { $0 += 1 }
            return job
        }
        return monitor.state.withLock { state in
            guard state.isOpen else {
                state.dropped += 1
                return job
            }
            var given: Job?
            if !isKept && state.waiting.count >= capacity {
                state.dropped += 1
                state.batch.dropped += 1
                if overflow == .newest { return job }
                given = state.waiting.popFirst()?.job
            }
            state.accepted += 1
            if isKept { state.kept.append((state.accepted, job)) } else { state.waiting.append((state.accepted, job)) }
            // With more than one waiting the thread is awake, or about to be.
            if state.waiting.count + state.kept.count == 1 { monitor.work.signal() }
            return given
        }
    }

    /// Returns when every job that was handed over before is done.
    package func flush() async {
        if fork.isInherited { return }
        await withCheckedContinuation { (caller: CheckedContinuation<Void, Never>) in
            let isDone = monitor.state.withLock { state in
                if state.done < state.accepted { state.waiters.append((state.accepted, caller)) }
                return state.done == state.accepted
            }
            if isDone { caller.resume() }
        }
    }

    /// Does the waiting jobs and ends the thread, and blocks the caller meanwhile. Later jobs count as dropped. Closing again does nothing.
    package func closeAndWait() { end()?.join() }

    /// The thread, which ends after the waiting jobs; `nil` in the child of a `fork`, and if it was ended before.
    private func end() -> PosixThread? {
        guard !fork.isInherited, let thread = thread.withLock({ $0.take() }) else { return nil }
        monitor.end()
        return thread
    }
}

private final class JobMonitor<Job: Sendable>: Sendable {
    let state = Lock(JobThread<Job>.State())
    let work = Condition()

    func end() {
        state.withLock { state in
            state.isOpen = false
            work.signal()
        }
    }

    /// Works until the end; the thread's body.
    func run(_ work: (JobThread<Job>.Batch) -> Void) {
        while let batch = next() {
            let done = batch.accepted
            #if canImport(ObjectiveC)
            // Otherwise what the descriptions of values leave to a pool would stay until the thread ends.
            autoreleasepool { work(batch) }
            #else
            work(batch)
            #endif
            let resumed = state.withLock { state in
                state.done = done
                defer { state.waiters.removeAll { $0.target <= done } }
                return state.waiters.filter { $0.target <= done }
            }
            for waiter in resumed { waiter.caller.resume() }
        }
    }

    /// Takes all waiting jobs, and waits for the first; `nil` at the end.
    private func next() -> JobThread<Job>.Batch? {
        state.wait(on: work) { state in
            if state.waiting.isEmpty && state.kept.isEmpty && state.batch.dropped == 0 {
                return state.isOpen ? .wait(nanoseconds: nil) : .done(nil)
            }
            var batch = state.batch
            state.batch = JobThread<Job>.Batch()
            batch.accepted = state.accepted
            batch.jobs.reserveCapacity(state.waiting.count + state.kept.count)
            while let next = state.kept.first?.order ?? state.waiting.first?.order {
                let isKept = state.waiting.first.map { next < $0.order } ?? true
                if let job = (isKept ? state.kept.popFirst() : state.waiting.popFirst())?.job { batch.jobs.append(job) }
            }
            return .done(batch)
        }
    }
}

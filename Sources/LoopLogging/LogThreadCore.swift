import Basics
import LoopCore

/// What a ``LogThread`` and those who hand steps to it share. The thread holds this and not the object, so that a forgotten object can go.
///
/// `@unchecked Sendable`: everything that changes is in the monitor. The output was made for this object of `Sendable` parts, and only the
/// thread calls it.
final class LogThreadCore: @unchecked Sendable {
    struct Job {
        let level: LogLevel
        let line: @Sendable () -> String
    }

    private struct State {
        var waiting: [Job] = []
        /// Dropped since the last line that reported drops.
        var unreported = 0
        var dropped = 0
        var accepted = 0
        var written = 0
        var isOpen = true
        /// Callers that wait until so many lines are written.
        var waiters: [(target: Int, resume: @Sendable () -> Void)] = []
    }

    private let output: LogOutput
    private let capacity: Int
    private let state = Lock(State())
    private let work = Condition()
    private let progress = Condition()

    init(_ output: LogOutput, capacity: Int) {
        self.output = output
        self.capacity = capacity
    }

    var dropped: Int { state.withLock { $0.dropped } }

    func append(_ job: Job) {
        state.withLock { state in
            guard state.isOpen, state.waiting.count < capacity else {
                state.dropped += 1
                if state.isOpen { state.unreported += 1 }
                return
            }
            state.waiting.append(job)
            state.accepted += 1
            // With more than one waiting the thread is awake, or about to be.
            if state.waiting.count == 1 { work.signal() }
        }
    }

    func whenWritten(_ resume: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if state.written == state.accepted { return true }
            state.waiters.append((state.accepted, resume))
            return false
        }
        if isDone { resume() }
    }

    func waitUntilWritten() {
        let target = state.withLock { $0.accepted }
        state.wait(on: progress) { $0.written >= target ? .done(()) : .wait(nanoseconds: nil) }
    }

    func end() {
        state.withLock { state in
            state.isOpen = false
            work.signal()
        }
    }

    /// Writes until the end; the thread's body.
    func run() {
        while let (jobs, unreported) = next() {
            for job in jobs where output.wants(job.level) { output.write(job.line(), level: job.level) }
            // These were dropped while the batch above was queued.
            if unreported > 0 { output.write("… \(unreported) steps were dropped: too many waited", level: .warning) }
            let resumed = state.withLock { state in
                state.written += jobs.count
                progress.broadcast()
                let written = state.written
                let resumed = state.waiters.filter { $0.target <= written }
                state.waiters.removeAll { $0.target <= written }
                return resumed
            }
            for waiter in resumed { waiter.resume() }
        }
    }

    /// All that waits; `nil` at the end.
    private func next() -> (jobs: [Job], unreported: Int)? {
        state.wait(on: work) { state in
            if state.waiting.isEmpty && state.unreported == 0 { return state.isOpen ? .wait(nanoseconds: nil) : .done(nil) }
            let taken = (jobs: state.waiting, unreported: state.unreported)
            state.waiting = []
            state.waiting.reserveCapacity(min(taken.jobs.count, 256))
            state.unreported = 0
            return .done(taken)
        }
    }
}

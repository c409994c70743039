import Basics
import EventFiles
import LoopCore

/// What a ``LogThread`` and those who hand steps to it share. The thread holds this and not the object, so that a forgotten one can go.
///
/// `@unchecked Sendable`: everything that changes is in the monitor. The output was made for this object of `Sendable` parts, and is called by the thread alone, or,
/// where there is no thread, by one caller at a time.
final class LogThreadCore: @unchecked Sendable {
    struct Job {
        let level: LogLevel
        let line: @Sendable () -> String
    }

    private struct State {
        var waiting: [Job] = []
        /// Dropped since the last line that told of it.
        var untold = 0
        var dropped = 0
        var accepted = 0
        var written = 0
        var isOpen = true
        /// Who waits for so many lines to be written.
        var waiters: [(target: Int, resume: @Sendable () -> Void)] = []
    }

    private let output: LogOutput
    private let capacity: Int
    private let state = Monitor(State())
    private let work = Condition()
    private let progress = Condition()
    /// Callers in a child of `fork`, one at a time: the monitor may be locked there for ever.
    private let direct = Monitor(())

    init(_ output: LogOutput, capacity: Int) {
        self.output = output
        self.capacity = capacity
    }

    var dropped: Int { state.withLock { $0.dropped } }

    func append(_ job: Job) {
        state.withLock { state in
            guard state.isOpen, state.waiting.count < capacity else {
                state.dropped += 1
                if state.isOpen { state.untold += 1 }
                return
            }
            state.waiting.append(job)
            state.accepted += 1
            // Else it is awake, or about to be.
            if state.waiting.count == 1 { work.signal() }
        }
    }

    func writeNow(level: LogLevel, _ line: @Sendable () -> String) {
        direct.withLock { _ in if output.wants(level) { output.write(line(), level: level) } }
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

    /// The thread.
    func run() {
        while let (jobs, untold) = next() {
            for job in jobs where output.wants(job.level) { output.write(job.line(), level: job.level) }
            // They came when all of these waited.
            if untold > 0 { output.write("… \(untold) steps were not told: too many waited", level: .warning) }
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
    private func next() -> (jobs: [Job], untold: Int)? {
        state.wait(on: work) { state in
            if state.waiting.isEmpty && state.untold == 0 { return state.isOpen ? .wait(nanoseconds: nil) : .done(nil) }
            let taken = (jobs: state.waiting, untold: state.untold)
            state.waiting = []
            state.waiting.reserveCapacity(min(taken.jobs.count, 256))
            state.untold = 0
            return .done(taken)
        }
    }
}

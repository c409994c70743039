/// A thread that formats steps and writes the lines, so that the loop does neither.
///
/// ```swift
/// let thread = LogThread(to: .standardError)
/// system.attach(.log(.changes, on: thread))
/// …
/// await thread.close()
/// ```
/// It may serve several systems. Lines come in the order in which their steps were handed over. The number of waiting steps is bounded:
/// beyond it new steps are dropped, and a line says how many (in `.json` with `level` and `error`). A waiting step keeps its states alive.
///
/// When this object is released, its thread writes what waits and ends. In the child of a `fork`, steps are dropped and counted.
public final class LogThread: Sendable {
    typealias Job = (level: LogLevel, system: String?, isJSON: Bool, line: @Sendable () -> String)

    private let thread: JobThread<Job>

    /// Starts a thread. If the system cannot start one, every step is dropped.
    ///
    /// - Parameters:
    ///   - output: made on the thread, and called there and nowhere else. What its closures hold is `Sendable`.
    ///   - capacity: how many steps may wait, at least 1.
    public init(to output: @autoclosure @escaping @Sendable () -> LogOutput, capacity: Int = 4_096) {
        precondition(capacity > 0, "A log thread keeps at least one step.")
        thread = JobThread(capacity: capacity, overflow: .newest) {
            let output = output()
            var isJSON = false
            return { batch in
                for job in batch.jobs {
                    isJSON = job.isJSON
                    if output.wants(job.level) { output.write(job.line(), level: job.level, system: job.system) }
                }
                // These were dropped while the batch above was queued.
                if batch.dropped == 0 || !output.wants(.warning) { return }
                let note = "\(batch.dropped == 1 ? "1 step was" : "\(batch.dropped) steps were") dropped: too many waited"
                output.write(isJSON ? #"{"level":"warning","error":"\#(note)"}"# : "… " + note, level: .warning)
            }
        }
    }

    /// Hands over a line that is made on the thread.
    func write(_ job: Job) { thread.append(job) }

    /// How many steps were dropped because too many waited, because the thread was closed, or since this process was forked.
    public var dropped: Int { thread.dropped }

    /// Returns when the output has every line that was handed over before.
    public func flush() async { await thread.flush() }

    /// Writes what waits and ends the thread. Later steps are counted as dropped. To close again does nothing.
    public func close() async {
        await flush()
        closeAndWait()
    }

    /// Writes what waits and ends the thread, and blocks the calling thread meanwhile. Later steps are counted as dropped.
    public func closeAndWait() { thread.closeAndWait() }
}

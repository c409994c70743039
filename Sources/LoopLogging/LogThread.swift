import Basics
import EventFiles
import LoopCore
import TrackingEvents

/// A thread that formats steps and writes the lines, so that the loop does neither.
///
/// ```swift
/// let thread = LogThread(to: .standardError)
/// system.attach(.log(.changes, on: thread))
/// …
/// await thread.close()
/// ```
/// It may serve several systems. Lines come in the order in which their steps were handed over. What waits is bounded: when it is full, new steps are
/// not told, and a line says how many that were where they would have stood. A step that waits keeps its states alive.
///
/// A thread that nobody holds any more writes what waits and ends. After `fork` a child formats and writes at once, on the caller's thread.
public final class LogThread: Sendable {
    /// So many steps may wait unless told otherwise.
    public static let capacity = 4_096

    private let core: LogThreadCore
    private let fork = ForkGuard()
    /// `nil` once somebody joins it, and where the system had none to give.
    private let thread: Lock<PosixThread?>
    private let hasThread: Bool

    /// Starts a thread. Where the system has none to give, lines are formatted and written by whoever hands them over.
    ///
    /// - Parameters:
    ///   - output: made here, and called on the thread and nowhere else, but in a forked child. What its closures hold is `Sendable`.
    ///   - capacity: how many steps may wait, at least 1.
    public init(to output: @autoclosure @Sendable () -> LogOutput, capacity: Int = LogThread.capacity) {
        precondition(capacity > 0, "A log thread keeps at least one step.")
        let core = LogThreadCore(output(), capacity: capacity)
        self.core = core
        let started = try? PosixThread { core.run() }
        hasThread = started != nil
        thread = Lock(started)
    }

    deinit {
        guard !fork.isInherited, let thread = thread.withLock({ $0.take() }) else { return }
        core.end()
        thread.detach()
    }

    /// Hands a line over that is made on the thread.
    func write(level: LogLevel, _ line: @escaping @Sendable () -> String) {
        if fork.isInherited || !hasThread { return core.writeNow(level: level, line) }
        core.append(LogThreadCore.Job(level: level, line: line))
    }

    /// How many steps were not told because too many waited, or because the thread was closed.
    public var dropped: Int { fork.isInherited ? 0 : core.dropped }

    /// Returns when every step that was handed over before is with the output.
    public func flush() async {
        if fork.isInherited || !hasThread { return }
        await withCheckedContinuation { continuation in core.whenWritten { continuation.resume() } }
    }

    /// ``flush()`` for a program without tasks: blocks the calling thread. Not for the output itself to call.
    public func flushAndWait() {
        if fork.isInherited || !hasThread { return }
        core.waitUntilWritten()
    }

    /// Writes what waits and ends the thread. Steps that come later are counted as dropped. To close again does nothing.
    public func close() async {
        await flush()
        closeAndWait()
    }

    /// ``close()`` for a program without tasks: blocks the calling thread.
    public func closeAndWait() {
        if fork.isInherited { return }
        guard let thread = thread.withLock({ $0.take() }) else { return }
        core.end()
        thread.join()
    }
}

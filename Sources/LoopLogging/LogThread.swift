import Basics
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
/// It may serve several systems. Lines come in the order in which their steps were handed over. What waits is bounded: when it is full, new
/// steps are dropped, and a line says how many where they would have stood. A step that waits keeps its states alive.
///
/// A thread that nobody holds any more writes what waits and ends. Threads do not survive `fork`: in the child, steps are dropped and
/// counted, and nothing is written.
public final class LogThread: Sendable {
    private let core: LogThreadCore
    /// `nil` once somebody joins it, and where the system had none to give.
    private let thread: Lock<PosixThread?>
    private let fork = ForkGuard()
    /// A lock that no other thread can have held at the time of the `fork`.
    private let droppedInChild = Lock(0)

    /// Starts a thread. Where the system has none to give, every step is dropped.
    ///
    /// - Parameters:
    ///   - output: made here, and called on the thread and nowhere else. What its closures hold is `Sendable`.
    ///   - capacity: how many steps may wait, at least 1.
    public init(to output: @autoclosure @Sendable () -> LogOutput, capacity: Int = 4_096) {
        precondition(capacity > 0, "A log thread keeps at least one step.")
        let core = LogThreadCore(output(), capacity: capacity)
        self.core = core
        let started = try? PosixThread { core.run() }
        if started == nil { core.end() }
        thread = Lock(started)
    }

    deinit {
        guard !fork.isInherited, let thread = thread.withLock({ $0.take() }) else { return }
        core.end()
        thread.detach()
    }

    /// Hands over a line that is made on the thread.
    func write(level: LogLevel, _ line: @escaping @Sendable () -> String) {
        if fork.isInherited { return droppedInChild.withLock { $0 += 1 } }
        core.append(LogThreadCore.Job(level: level, line: line))
    }

    /// How many steps were dropped because too many waited, because the thread was closed, or since this process was forked.
    public var dropped: Int { fork.isInherited ? droppedInChild.withLock { $0 } : core.dropped }

    /// Returns when the output has every line that was handed over before.
    public func flush() async {
        if fork.isInherited { return }
        await withCheckedContinuation { continuation in core.whenWritten { continuation.resume() } }
    }

    /// Blocks the calling thread until the output has every line that was handed over before. Not for the output itself to call.
    package func flushAndWait() { if !fork.isInherited { core.waitUntilWritten() } }

    /// Writes what waits and ends the thread. Later steps are counted as dropped. To close again does nothing.
    public func close() async {
        await flush()
        closeAndWait()
    }

    /// Writes what waits and ends the thread, and blocks the calling thread meanwhile. Later steps are counted as dropped.
    public func closeAndWait() {
        guard !fork.isInherited, let thread = thread.withLock({ $0.take() }) else { return }
        core.end()
        thread.join()
    }
}

import Basics

/// Writes spans into a file that Perfetto (ui.perfetto.dev) and `chrome://tracing` open.
///
/// Each system has a lane with its events, their phases and asynchronous work within them. Effects have lanes below, as many as run at
/// once, with an arrow from the event that started them.
///
/// **The loop never waits.** It hands its spans over, and another thread encodes and writes them. Spans are dropped and counted when more
/// than the limit wait, which the next write marks in the file, when the file has reached its maximum size, and after a write has failed.
///
/// **What the file holds.** A JSON array of one event a line. Every write replaces the closing bracket by the new lines and a new bracket.
/// A write that fails, as on a full disk, is undone, if that can be done. After an exit, a crash or a kill without ``finish()`` the file
/// lacks the spans of the last moment, and what had not ended. Of a file that is cut within a line, viewers read what comes before.
public final class ChromeTraceFile: TraceSink {
    private struct Waiting {
        var spans: [TraceSpan] = []
        var lost = 0
        var isBeingWritten = false
    }

    private let maxWaitingSpans: Int
    private let waiting = Lock(Waiting())
    /// Taken before ``waiting``, never within it.
    private let writer: Lock<ChromeTraceWriter>

    /// Creates the file, or empties an existing one.
    ///
    /// - Parameters:
    ///   - path: ends in `.json`, because viewers expect it.
    ///   - process: the name of this process in the viewer.
    ///   - maxWaitingSpans: how many spans may wait for the writing thread; by default some 15 MB.
    ///   - maxBytes: how large the file may grow; by default about what viewers open with ease.
    public convenience init(
        path: String, process: String = "looptrail", maxWaitingSpans: Int = 65_536, maxBytes: Int = 256 << 20
    ) throws(TraceOutputError) {
        try self.init(to: TraceFile(path: path), process: process, pid: getpid(), maxWaitingSpans: maxWaitingSpans, maxBytes: maxBytes)
    }

    /// Writes to any output that is empty. The number of the process separates the lanes of several files that are opened together.
    package init(
        to output: some TraceOutput, process: String = "looptrail", pid: Int32, maxWaitingSpans: Int = 65_536, maxBytes: Int = 256 << 20
    ) throws(TraceOutputError) {
        self.maxWaitingSpans = maxWaitingSpans
        writer = Lock(try ChromeTraceWriter(output, process: process, pid: pid, maxBytes: maxBytes))
    }

    public func record(_ spans: [TraceSpan]) {
        let mustStart = waiting.withLock { waiting in
            guard waiting.spans.count + spans.count <= maxWaitingSpans else {
                waiting.lost += spans.count
                return false
            }
            waiting.spans += spans
            return !exchange(&waiting.isBeingWritten, with: true)
        }
        // The task retains this object until all is written, so that releasing it loses nothing.
        if mustStart { Task.detached(priority: .utility) { self.writeWaiting() } }
    }

    /// Writes all spans recorded before, and marks in the file how many more were dropped, if any. Blocks meanwhile. More spans may follow.
    ///
    /// - Returns: how many spans the file holds, how many were dropped, and why a write failed; nothing is written after a failure.
    @discardableResult
    public func finish() -> (written: Int, lost: Int, failure: TraceOutputError?) {
        writeWaiting()
        return writer.withLock { writer in
            writer.markLoss()
            return (writer.written, writer.lost, writer.failure)
        }
    }

    private func writeWaiting() {
        writer.withLock { writer in
            while true {
                let taken = waiting.withLock { exchange(&$0, with: Waiting(isBeingWritten: !$0.spans.isEmpty)) }
                if taken.spans.isEmpty && taken.lost == 0 { return }
                writer.add(taken.spans, lost: taken.lost)
            }
        }
    }
}

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Basics
import TrackingEvents

/// Writes spans into a file that Perfetto (ui.perfetto.dev) and `chrome://tracing` open.
///
/// ```swift
/// let file = try ChromeTraceFile(path: "loop.trace.json")
/// system.attach(.trace(to: file, name: "shop"))
/// …
/// file.finish()
/// ```
/// Each system is a lane with its events, their phases and asynchronous work within them; effects of feedbacks have lanes below,
/// as many as there are at once, with an arrow from the event that started them.
///
/// **Never held up.** The loop hands its spans over; another thread encodes and writes them at once. If it falls behind by more than
/// the limit of waiting spans, later ones are dropped and counted, and so they are once the file has reached its size or could not be
/// written.
///
/// **What the file holds.** A JSON array of one event a line, closed after each write: every write puts the new lines over the closing
/// bracket and ends with a new one. So
/// - after ``finish()`` it is complete and closed;
/// - after an exit, a crash or a kill without it, the file is closed and lacks what was recorded in the last moment, and events and
///   effects that had not ended;
/// - on a full disk it is put back as it was before the write that failed, closed;
/// - cut within a line, by a loss of power or a copy of a part, it is still what the format allows: viewers read an array
///   without its bracket up to the last whole event.
public final class ChromeTraceFile: TraceSink {
    /// So many spans may wait by default: some 15 MB.
    public static let waitingLimit = 65_536
    /// How large the file grows by default: about what viewers still open with ease.
    public static let sizeLimit = 256 << 20

    /// What became of the spans.
    public struct Statistics: Sendable, Equatable {
        /// Spans in the file.
        public var written = 0
        /// Spans that are not, and will not be.
        public var lost = 0
        /// What kept the file from being written. Nothing is written after it.
        public var failure: TraceOutputError?

        public init(written: Int = 0, lost: Int = 0, failure: TraceOutputError? = nil) {
            self.written = written
            self.lost = lost
            self.failure = failure
        }
    }

    private struct Waiting {
        var spans: [TraceSpan] = []
        var lost = 0
        var isBeingWritten = false
    }

    private let waitingLimit: Int
    private let waiting = Lock(Waiting())
    /// Taken before ``waiting``, never within it.
    private let writer: Lock<ChromeTraceWriter>

    /// Makes the file, or empties the one that is there.
    ///
    /// - Parameters:
    ///   - path: with the ending `.json`, by which viewers know it.
    ///   - process: the name of this process in the viewer.
    ///   - waitingLimit: so many spans may wait for being written.
    ///   - sizeLimit: so many bytes the file may have.
    public convenience init(
        path: String, process: String = "looptrail", waitingLimit: Int = ChromeTraceFile.waitingLimit,
        sizeLimit: Int = ChromeTraceFile.sizeLimit
    ) throws(TraceOutputError) {
        try self.init(
            to: TraceFile(path: path), process: process, pid: getpid(), waitingLimit: waitingLimit, sizeLimit: sizeLimit)
    }

    /// The same over any output, which is empty.
    ///
    /// - Parameter pid: the number of this process; it keeps the lanes of several files apart that are opened together.
    public init(
        to output: some TraceOutput, process: String = "looptrail", pid: Int32, waitingLimit: Int = ChromeTraceFile.waitingLimit,
        sizeLimit: Int = ChromeTraceFile.sizeLimit
    ) throws(TraceOutputError) {
        self.waitingLimit = waitingLimit
        writer = Lock(try ChromeTraceWriter(output, process: process, pid: pid, sizeLimit: sizeLimit))
    }

    public func record(_ spans: [TraceSpan]) {
        let mustStart = waiting.withLock { waiting in
            guard waiting.spans.count + spans.count <= waitingLimit else {
                waiting.lost += spans.count
                return false
            }
            waiting.spans += spans
            defer { waiting.isBeingWritten = true }
            return !waiting.isBeingWritten
        }
        // It holds this until everything is written, so that letting go of a trace loses nothing.
        if mustStart { Task.detached(priority: .utility) { self.writeWaiting() } }
    }

    /// Writes all spans that were recorded before, and says in the file how many are missing, if any. Spans may come after it.
    ///
    /// Blocks the caller for the time of the writing.
    @discardableResult
    public func finish() -> Statistics {
        writeWaiting()
        return writer.withLock { writer in
            writer.tellLoss()
            return Statistics(written: writer.written, lost: writer.lost, failure: writer.failure)
        }
    }

    private func writeWaiting() {
        writer.withLock { writer in
            while true {
                let (spans, lost) = waiting.withLock { waiting in
                    defer {
                        waiting.isBeingWritten = !waiting.spans.isEmpty
                        waiting.spans = []
                        waiting.lost = 0
                    }
                    return (waiting.spans, waiting.lost)
                }
                if spans.isEmpty && lost == 0 { return }
                writer.add(spans, lost: lost)
            }
        }
    }
}

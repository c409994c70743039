import Basics

/// The cache and the memory with which a line is made.
struct LogScratch {
    /// What is known of the types that the log has seen; `nil` where everything is reflected anew.
    let layouts: ValueLayouts?
    let bytes: ByteBuffer
}

/// Keeps a log's scratch from line to line. Lines that are made at the same time, or one inside the other, get a scratch of their own.
final class LogScratchKeeper: Sendable {
    private let kept = Lock<LogScratch?>(nil)
    private let reflection: LogReflection

    init(_ reflection: LogReflection) { self.reflection = reflection }

    func use<Result>(_ body: (LogScratch) -> Result) -> Result {
        let scratch =
            kept.withLock { $0.take() }
            ?? LogScratch(layouts: reflection == .inPlace ? ValueLayouts() : nil, bytes: ByteBuffer(capacity: 512))
        defer {
            scratch.bytes.removeAll()
            kept.withLock { $0 = scratch }
        }
        return body(scratch)
    }
}

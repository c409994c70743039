import Basics
import LoopTracing
import TrackingEvents

/// A file in memory that may run full, and that remembers how it looked after each write.
final class MemoryOutput: TraceOutput {
    struct Contents {
        var bytes: [UInt8] = []
        var states: [String] = []
        var room = Int.max
        var truncates = true
    }

    let contents: Lock<Contents>
    /// Called at each write, before it.
    private let onWrite: @Sendable () -> Void

    init(room: Int = .max, truncates: Bool = true, onWrite: @escaping @Sendable () -> Void = {}) {
        contents = Lock(Contents(room: room, truncates: truncates))
        self.onWrite = onWrite
    }

    var text: String { contents.withLock { String(decoding: $0.bytes, as: UTF8.self) } }
    var states: [String] { contents.withLock { $0.states } }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(TraceOutputError) {
        onWrite()
        let isFull = contents.withLock { contents in
            let fitting = bytes.prefix(max(contents.room - offset, 0))
            let end = min(offset + fitting.count, contents.bytes.count)
            contents.bytes.replaceSubrange(min(offset, end)..<end, with: fitting)
            contents.states.append(String(decoding: contents.bytes, as: UTF8.self))
            return fitting.count < bytes.count
        }
        if isFull { throw TraceOutputError(.write, path: "memory", errno: 28, offset: offset) }
    }

    func truncate(to size: Int) throws(TraceOutputError) {
        let done = contents.withLock { contents in
            if contents.truncates { contents.bytes.removeLast(contents.bytes.count - size) }
            return contents.truncates
        }
        if !done { throw TraceOutputError(.truncate, path: "memory", errno: 5) }
    }
}

import Basics

/// A file that can be written at any offset and truncated. One thread at a time uses it, not always the same one.
package protocol TraceOutput: Sendable {
    /// Writes all bytes at an offset; bytes beyond the end make the file longer. If it throws, some bytes may be written.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(TraceOutputError)

    func truncate(to size: Int) throws(TraceOutputError)
}

/// A file of traces or metrics could not be opened, written, truncated or replaced.
public struct TraceOutputError: Error, Equatable, CustomStringConvertible {
    /// The text says at which step a ``PrometheusFile`` could not be replaced.
    package enum Operation: Equatable, Sendable { case open, write, truncate, replace(String) }

    package let operation: Operation
    package let path: String
    /// The system's error, such as `ENOSPC`.
    public let errno: Int32
    /// Where the write began to fail, in bytes; 0 for other operations.
    package let offset: Int

    package init(_ operation: Operation, path: String, errno: Int32, offset: Int = 0) {
        (self.operation, self.path, self.errno, self.offset) = (operation, path, errno, offset)
    }

    public var description: String {
        let place = "`\(path)`\(operation == .write ? " at byte \(offset)" : ""): \(String(cString: strerror(errno)))"
        return switch operation {
        case .replace(let step): "cannot \(step) \(place); the folder must be there and writable, and have room"
        case .open: "cannot open the trace \(place). Name a file in a folder that is there and may be written."
        case .write, .truncate: "cannot \(operation) the trace \(place). What was written before is whole."
        }
    }
}

/// A file on disk. It is closed when this object is released.
package final class TraceFile: TraceOutput {
    package let path: String
    private let descriptor: Int32

    /// Creates the file, or empties an existing one. Does not wait for a reader of a pipe: without one it throws.
    package init(path: String) throws(TraceOutputError) {
        self.path = path
        let opened = uninterrupted { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o644) }
        guard opened >= 0 else { throw TraceOutputError(.open, path: path, errno: errno) }
        descriptor = opened
    }

    deinit { close(descriptor) }

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(TraceOutputError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = uninterrupted { pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written)) }
            guard count > 0 else {
                throw TraceOutputError(.write, path: path, errno: count == 0 ? ENOSPC : errno, offset: offset + written)
            }
            written += count
        }
    }

    package func truncate(to size: Int) throws(TraceOutputError) {
        if uninterrupted({ ftruncate(descriptor, off_t(size)) }) != 0 { throw TraceOutputError(.truncate, path: path, errno: errno) }
    }
}

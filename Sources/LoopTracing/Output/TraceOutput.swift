#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file as the exporters need one: bytes at a place, and a length that can be cut back.
///
/// Used by one thread at a time, not always the same.
public protocol TraceOutput: Sendable {
    /// Writes all of the bytes at a place; bytes beyond the end make the file longer. Where it throws, some of them may be written.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(TraceOutputError)

    /// Cuts everything off after so many bytes.
    func truncate(to size: Int) throws(TraceOutputError)
}

/// A file of traces could not be opened or written.
public struct TraceOutputError: Error, Equatable, CustomStringConvertible {
    /// What was to be done.
    public enum Operation: String, Sendable {
        case open, write, truncate
    }

    public let operation: Operation
    public let path: String
    /// What the system said, such as `ENOSPC`.
    public let errno: Int32
    /// Where the bytes were to go; 0 but for writing.
    public let offset: Int

    public init(_ operation: Operation, path: String, errno: Int32, offset: Int = 0) {
        self.operation = operation
        self.path = path
        self.errno = errno
        self.offset = offset
    }

    public var description: String {
        let place = operation == .write ? " at byte \(offset)" : ""
        let remedy = operation == .open ? "Name a file in a folder that is there and may be written." : "What was written before is whole."
        return "cannot \(operation.rawValue) the trace `\(path)`\(place): \(String(cString: strerror(errno))). \(remedy)"
    }
}

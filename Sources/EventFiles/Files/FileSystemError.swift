import Basics

/// A call to the file system that failed: which, on what, and why.
public struct FileSystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The calls of ``FileSystem``, mostly under the names of the system's calls.
    public enum Call: String, Sendable, CaseIterable {
        case openFolder = "open folder"
        case makeFolder = "mkdir"
        case names = "readdir"
        case create
        case open
        case lock = "flock"
        case status = "stat"
        case read
        case write
        case truncate = "ftruncate"
        case synchronize = "fsync"
        case link
        case rename
        case remove = "unlink"
        case removeFolder = "rmdir"
        case close
        case map = "allocate and map"
    }

    public var call: Call
    /// The system's number of the error, such as `ENOSPC`.
    public var errno: Int32
    /// The path or the name inside the folder; empty where only a descriptor is known.
    public var path: String

    public init(_ call: Call, errno: Int32, path: String = "") { (self.call, self.errno, self.path) = (call, errno, path) }

    /// As in `write events-1a2b3c4d5e6f7081-0000000001.ndjson.gz.open: No space left on device (28)`.
    public var description: String {
        let advice = errno == EMFILE ? "; `ulimit -n` allows more" : ""
        return "\(call.rawValue)\(path.isEmpty ? "" : " \(path)"): \(String(cString: strerror(errno))) (\(errno))\(advice)"
    }

    static func isLocked(_ path: String) -> FileSystemError { FileSystemError(.lock, errno: EWOULDBLOCK, path: path) }

    /// This error with the file's name, which calls by descriptor do not know.
    func naming(_ path: String) -> FileSystemError { self.path.isEmpty ? FileSystemError(call, errno: errno, path: path) : self }

    /// Whether no hard link can be made: the file system has none, or the file has as many as it may have.
    var meansNoLinks: Bool { errno == EPERM || errno == ENOTSUP || errno == EMLINK || errno == ENOSYS }
}

/// Runs calls to the file system; `nil` if one fails with one of the given error numbers.
func allowing<Result>(_ numbers: [Int32], _ body: () throws(FileSystemError) -> Result) throws(FileSystemError) -> Result? {
    do throws(FileSystemError) { return try body() } catch { if !numbers.contains(error.errno) { throw error } }
    return nil
}

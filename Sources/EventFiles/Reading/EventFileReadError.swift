import Basics

/// Why input could not be read at all. Damage inside files is no error: it stands in the ``ReadResult``.
public enum EventFileReadError: Error, Sendable, Hashable {
    /// A path leads nowhere.
    case noSuchPath(String)
    /// No name fits a pattern.
    case noMatch(pattern: String)
    /// Nothing under the paths is an event file. `waitingLines` counts the lines in rings: the next flush or writer puts them into a file.
    case noEventFiles(lookedAt: [String], waitingLines: Int = 0)
    /// A path leads to something that is neither file, folder nor pipe.
    case notReadable(path: String)
    /// A pipe gives its bytes once, and a follower looks again and again.
    case notFollowable(path: String)
    /// A name that fits a pattern is not UTF-8; `path` shows U+FFFD for what is broken. In a folder such a name is passed over.
    case nameNotUTF8(path: String)
    /// A system call failed; `offset` says where in the file, in bytes.
    case system(path: String, call: String, errno: Int32, offset: Int64)

    init(_ error: FileSystemError, offset: Int64 = 0) {
        // Folders are opened as `name/.`, so that links are followed. The error shows the name alone.
        let path = error.path.droppingLastBytes("/.") ?? error.path
        self = .system(path: path, call: error.call.rawValue, errno: error.errno, offset: offset)
    }
}

func reading<Result>(
    _ path: String, at offset: Int64 = 0, _ body: () throws(FileSystemError) -> Result
) throws(EventFileReadError) -> Result {
    do throws(FileSystemError) { return try body() } catch { throw EventFileReadError(error.naming(path), offset: offset) }
}

extension EventFileReadError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noSuchPath(let path): "\(path): no such file or folder; check the spelling, or quote a pattern such as 'events/*.gz'"
        case .noMatch(let pattern): "\(pattern): no file fits this pattern"
        case .noEventFiles(let paths, let waitingLines):
            "\(paths.isEmpty ? "" : paths.joined(separator: ", ") + ": ")no event file is here; "
                + (waitingLines == 0
                    ? "a folder's are *.ndjson.gz, *.ndjson, *.jsonl.gz and *.jsonl"
                    : GroupedNumber.counted(waitingLines, "line waits", "lines wait") + " in the ring of a writer that is at work or was "
                        + "killed: a flush, or the next writer in this folder, puts what waits into a file")
        case .notReadable(let path): "\(path): neither a file nor a folder nor a pipe; give one of these, or - for standard input"
        case .notFollowable(let path): "\(path): a pipe cannot be followed; give a file or a folder"
        case .nameNotUTF8(let path): "\(path): a name that is not UTF-8 cannot be read; rename it, or leave it out"
        case .system(let path, let call, let errno, let offset):
            "\(path): \(call) failed\(offset > 0 ? " at byte \(offset)" : ""): \(String(cString: strerror(errno)))"
                + (errno == EACCES ? "; ask for the right to read it, or leave it out" : "")
        }
    }
}

import Basics

/// Keeps the anonymous id between runs of a program, for all its trackers and processes.
///
/// ``AnonymousIDFile`` keeps it in a file. Requirements of a conforming type:
/// - It may be called from any thread. A tracker makes one call at a time, with its lock free, and a session's first event waits for it.
/// - It never calls back into the tracker.
/// - An id is kept whole or not at all, even if the process is killed.
public protocol AnonymousIDStore: Sendable {
    /// The kept id. If there is none, keeps `proposed` and returns it, or the id that another process kept at the same moment.
    func load(orKeep proposed: String) throws(AnonymousIDError) -> String

    /// Replaces the kept id.
    func replace(with id: String) throws(AnonymousIDError)

    /// Removes the id; no error if there is none.
    func remove() throws(AnonymousIDError)
}

/// Why the kept anonymous id cannot be used. The tracker goes on with an id of its own.
public enum AnonymousIDError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file holds no anonymous id. A new one replaces it.
    case damaged(path: String)
    /// The path leads to a folder, a link or a device. It is left alone, and the id lasts for this run.
    case notAFile(path: String)
    /// The file cannot be read, as on a locked device. It is left alone, and the id lasts for this run.
    case unreadable(path: String, errno: Int32)
    /// The id cannot be kept, and lasts for this run.
    case unwritable(path: String, errno: Int32)

    public var description: String {
        switch self {
        case .damaged(let path): "\(path) holds no anonymous id. A new one replaces it: people known by the old one count as new."
        case .notAFile(let path): "\(path) is no file, so no anonymous id is kept there. Remove it or name another path."
        case .unreadable(let path, let errno):
            "\(path) cannot be read (\(SystemError(number: errno))), so the anonymous id lasts for this run. Look at its permissions."
        case .unwritable(let path, let errno):
            "\(path) cannot be written (\(SystemError(number: errno))), so the anonymous id lasts for this run. "
                + "Look at the folder's permissions and room."
        }
    }
}

/// Where the anonymous id is kept between runs of a program, for all its trackers and processes.
///
/// ``AnonymousIDFile`` is the one for programs with a file system. What a conforming type must keep:
/// - It may be called from any thread, while the tracker holds its lock: it returns quickly and never calls back into the tracker.
/// - An id is kept whole or not at all, also if the process is killed.
public protocol AnonymousIDStore: Sendable {
    /// The id that is kept. Where there is none, keeps `proposed` and returns it, or what somebody else has kept at the same moment.
    func load(orKeep proposed: String) throws(AnonymousIDError) -> String

    /// Keeps another id in place of what is there.
    func replace(with id: String) throws(AnonymousIDError)

    /// Forgets the id; that there is none is as good.
    func remove() throws(AnonymousIDError)
}

/// What can go wrong with a kept anonymous id. The tracker goes on with an id of its own in any case.
public enum AnonymousIDError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What the file holds is no anonymous id. It is replaced by a new one.
    case damaged(path: String)
    /// A folder, a link or a device stands there. It is left alone, and the id lasts for this run.
    case notAFile(path: String)
    /// The file cannot be read, as on a locked device. It is left alone, and the id lasts for this run.
    case unreadable(path: String, errno: Int32)
    /// The id cannot be kept, and lasts for this run.
    case unwritable(path: String, errno: Int32)

    public var description: String {
        switch self {
        case .damaged(let path): "\(path) holds no anonymous id. A new one takes its place: people known by the old one count as new."
        case .notAFile(let path): "\(path) is no file, so no anonymous id is kept there. Remove it or name another path."
        case .unreadable(let path, let errno):
            "\(path) cannot be read (error \(errno)), so the anonymous id lasts for this run. Look at its permissions."
        case .unwritable(let path, let errno):
            "\(path) cannot be written (error \(errno)), so the anonymous id lasts for this run. Look at the folder's permissions and room."
        }
    }
}

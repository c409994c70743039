import Basics

/// The handful of calls that the writer and the readers make: tests and users can put one below them that fails, is full or dies.
///
/// Everything inside a folder is reached by the folder's open descriptor and a name. So a folder that is moved, or replaced by a link,
/// cannot lead the writer elsewhere. The rules for a conforming type:
/// - One call is one attempt: it may fail with `EINTR`, and read or write less than asked for. The caller repeats it: tests make it do so.
/// - Links are never followed at the last step of a name, except by ``openToRead(atPath:)`` and ``status(atPath:)``.
/// - A name inside a folder may be a path where the folder is ``FileDescriptor/working``.
/// - Descriptors are closed in child processes when these start another program.
/// - Calls come from several threads at once, also for one folder; never two at once for one open file.
public protocol FileSystem: Sendable {
    /// Opens a folder inside another. Refuses a link (`ELOOP` or `ENOTDIR`) and what is no folder (`ENOTDIR`).
    func openFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor
    /// Makes a folder inside another for its owner alone (0700).
    func makeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError)
    /// The entries of a folder in any order, without `.` and `..`.
    func entries(in folder: FileDescriptor) throws(FileSystemError) -> [FolderEntry]

    /// Makes a file that did not exist, for reading and writing by its owner alone (0600).
    func create(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor
    /// Opens a file that exists, for reading and writing. Never waits, not even for the other end of a FIFO.
    func open(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor
    /// Opens the file at a path for reading alone. Links are followed: people may have linked the files that they read.
    func openToRead(atPath path: String) throws(FileSystemError) -> FileDescriptor
    /// Closes a descriptor and gives up its lock. Even if the system reports an error, the descriptor is gone.
    func close(_ file: FileDescriptor)
    /// Takes the file's lock for this descriptor without waiting; `false` when another descriptor holds it.
    func lock(_ file: FileDescriptor) throws(FileSystemError) -> Bool

    /// The status of an open file or folder.
    func status(of file: FileDescriptor) throws(FileSystemError) -> FileStatus
    /// The status of what has a name, of a link itself and not of its target; `nil` if nothing has that name.
    func status(of name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileStatus?
    /// The status of what a path leads to, links followed; `nil` if nothing is there. By default opens the file and takes its status.
    func status(atPath path: String) throws(FileSystemError) -> FileStatus?

    /// Reads from an offset of a file and returns how many bytes it read; 0 at the end.
    func read(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int
    /// Reads the next bytes of a pipe or standard input and returns how many it read; 0 at the end. Waits until there are some.
    func readNext(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor) throws(FileSystemError) -> Int
    /// Writes at an offset of a file and returns how many of the bytes were taken.
    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int
    /// Gives a file the owner, the group and the permissions of another, as far as this process may. Does nothing by default.
    func copyAccess(of name: String, in folder: FileDescriptor, to file: FileDescriptor)
    /// Cuts a file to a length.
    func truncate(_ file: FileDescriptor, to length: Int64) throws(FileSystemError)
    /// Returns when a file's contents and length, or a folder's names, would survive a power loss.
    func synchronize(_ file: FileDescriptor) throws(FileSystemError)

    /// Gives a file a second name; fails with `EEXIST` where that is taken.
    func link(_ name: String, to newName: String, in folder: FileDescriptor) throws(FileSystemError)
    /// Gives a file another name in one step, in the same folder or in another.
    func rename(_ name: String, in folder: FileDescriptor, to newName: String, in newFolder: FileDescriptor) throws(FileSystemError)
    /// Takes a file's name away.
    func remove(_ name: String, in folder: FileDescriptor) throws(FileSystemError)
    /// Removes a folder inside another; fails with `ENOTEMPTY` or `EEXIST` where something is in it.
    func removeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError)

    /// Gives a new file `bytes` zero bytes, with blocks on the storage, and maps it. Bytes that are stored in this memory are in the file,
    /// and stay there when the process is killed. A child process does not inherit it. Fails with `ENOSPC` unless `bytes` more stay free.
    ///
    /// - Returns: `nil` if writing an allocated block may fail: on a full disk, a store into the memory would end the process.
    func mapAllocated(_ file: FileDescriptor, bytes: Int) throws(FileSystemError) -> UnsafeMutableRawPointer?
    /// Returns when the first bytes of a file that ``mapAllocated(_:bytes:)`` mapped would survive a power loss. By default syncs the file.
    func synchronize(_ memory: UnsafeMutableRawPointer, bytes: Int, of file: FileDescriptor) throws(FileSystemError)
    /// Gives back memory of ``mapAllocated(_:bytes:)``. The file stays.
    func unmap(_ memory: UnsafeMutableRawPointer, bytes: Int)
    /// A number that changes with each start of the machine; 0 if it is unknown.
    var bootID: UInt64 { get }
}

extension FileSystem {
    public func copyAccess(of name: String, in folder: FileDescriptor, to file: FileDescriptor) {}

    /// Opens the folder at a path.
    public func openFolder(atPath path: String) throws(FileSystemError) -> FileDescriptor { try openFolder(path, in: .working) }

    /// The names in a folder in any order, without `.` and `..`.
    public func names(in folder: FileDescriptor) throws(FileSystemError) -> [String] { try entries(in: folder).map(\.name) }

    public func status(atPath path: String) throws(FileSystemError) -> FileStatus? {
        try allowing([ENOENT, ENOTDIR]) { () throws(FileSystemError) in
            let file = try openToRead(atPath: path)
            defer { close(file) }
            return try status(of: file)
        }
    }

    // A file system without mapped files: a writer on it writes its ring to a file.
    public func mapAllocated(_ file: FileDescriptor, bytes: Int) throws(FileSystemError) -> UnsafeMutableRawPointer? { nil }
    public func synchronize(_ memory: UnsafeMutableRawPointer, bytes: Int, of file: FileDescriptor) throws(FileSystemError) {
        try synchronize(file)
    }
    public func unmap(_ memory: UnsafeMutableRawPointer, bytes: Int) {}
    public var bootID: UInt64 { 0 }
}

/// A number that stands for an open file or folder.
public struct FileDescriptor: Sendable, Hashable {
    /// The process's working folder, where relative paths begin.
    public static let working = FileDescriptor(rawValue: AT_FDCWD)

    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// A name in a folder and what it leads to.
public struct FolderEntry: Sendable, Hashable {
    /// The name as text: U+FFFD stands for bytes that are not UTF-8.
    public var name: String
    /// What the entry itself is: a link is a link, wherever it leads.
    public var kind: FileStatus.Kind
    /// Whether the name is UTF-8, so that a path can be made of it.
    public var isNameable: Bool

    public init(name: String, kind: FileStatus.Kind, isNameable: Bool = true) {
        (self.name, self.kind, self.isNameable) = (name, kind, isNameable)
    }
}

/// What the writer and the readers have to know about a file.
public struct FileStatus: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case regular, folder, link
        /// A pipe, a socket or a character device: read in order, and once.
        case stream
        case other
    }

    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    public var kind: Kind
    /// The permission bits, as in `0o600`.
    public var permissions: UInt32
    /// The number of the device. Device and inode together are equal only for names of one file.
    public var device: UInt64
    public var inode: UInt64
    /// Length in bytes.
    public var bytes: Int64
    /// When the contents last changed, in milliseconds since 1970 UTC.
    public var modifiedMilliseconds: Int64
    /// How many names the file has.
    public var links = 1

    public init(kind: Kind, permissions: UInt32, device: UInt64, inode: UInt64, bytes: Int64, modifiedMilliseconds: Int64) {
        (self.kind, self.permissions, self.device, self.inode) = (kind, permissions, device, inode)
        (self.bytes, self.modifiedMilliseconds) = (bytes, modifiedMilliseconds)
    }

    var identity: Identity { Identity(device: device, inode: inode) }

    /// Whether both are the status of one file.
    public func isSameFile(as other: FileStatus) -> Bool { identity == other.identity }
}

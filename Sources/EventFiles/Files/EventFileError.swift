import Basics

/// What can go wrong with a folder of event files.
public enum EventFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The folder is a symbolic link, or something that is no folder stands there, or the path is empty.
    case notAFolder(path: String)
    /// Everybody may write into the folder, so anybody could plant or replace files in it.
    case folderWritableByOthers(path: String, permissions: UInt32)
    /// The stem in the options cannot be part of a file name here.
    case badStem(String)
    /// A segment has the largest number that a name can hold, so no segment can follow it.
    case numbersUsedUp(path: String)
    /// A file system call failed. The writer tries again; nothing recorded is lost unless the ring overflows.
    case storage(FileSystemError)
    /// Somebody else removed or moved the segment that was being written, or the storage spoiled it: `events` of its events may be lost.
    case segmentLost(name: String, events: Int)
    /// No ring file can be made or written. Events wait in memory alone: those that no segment holds yet are lost if the process is killed.
    case ringInMemory(path: String, reason: FileSystemError)
    /// The folder cannot be opened before the device is unlocked for the first time since its start. Events wait in memory. Opening is
    /// tried again every 5 s and when the writer is resumed.
    case locked(path: String, errno: Int32)
    /// The writer is suspended. Ask again once it is resumed.
    case suspended
    /// The writer is closed, or about to be.
    case closed
    /// This process was forked from the one that made the writer. Only the process that made a writer writes with it.
    case inForkedChild
    /// Closing took longer than its deadline, because storage does not answer.
    case closeTimedOut
    /// A call that waits for the writer was made from `onError`, `onDrop` or `onRecovery`, which the writer waits for.
    case onWritersThread
    /// The system gives no thread to write with.
    case noThread(errno: Int32)

    public var description: String {
        switch self {
        case .notAFolder(path: ""): "The path of the folder for event files is empty: name a folder, such as '.' for the working folder."
        case .notAFolder(let path):
            "\(path) is a link or no folder. Event files are only written into a real folder: name another, or remove what stands there."
        case .folderWritableByOthers(let path, let permissions):
            "\(path) may be written by everybody (mode \(String(permissions, radix: 8))). "
                + "Remove that permission (chmod o-w), or name another folder."
        case .badStem(let stem):
            "'\(stem)' cannot begin a file name: use 1 to 64 letters, digits, '_', '-' and '.', and begin with neither '-' nor '.'."
        case .numbersUsedUp(let path):
            "\(path) holds a segment with the largest number there is. Move the files away or name another folder."
        case .storage(let error): "\(error)"
        case .segmentLost(let name, let events):
            "\(name) was removed, moved or spoiled while it was written: \(GroupedNumber.counted(events, "event")) in it may be lost."
        case .ringInMemory(let path, let reason):
            "No ring file can be made or written in \(path): \(reason). Until one can, events wait in memory alone: if the "
                + "process is killed, up to a second of them is lost."
        case .locked(let path, let errno):
            "\(path) cannot be opened (error \(errno)): the device was not unlocked yet, or the app may not write there. Events wait in "
                + "memory, and the writer tries again."
        case .suspended: "The event file writer is suspended: call resume(), or do this in awake { }."
        case .closed: "The event file writer is closed: make another one."
        case .inForkedChild: "A forked child writes nothing with its parent's event file writer: make another one."
        case .closeTimedOut: "Storage did not answer within the deadline. What was not written yet is lost, except what a ring file holds."
        case .onWritersThread:
            "The event file writer cannot wait for itself in onError, onDrop or onRecovery: make this call from another thread or a task."
        case .noThread(let errno): "No thread for the event file writer (error \(errno))."
        }
    }

    /// The system's error number; `nil` if no system call failed.
    public var errno: Int32? {
        switch self {
        case .storage(let error): error.errno
        case .ringInMemory(_, let reason): reason.errno
        case .noThread(let errno), .locked(_, let errno): errno
        default: nil
        }
    }
}

/// Runs calls to the file system, and throws their failure as ``EventFileError/storage(_:)``.
package func storing<Result>(_ body: () throws(FileSystemError) -> Result) throws(EventFileError) -> Result {
    do throws(FileSystemError) { return try body() } catch { throw .storage(error) }
}

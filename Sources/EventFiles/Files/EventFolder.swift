import Basics
import Synchronization

/// An open folder, closed with its last reference. Calls go through the descriptor, and reach the folder wherever its path leads by then.
package final class EventFolder: Sendable {
    let fileSystem: any FileSystem
    let descriptor: FileDescriptor
    package let path: String
    private let isClosed: Atomic<Bool>

    init(fileSystem: any FileSystem, descriptor: FileDescriptor, path: String) {
        (self.fileSystem, self.descriptor, self.path) = (fileSystem, descriptor, path)
        isClosed = Atomic(descriptor.rawValue < 0)
    }

    deinit { close() }

    package func close() { if !isClosed.exchange(true, ordering: .relaxed) { fileSystem.close(descriptor) } }

    var isOpen: Bool { !isClosed.load(ordering: .relaxed) }

    /// Stands for a folder that is not open yet, or no longer: every call fails.
    static func unopened(_ path: String, on fileSystem: any FileSystem) -> EventFolder {
        EventFolder(fileSystem: fileSystem, descriptor: FileDescriptor(rawValue: -1), path: path)
    }

    /// Opens the folder; makes a missing one if `makes`. Refuses an empty path, links, files, and folders that everybody may write into.
    package static func open(_ path: String, on fileSystem: any FileSystem, making makes: Bool = true) throws(EventFileError) -> EventFolder
    {
        if path.isEmpty { throw .notAFolder(path: path) }
        // With a slash at the end the system would follow a link.
        let path = FilePath(folder: path, name: "").folder
        let (folder, permissions): (EventFolder, UInt32)
        do throws(FileSystemError) {
            folder = try opened(path, on: fileSystem, makes: makes)
            permissions = try folder.status(of: folder.descriptor, named: path).permissions
        } catch {
            if error.errno == ELOOP || error.errno == ENOTDIR { throw .notAFolder(path: path) }
            throw .storage(error)
        }
        if permissions & 0o002 != 0 { throw .folderWritableByOthers(path: path, permissions: permissions) }
        return folder
    }

    /// Whether the path leads to this folder no more, because it was removed or moved.
    var isGone: Bool {
        guard let there = try? Self.opened(path, on: fileSystem), let status = try? there.status(of: there.descriptor, named: path)
        else { return true }
        return (try? self.status(of: descriptor, named: path).isSameFile(as: status)) != true
    }

    static func opened(_ path: String, on fileSystem: any FileSystem, makes: Bool = false) throws(FileSystemError) -> EventFolder {
        do throws(FileSystemError) {
            let descriptor = try fileSystem.retrying(fileSystem.openFolder(atPath: path))
            return EventFolder(fileSystem: fileSystem, descriptor: descriptor, path: path)
        } catch let error where error.errno == ENOENT && makes {
            try make(path, on: fileSystem)
            return try opened(path, on: fileSystem)
        }
    }

    /// Opens the folder that a path's last name is in. Unlike ``open(_:on:making:)``, takes any permissions and follows links.
    static func holding(_ path: FilePath, on fileSystem: any FileSystem) throws(FileSystemError) -> EventFolder {
        // Only the last name must be no link: with the dot as last name, a link to the folder is followed.
        let descriptor = try fileSystem.retrying(fileSystem.openFolder(atPath: path.folder + "/."))
        return EventFolder(fileSystem: fileSystem, descriptor: descriptor, path: path.folder)
    }

    /// Makes a folder and the missing ones above it. Syncs its name: a power loss that takes the name takes all that was synced inside.
    private static func make(_ path: String, isRepeated: Bool = false, on fileSystem: any FileSystem) throws(FileSystemError) {
        do throws(FileSystemError) {
            try fileSystem.retrying(fileSystem.makeFolder(path, in: .working))
        } catch {
            // Somebody else may make one at the same time.
            if error.errno == EEXIST { return }
            let parent = FilePath(path).folder
            guard error.errno == ENOENT, !isRepeated, parent != "/", parent != "." else { throw error }
            try make(parent, on: fileSystem)
            return try make(path, isRepeated: true, on: fileSystem)
        }
        try above(path, on: fileSystem)?.synchronizeMade(FilePath(path).name)
    }

    /// Opens the folder that the one at `path` is in; `nil` if this process may not open it, and so cannot sync it.
    private static func above(_ path: String, on fileSystem: any FileSystem) throws(FileSystemError) -> EventFolder? {
        try allowing([EACCES, EPERM]) { () throws(FileSystemError) in try holding(FilePath(path), on: fileSystem) }
    }

    /// Syncs the names of the folder and of those above it: whoever made them may have been killed before syncing them.
    func synchronizeWay() throws(FileSystemError) {
        var path = path
        repeat {
            // A sync fails on a read-only file system, where nobody can have made a folder, and on one that cannot sync folders at all.
            if let above = try Self.above(path, on: fileSystem) {
                try above.call(path, above.synchronize(), allowing: EINVAL, EROFS, ENOTSUP)
            }
            path = FilePath(path).folder
        } while path != "/" && path != "."
    }

    /// Syncs this folder after one was made inside. If that fails, removes the new one, so that the next attempt makes and syncs it again.
    private func synchronizeMade(_ name: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            try synchronize()
        } catch {
            try? removeFolderIfEmpty(name)
            throw error
        }
    }

    /// Makes a call, repeats it when a signal interrupts it, and puts the file's name into its error.
    func call<Result>(_ name: String, _ body: @autoclosure () throws(FileSystemError) -> Result) throws(FileSystemError) -> Result {
        do throws(FileSystemError) { return try fileSystem.retrying(body()) } catch { throw error.naming(name) }
    }

    /// Makes a call; returns `nil` if it fails with one of the given error numbers.
    @discardableResult
    func call<Result>(
        _ name: String, _ body: @autoclosure () throws(FileSystemError) -> Result, allowing first: Int32, _ others: Int32...
    ) throws(FileSystemError) -> Result? { try allowing([first] + others) { () throws(FileSystemError) in try call(name, body()) } }

    func names() throws(FileSystemError) -> [String] { try call(path, fileSystem.names(in: descriptor)) }

    func regularFiles(where isMeant: (String) -> Bool) throws(FileSystemError) -> [(name: String, status: FileStatus)] {
        var files: [(String, FileStatus)] = []
        for name in try names() where isMeant(name) {
            if let status = try status(name), status.kind == .regular { files.append((name, status)) }
        }
        return files
    }

    package func status(_ name: String) throws(FileSystemError) -> FileStatus? {
        try call(name, fileSystem.status(of: name, in: descriptor))
    }

    func synchronize() throws(FileSystemError) { try call(path, fileSystem.synchronize(descriptor)) }

    /// Returns when the contents of an open file would survive a power loss.
    func synchronize(_ file: FileDescriptor, named name: String) throws(FileSystemError) { try call(name, fileSystem.synchronize(file)) }

    func open(_ name: String) throws(FileSystemError) -> FileDescriptor { try call(name, fileSystem.open(name, in: descriptor)) }

    func create(_ name: String) throws(FileSystemError) -> FileDescriptor { try call(name, fileSystem.create(name, in: descriptor)) }

    func status(of file: FileDescriptor, named name: String) throws(FileSystemError) -> FileStatus {
        try call(name, fileSystem.status(of: file))
    }

    func rename(_ name: String, to newName: String, in newFolder: EventFolder? = nil) throws(FileSystemError) {
        try call(newName, fileSystem.rename(name, in: descriptor, to: newName, in: (newFolder ?? self).descriptor))
    }

    func link(_ name: String, to newName: String) throws(FileSystemError) {
        try call(newName, fileSystem.link(name, to: newName, in: descriptor))
    }

    /// Removes a name; no error if it is gone already.
    func remove(_ name: String) throws(FileSystemError) { try call(name, fileSystem.remove(name, in: descriptor), allowing: ENOENT) }

    /// Opens a folder inside this one; `nil` if there is none, or if a link or a file has its name: no writer made that.
    func existingFolder(_ name: String) throws(FileSystemError) -> EventFolder? {
        let opened = try call(name, fileSystem.openFolder(name, in: descriptor), allowing: ENOENT, ELOOP, ENOTDIR)
        return opened.map { EventFolder(fileSystem: fileSystem, descriptor: $0, path: path + "/" + name) }
    }

    func madeFolder(_ name: String) throws(FileSystemError) -> EventFolder {
        let made: Void? = try call(name, fileSystem.makeFolder(name, in: descriptor), allowing: EEXIST)
        if made != nil { try synchronizeMade(name) }
        let opened = try call(name, fileSystem.openFolder(name, in: descriptor))
        return EventFolder(fileSystem: fileSystem, descriptor: opened, path: path + "/" + name)
    }

    /// Removes a folder inside this one if it is empty; no error if it is gone already, or if it is not empty.
    func removeFolderIfEmpty(_ name: String) throws(FileSystemError) {
        try call(name, fileSystem.removeFolder(name, in: descriptor), allowing: ENOENT, ENOTEMPTY, EEXIST)
    }
}

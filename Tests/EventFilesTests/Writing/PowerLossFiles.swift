import Basics
import Foundation
import TrackingEvents

@testable import EventFiles

/// The machine's file system, with a memory of what a power loss would leave: the bytes that a file's last sync brought to the disk, and
/// the names that a folder had at its last sync.
///
/// It is as hard as POSIX allows. A sync that fails drops what it should have brought to the disk, as Linux does: a later one succeeds
/// and brings nothing.
final class PowerLossFiles: FileSystem {
    /// What becomes of the changes of names since a folder's last sync. A disk may keep any of them.
    enum Names: CaseIterable {
        case synced, all, removalsAlone
    }

    private enum Change {
        case add(String, Int), remove(String), rename(String, String)
    }

    private struct Node {
        /// Of a file: what a power loss leaves.
        var bytes: [UInt8] = []
        /// Of a file: what the next sync has to bring to the disk.
        var dirty: [Range<Int>] = []
        /// Of a folder: the names a power loss leaves.
        var names: [String: Int] = [:]
        /// Of a folder: what the next sync has to bring to the disk.
        var changes: [Change] = []
        let isFolder: Bool
    }

    private struct State {
        var nodes: [Node] = []
        var byInode: [UInt64: Int] = [:]
        var failingSyncs = 0
        /// Mapped files, of which any byte may change without a call.
        var mapped: Set<Int> = []
    }

    private let base = PosixFileSystem()
    private let root: String
    private let state = Lock(State())

    /// Everything that is in the folder now counts as synced.
    init(root: String) throws {
        self.root = root
        _ = try state.withLock { try Self.adopt(root, &$0) }
    }

    /// Makes the next `count` syncs of files fail, not counting mapped files.
    func failSyncs(_ count: Int) { state.withLock { $0.failingSyncs = count } }

    private static func adopt(_ path: String, _ state: inout State) throws -> Int {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let id = add(isFolder: isFolder, inode: UInt64(status.st_ino), &state)
        if isFolder {
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                state.nodes[id].names[name] = try adopt(path + "/" + name, &state)
            }
        } else {
            state.nodes[id].bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
        }
        return id
    }

    private static func add(isFolder: Bool, inode: UInt64, _ state: inout State) -> Int {
        state.nodes.append(Node(isFolder: isFolder))
        state.byInode[inode] = state.nodes.count - 1
        return state.nodes.count - 1
    }

    // MARK: What a power loss leaves

    /// Makes a folder with what a power loss at this moment would leave of the root.
    func lose(keeping names: Names, into path: String) throws {
        try state.withLock { state in
            guard let id = try Self.id(of: base.openFolder(atPath: root), on: base, closing: true, state) else { return }
            try Self.write(id, to: path, names, state)
        }
    }

    private static func write(_ id: Int, to path: String, _ names: Names, _ state: State) throws {
        let node = state.nodes[id]
        if !node.isFolder { return try Data(node.bytes).write(to: URL(fileURLWithPath: path)) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var left = node.names
        for change in node.changes where names != .synced {
            if case .add = change, names == .removalsAlone { continue }
            apply(change, to: &left)
        }
        for (name, inside) in left { try write(inside, to: path + "/" + name, names, state) }
    }

    private static func apply(_ change: Change, to names: inout [String: Int]) {
        switch change {
        case .add(let name, let id): names[name] = id
        case .remove(let name): names[name] = nil
        case .rename(let old, let new): if let id = names.removeValue(forKey: old) { names[new] = id }
        }
    }

    // MARK: What is noted

    private static func id(of file: FileDescriptor, on base: PosixFileSystem, closing: Bool = false, _ state: State)
        throws(FileSystemError) -> Int?
    {
        defer { if closing { base.close(file) } }
        return state.byInode[try base.status(of: file).inode]
    }

    private func change(_ folder: FileDescriptor, _ change: (State) -> Change?) throws(FileSystemError) {
        try state.withLock { state throws(FileSystemError) in
            guard let id = try Self.id(of: folder, on: base, state), let change = change(state) else { return }
            state.nodes[id].changes.append(change)
        }
    }

    private func noteMade(_ name: String, isFolder: Bool, in folder: FileDescriptor) throws(FileSystemError) {
        guard let inode = try base.status(of: name, in: folder)?.inode else { return }
        let id = state.withLock { Self.add(isFolder: isFolder, inode: inode, &$0) }
        try change(folder) { _ in .add(name, id) }
    }

    private func bringToDisk(_ file: FileDescriptor) throws(FileSystemError) {
        try state.withLock { state throws(FileSystemError) in
            guard let id = try Self.id(of: file, on: base, state) else { return }
            var node = state.nodes[id]
            if node.isFolder {
                for change in node.changes { Self.apply(change, to: &node.names) }
                node.changes = []
                state.nodes[id] = node
                return
            }
            var dirty = node.dirty
            node.dirty = []
            let isFailing = state.failingSyncs > 0 && !state.mapped.contains(id)
            if isFailing {
                state.failingSyncs -= 1
                state.nodes[id] = node
                throw FileSystemError(.synchronize, errno: EIO)
            }
            let length = Int(try base.status(of: file).bytes)
            if state.mapped.contains(id) {
                // A mapped file is read as a whole.
                node.bytes = [UInt8](repeating: 0, count: length)
                dirty = []
                do {
                    _ = try node.bytes.withUnsafeMutableBytes { try base.readAll(into: $0, from: file, at: 0) }
                } catch {
                    throw FileSystemError(.synchronize, errno: EIO)
                }
            }
            node.bytes = Array(node.bytes.prefix(length))
            node.bytes += [UInt8](repeating: 0, count: length - node.bytes.count)
            for range in dirty {
                let range = range.clamped(to: 0..<length)
                let bytes = ByteBuffer(capacity: range.count)
                let room = UnsafeMutableRawBufferPointer(start: bytes.base, count: range.count)
                bytes.advance(by: try base.readAll(into: room, from: file, at: Int64(range.lowerBound)))
                node.bytes.replaceSubrange(range.lowerBound..<range.lowerBound + bytes.count, with: bytes.bytes)
            }
            state.nodes[id] = node
        }
    }
}

extension PowerLossFiles {
    func openFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try base.openFolder(name, in: folder)
    }
    func makeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        if folder == .working {
            let url = URL(fileURLWithPath: name)
            let parent = try base.openFolder(atPath: url.deletingLastPathComponent().path)
            defer { base.close(parent) }
            return try makeFolder(url.lastPathComponent, in: parent)
        }
        try base.makeFolder(name, in: folder)
        try noteMade(name, isFolder: true, in: folder)
    }
    func entries(in folder: FileDescriptor) throws(FileSystemError) -> [FolderEntry] { try base.entries(in: folder) }
    func create(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        let file = try base.create(name, in: folder)
        try noteMade(name, isFolder: false, in: folder)
        return file
    }
    func open(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor { try base.open(name, in: folder) }
    func openToRead(atPath path: String) throws(FileSystemError) -> FileDescriptor { try base.openToRead(atPath: path) }
    func readNext(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor) throws(FileSystemError) -> Int {
        try base.readNext(into: bytes, from: file)
    }
    func close(_ file: FileDescriptor) { base.close(file) }
    func lock(_ file: FileDescriptor) throws(FileSystemError) -> Bool { try base.lock(file) }
    func status(of file: FileDescriptor) throws(FileSystemError) -> FileStatus { try base.status(of: file) }
    func status(of name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileStatus? { try base.status(of: name, in: folder) }
    func read(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        try base.read(into: bytes, from: file, at: offset)
    }
    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        let count = try base.write(bytes, to: file, at: offset)
        try state.withLock { state throws(FileSystemError) in
            guard let id = try Self.id(of: file, on: base, state) else { return }
            state.nodes[id].dirty.append(Int(offset)..<Int(offset) + count)
        }
        return count
    }
    func mapAllocated(_ file: FileDescriptor, bytes: Int) throws(FileSystemError) -> UnsafeMutableRawPointer? {
        let memory = try base.mapAllocated(file, bytes: bytes)
        try state.withLock { state throws(FileSystemError) in
            guard let id = try Self.id(of: file, on: base, state) else { return }
            state.mapped.insert(id)
        }
        return memory
    }
    /// Brings the first bytes to the disk. A system may bring other pages, too. The hardest case is that it brings none.
    func synchronize(_ memory: UnsafeMutableRawPointer, bytes: Int, of file: FileDescriptor) throws(FileSystemError) {
        try state.withLock { state throws(FileSystemError) in
            guard let id = try Self.id(of: file, on: base, state) else { return }
            let length = Int(try base.status(of: file).bytes)
            var onDisk = state.nodes[id].bytes
            onDisk += [UInt8](repeating: 0, count: length - onDisk.count)
            onDisk.replaceSubrange(0..<bytes, with: UnsafeRawBufferPointer(start: memory, count: bytes))
            state.nodes[id].bytes = onDisk
        }
    }
    func unmap(_ memory: UnsafeMutableRawPointer, bytes: Int) { base.unmap(memory, bytes: bytes) }
    /// Not the boot that the next process, on the machine's own file system, runs in.
    var bootID: UInt64 { 1 }
    func truncate(_ file: FileDescriptor, to length: Int64) throws(FileSystemError) { try base.truncate(file, to: length) }
    func synchronize(_ file: FileDescriptor) throws(FileSystemError) { try bringToDisk(file) }
    func link(_ name: String, to newName: String, in folder: FileDescriptor) throws(FileSystemError) {
        try base.link(name, to: newName, in: folder)
        let inode = try base.status(of: newName, in: folder)?.inode
        try change(folder) { state in inode.flatMap { state.byInode[$0] }.map { .add(newName, $0) } }
    }
    /// Moves between folders are not modelled, because the tests that lose power make none.
    func rename(_ name: String, in folder: FileDescriptor, to newName: String, in newFolder: FileDescriptor) throws(FileSystemError) {
        if folder != newFolder { throw FileSystemError(.rename, errno: EXDEV, path: name) }
        try base.rename(name, in: folder, to: newName, in: folder)
        try change(folder) { _ in .rename(name, newName) }
    }
    func remove(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try base.remove(name, in: folder)
        try change(folder) { _ in .remove(name) }
    }
    func removeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try base.removeFolder(name, in: folder)
        try change(folder) { _ in .remove(name) }
    }
}

import Foundation
import TrackingEvents

@testable import EventFiles

/// A disk in memory with what a power loss would leave, with limits, and with a process that can be killed before any call.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedDisk: FileSystem, @unchecked Sendable {
    private final class Node {
        let inode: UInt64
        let isFolder: Bool
        /// Of a file that is not mapped.
        var bytes: [UInt8] = []
        /// What the last sync brought to the disk.
        var syncedBytes: [UInt8] = []
        var names: [String: Node] = [:]
        var syncedNames: [String: Node] = [:]
        var modified: Int64 = 0
        var holder: Int32?
        var memory: UnsafeMutableRawBufferPointer?

        init(inode: UInt64, isFolder: Bool) {
            self.inode = inode
            self.isFolder = isFolder
        }

        var count: Int { memory?.count ?? bytes.count }
        /// Without walking over the bytes, which takes long where nothing is optimised.
        var contents: [UInt8] {
            guard let memory else { return bytes }
            return [UInt8](unsafeUninitializedCapacity: memory.count) { room, count in
                UnsafeMutableRawBufferPointer(room).copyMemory(from: UnsafeRawBufferPointer(memory))
                count = memory.count
            }
        }
    }

    /// A change of names that no sync of its folder has brought to the disk.
    private struct Change {
        let folders: [UInt64]
        let isRemoval: Bool
        let apply: () -> Void
    }

    private let root = Node(inode: 1, isFolder: true)
    private var lastInode: UInt64 = 1
    private var descriptors: [Int32: Node] = [:]
    private var lastDescriptor: Int32 = 2
    private var changes: [Change] = []
    private var mapped: [UnsafeMutableRawPointer: Node] = [:]
    /// Memory of processes that were killed.
    private var left: [UnsafeMutableRawBufferPointer] = []
    private var random: SeededRandom
    private let wallClock: WallClock

    /// Before which call the process dies, counted by ``calls``.
    var killAt: Int?
    private(set) var calls = 0
    private(set) var isKilled = false
    private(set) var bootID: UInt64 = 1
    /// So many bytes have room; `nil` for any number.
    var capacity: Int?
    /// Of a thousand calls so many fail.
    var failures = 0
    /// A fault to plant: nothing is synced, and nobody is told.
    var syncsNothing = false
    /// Hears of every call, for whoever looks for what went wrong.
    var log: ((String) -> Void)?
    /// What happened, in a number: equal only for equal runs.
    private(set) var trace: UInt64 = 0xCBF2_9CE4_8422_2325

    init(random: SeededRandom, wallClock: WallClock) {
        self.random = random
        self.wallClock = wallClock
    }

    deinit { for memory in left + mapped.values.compactMap(\.memory) { memory.deallocate() } }

    // MARK: The process

    /// The process is gone, with its locks and its memory; what it had stored in mapped files stays.
    func kill() {
        isKilled = true
        for node in mapped.values {
            node.bytes = node.contents
            if let memory = node.memory.take() { left.append(memory) }
        }
        mapped = [:]
        for node in descriptors.values { node.holder = nil }
        descriptors = [:]
    }

    /// A new process. Nothing of the old one may be left.
    func revive() {
        for memory in left { memory.deallocate() }
        left = []
        killAt = nil
        isKilled = false
    }

    /// The power fails: the process is gone, and of what was not synced some is there, and some not.
    func losePower() {
        kill()
        bootID += 1
        switch Int.random(in: 0..<3, using: &random) {
        case 0: break
        case 1: for change in changes where change.isRemoval { change.apply() }
        default: for change in changes.prefix(Int.random(in: 0...changes.count, using: &random)) { change.apply() }
        }
        changes = []
        lose(root)
    }

    private func lose(_ node: Node) {
        node.names = node.syncedNames
        for (_, inside) in node.names.sorted(by: { $0.key < $1.key }) { lose(inside) }
        if node.isFolder { return }
        let (new, old) = (node.bytes, node.syncedBytes)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: node.bytes = old
        case 1: break
        default:
            // Page by page, and at the end any length in between.
            let length = Int.random(in: min(new.count, old.count)...max(new.count, old.count), using: &random)
            node.bytes = [UInt8](repeating: 0, count: length)
            for start in stride(from: 0, to: length, by: 4096) {
                let source = Bool.random(using: &random) ? new : old
                let end = min(start + 4096, length, source.count)
                if start < end { node.bytes.replaceSubrange(start..<end, with: source[start..<end]) }
            }
        }
        node.syncedBytes = node.bytes
    }

    // MARK: For the simulation

    /// The bytes of a file, seen from outside; `nil` without one.
    func contents(_ path: String) -> [UInt8]? { find(path)?.contents }

    /// All files with their paths, sorted.
    var files: [(path: String, bytes: [UInt8])] { files(of: root, "") }

    private func files(of folder: Node, _ path: String) -> [(path: String, bytes: [UInt8])] {
        folder.names.sorted { $0.key < $1.key }.flatMap { name, node in
            node.isFolder ? files(of: node, path + name + "/") : [(path + name, node.contents)]
        }
    }

    var used: Int { used(root) }
    private func used(_ node: Node) -> Int { node.count + node.names.values.reduce(0) { $0 + used($1) } }

    private func find(_ path: String) -> Node? {
        path.split(separator: "/").filter { $0 != "." }.reduce(root as Node?) { $0?.names[String($1)] }
    }

    // MARK: Calls

    private func enter(_ call: FileSystemError.Call, _ name: String = "", canFail: Bool = true) throws(FileSystemError) {
        if isKilled { throw FileSystemError(call, errno: EIO, path: name) }
        calls += 1
        note(call.rawValue.utf8)
        note(name.utf8)
        log?("    \(calls) \(call.rawValue) \(name)")
        if calls == killAt {
            log?("    killed")
            kill()
            throw FileSystemError(call, errno: EIO, path: name)
        }
        if canFail, failures > 0, Int.random(in: 0..<1000, using: &random) < failures {
            throw FileSystemError(call, errno: Bool.random(using: &random) ? EIO : EINTR, path: name)
        }
    }

    func note(_ bytes: some Sequence<UInt8>) { for byte in bytes { trace = (trace ^ UInt64(byte)) &* 0x100_0000_01B3 } }

    private func node(_ file: FileDescriptor) throws(FileSystemError) -> Node {
        guard let node = descriptors[file.rawValue] else { throw FileSystemError(.status, errno: EBADF) }
        return node
    }

    private func opened(_ node: Node) -> FileDescriptor {
        lastDescriptor += 1
        descriptors[lastDescriptor] = node
        return FileDescriptor(rawValue: lastDescriptor)
    }

    private func made(isFolder: Bool) -> Node {
        lastInode += 1
        let node = Node(inode: lastInode, isFolder: isFolder)
        node.modified = wallClock.milliseconds
        return node
    }

    private func checkRoom(_ call: FileSystemError.Call, for bytes: Int, _ name: String = "") throws(FileSystemError) {
        if let capacity, used + bytes > capacity { throw FileSystemError(call, errno: ENOSPC, path: name) }
    }

    private func add(_ node: Node, _ name: String, in folder: Node) {
        folder.names[name] = node
        changes.append(Change(folders: [folder.inode], isRemoval: false) { folder.syncedNames[name] = node })
    }

    func openFolder(atPath path: String) throws(FileSystemError) -> FileDescriptor {
        try enter(.openFolder, path)
        guard let node = find(path) else { throw FileSystemError(.openFolder, errno: ENOENT, path: path) }
        return opened(node)
    }

    func openFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try enter(.openFolder, name)
        if name == "." { return try opened(node(folder)) }
        guard let inside = try node(folder).names[name] else { throw FileSystemError(.openFolder, errno: ENOENT, path: name) }
        if !inside.isFolder { throw FileSystemError(.openFolder, errno: ENOTDIR, path: name) }
        return opened(inside)
    }

    func makeFolder(atPath path: String) throws(FileSystemError) {
        try enter(.makeFolder, path)
        if root.names[path] != nil { throw FileSystemError(.makeFolder, errno: EEXIST, path: path) }
        add(made(isFolder: true), path, in: root)
    }

    func makeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try enter(.makeFolder, name)
        let folder = try node(folder)
        if folder.names[name] != nil { throw FileSystemError(.makeFolder, errno: EEXIST, path: name) }
        try checkRoom(.makeFolder, for: 1, name)
        add(made(isFolder: true), name, in: folder)
    }

    func names(in folder: FileDescriptor) throws(FileSystemError) -> [String] {
        try enter(.names)
        return try node(folder).names.keys.sorted()
    }

    func create(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try enter(.create, name)
        let folder = try node(folder)
        if folder.names[name] != nil { throw FileSystemError(.create, errno: EEXIST, path: name) }
        try checkRoom(.create, for: 1, name)
        let file = made(isFolder: false)
        add(file, name, in: folder)
        return opened(file)
    }

    func open(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try enter(.open, name)
        guard let file = try node(folder).names[name] else { throw FileSystemError(.open, errno: ENOENT, path: name) }
        return opened(file)
    }

    func openToRead(atPath path: String) throws(FileSystemError) -> FileDescriptor {
        try enter(.open, path)
        guard let file = find(path) else { throw FileSystemError(.open, errno: ENOENT, path: path) }
        return opened(file)
    }

    func close(_ file: FileDescriptor) {
        try? enter(.close, canFail: false)
        guard let node = descriptors.removeValue(forKey: file.rawValue) else { return }
        if node.holder == file.rawValue { node.holder = nil }
    }

    func lock(_ file: FileDescriptor) throws(FileSystemError) -> Bool {
        try enter(.lock)
        let node = try node(file)
        if let holder = node.holder { return holder == file.rawValue }
        node.holder = file.rawValue
        return true
    }

    private func status(_ node: Node) -> FileStatus {
        FileStatus(
            kind: node.isFolder ? .folder : .regular, permissions: node.isFolder ? 0o700 : 0o600, device: 1, inode: node.inode,
            bytes: Int64(node.count), modifiedMilliseconds: node.modified)
    }

    func status(of file: FileDescriptor) throws(FileSystemError) -> FileStatus {
        try enter(.status)
        return try status(node(file))
    }

    func status(of name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileStatus? {
        try enter(.status, name)
        return try node(folder).names[name].map(status)
    }

    func read(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        try enter(.read)
        let file = try node(file)
        let count = min(bytes.count, file.count - Int(offset))
        if count <= 0 { return 0 }
        let place = Int(offset)..<Int(offset) + count
        if let memory = file.memory {
            bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[place]))
        } else {
            file.bytes.withUnsafeBytes { bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[place])) }
        }
        return count
    }

    func readNext(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor) throws(FileSystemError) -> Int { 0 }

    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        try enter(.write)
        let file = try node(file)
        var count = bytes.count
        if let capacity { count = min(count, max(0, capacity - used + file.count - Int(offset))) }
        if count == 0 { throw FileSystemError(.write, errno: ENOSPC) }
        // The system may always take less than it is given.
        if failures > 0, Int.random(in: 0..<20, using: &random) == 0 { count = Int.random(in: 1...count, using: &random) }
        let end = Int(offset) + count
        if file.bytes.count < end { file.bytes += [UInt8](repeating: 0, count: end - file.bytes.count) }
        file.bytes.replaceSubrange(Int(offset)..<end, with: bytes[..<count])
        file.modified = wallClock.milliseconds
        note(bytes[..<count])
        return count
    }

    func truncate(_ file: FileDescriptor, to length: Int64) throws(FileSystemError) {
        try enter(.truncate)
        let file = try node(file)
        file.bytes = Array(file.bytes.prefix(Int(length)))
        file.bytes += [UInt8](repeating: 0, count: Int(length) - file.bytes.count)
    }

    func synchronize(_ file: FileDescriptor) throws(FileSystemError) {
        // What a failed sync leaves is the business of `PowerLossTests`.
        try enter(.synchronize, canFail: false)
        let node = try node(file)
        if syncsNothing { return }
        if !node.isFolder { node.syncedBytes = node.contents }
        for change in changes where change.folders.contains(node.inode) { change.apply() }
        changes.removeAll { $0.folders.contains(node.inode) }
    }

    func link(_ name: String, to newName: String, in folder: FileDescriptor) throws(FileSystemError) {
        try enter(.link, newName)
        let folder = try node(folder)
        guard let file = folder.names[name] else { throw FileSystemError(.link, errno: ENOENT, path: name) }
        if folder.names[newName] != nil { throw FileSystemError(.link, errno: EEXIST, path: newName) }
        add(file, newName, in: folder)
    }

    func rename(_ name: String, to newName: String, in folder: FileDescriptor) throws(FileSystemError) {
        try enter(.rename, newName)
        let folder = try node(folder)
        guard let file = folder.names.removeValue(forKey: name) else { throw FileSystemError(.rename, errno: ENOENT, path: name) }
        folder.names[newName] = file
        changes.append(
            Change(folders: [folder.inode], isRemoval: false) {
                folder.syncedNames[name] = nil
                folder.syncedNames[newName] = file
            })
    }

    func move(_ name: String, from folder: FileDescriptor, to newFolder: FileDescriptor) throws(FileSystemError) {
        try enter(.rename, name)
        let (old, new) = try (node(folder), node(newFolder))
        guard let file = old.names.removeValue(forKey: name) else { throw FileSystemError(.rename, errno: ENOENT, path: name) }
        new.names[name] = file
        changes.append(
            Change(folders: [old.inode, new.inode], isRemoval: false) {
                old.syncedNames[name] = nil
                new.syncedNames[name] = file
            })
    }

    func remove(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try enter(.remove, name)
        let folder = try node(folder)
        guard folder.names.removeValue(forKey: name) != nil else { throw FileSystemError(.remove, errno: ENOENT, path: name) }
        changes.append(Change(folders: [folder.inode], isRemoval: true) { folder.syncedNames[name] = nil })
    }

    func removeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try enter(.removeFolder, name)
        let folder = try node(folder)
        guard let inside = folder.names[name] else { throw FileSystemError(.removeFolder, errno: ENOENT, path: name) }
        if !inside.names.isEmpty { throw FileSystemError(.removeFolder, errno: ENOTEMPTY, path: name) }
        folder.names[name] = nil
        changes.append(Change(folders: [folder.inode], isRemoval: true) { folder.syncedNames[name] = nil })
    }

    func mapAllocated(_ file: FileDescriptor, bytes: Int) throws(FileSystemError) -> UnsafeMutableRawPointer? {
        try enter(.map)
        let file = try node(file)
        try checkRoom(.map, for: 2 * bytes)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 4096)
        memset(memory.baseAddress!, 0, bytes)
        file.memory = memory
        mapped[memory.baseAddress!] = file
        return memory.baseAddress
    }

    func unmap(_ memory: UnsafeMutableRawPointer, bytes: Int) {
        // A killed process's goes when the next one begins.
        guard let node = mapped.removeValue(forKey: memory) else { return }
        node.bytes = node.contents
        node.memory.take()?.deallocate()
    }
}

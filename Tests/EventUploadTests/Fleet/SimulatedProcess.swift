import Foundation
import TrackingEvents

@testable import EventFiles

/// A disk as one process sees it: the process can be killed before any call, and between two stores into a mapped file.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedProcess: FileSystem, @unchecked Sendable {
    private typealias Node = SimulatedDisk.Node

    private let disk: SimulatedDisk
    private var descriptors: [Int32: Node] = [:]
    private var mapped: [UnsafeMutableRawPointer: Node] = [:]
    /// Memory that the process had mapped when it was killed. Its code may still store there.
    private var left: [UnsafeMutableRawBufferPointer] = []

    /// Before which call the process dies, counted by ``calls``.
    var killAt: Int?
    private(set) var calls = 0
    /// Before which store into a mapped file it dies, counted by ``stores``.
    var killAtStore: Int?
    private(set) var stores = 0
    private(set) var isKilled = false
    private(set) var diedInStore = false
    /// Called right before the process dies at a call.
    var willDie: (FileSystemError.Call) -> Void = { _ in }

    init(on disk: SimulatedDisk) { self.disk = disk }

    deinit { for memory in left + mapped.values.compactMap(\.memory) { memory.deallocate() } }

    var bootID: UInt64 { disk.bootID }

    /// The process is gone, with its locks and its memory; what it had stored in mapped files stays.
    func kill() {
        isKilled = true
        for node in mapped.values {
            node.bytes = disk.ringsForget ? [UInt8](repeating: 0, count: node.count) : node.contents
            if let memory = node.memory.take() { left.append(memory) }
        }
        mapped = [:]
        for (number, node) in descriptors where node.holder == number { node.holder = nil }
        descriptors = [:]
    }

    /// Whether it has a lock, an open file or mapped memory.
    var holdsSomething: Bool { !descriptors.isEmpty || !mapped.isEmpty }

    // MARK: Calls

    private func enter(_ call: FileSystemError.Call, _ name: String = "", canFail: Bool = true) throws(FileSystemError) {
        if isKilled { throw FileSystemError(call, errno: EIO, path: name) }
        calls += 1
        disk.note(call.rawValue)
        disk.note(name)
        disk.log?("    \(calls) \(call.rawValue) \(name)")
        if calls == killAt {
            disk.log?("    killed")
            willDie(call)
            kill()
            throw FileSystemError(call, errno: EIO, path: name)
        }
        if canFail, let error = disk.failure { throw FileSystemError(call, errno: error, path: name) }
    }

    private func node(_ file: FileDescriptor) throws(FileSystemError) -> Node {
        guard let node = descriptors[file.rawValue] else { throw FileSystemError(.status, errno: EBADF) }
        return node
    }

    private func opened(_ node: Node) -> FileDescriptor {
        let number = disk.nextDescriptor()
        descriptors[number] = node
        return FileDescriptor(rawValue: number)
    }

    func openFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try enter(.openFolder, name)
        if folder == .working {
            guard let node = disk.find(name) else { throw FileSystemError(.openFolder, errno: ENOENT, path: name) }
            return opened(node)
        }
        if name == "." { return try opened(node(folder)) }
        guard let inside = try node(folder).names[name] else { throw FileSystemError(.openFolder, errno: ENOENT, path: name) }
        if !inside.isFolder { throw FileSystemError(.openFolder, errno: ENOTDIR, path: name) }
        return opened(inside)
    }

    func makeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try enter(.makeFolder, name)
        let isAtPath = folder == .working
        let folder = isAtPath ? disk.root : try node(folder)
        if folder.names[name] != nil { throw FileSystemError(.makeFolder, errno: EEXIST, path: name) }
        if isAtPath { return disk.add(disk.made(isFolder: true), name, in: folder) }
        try disk.checkRoom(.makeFolder, for: 1, name)
        disk.add(disk.made(isFolder: true), name, in: folder)
    }

    func entries(in folder: FileDescriptor) throws(FileSystemError) -> [FolderEntry] {
        try enter(.names)
        let names = try node(folder).names.sorted { $0.key < $1.key }
        return names.map { FolderEntry(name: $0.key, kind: $0.value.isFolder ? .folder : .regular) }
    }

    func create(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try enter(.create, name)
        let folder = try node(folder)
        if folder.names[name] != nil { throw FileSystemError(.create, errno: EEXIST, path: name) }
        try disk.checkRoom(.create, for: 1, name)
        let file = disk.made(isFolder: false)
        disk.add(file, name, in: folder)
        return opened(file)
    }

    func open(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try enter(.open, name)
        guard let file = try node(folder).names[name] else { throw FileSystemError(.open, errno: ENOENT, path: name) }
        return opened(file)
    }

    func openToRead(atPath path: String) throws(FileSystemError) -> FileDescriptor {
        try enter(.open, path)
        guard let file = disk.find(path) else { throw FileSystemError(.open, errno: ENOENT, path: path) }
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
        if let holder = node.holder, !disk.locksAreOpen { return holder == file.rawValue }
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
        if let capacity = disk.capacity { count = min(count, max(0, capacity - disk.used + file.count - Int(offset))) }
        if count == 0 { throw FileSystemError(.write, errno: ENOSPC) }
        // The system may always take less than it is given.
        count = disk.taken(of: count)
        let end = Int(offset) + count
        if file.bytes.count < end { file.bytes += [UInt8](repeating: 0, count: end - file.bytes.count) }
        file.bytes.withUnsafeMutableBytes {
            $0.baseAddress!.advanced(by: Int(offset)).copyMemory(from: bytes.baseAddress!, byteCount: count)
        }
        file.modified = disk.wallClock.milliseconds
        disk.note(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        return count
    }

    func truncate(_ file: FileDescriptor, to length: Int64) throws(FileSystemError) {
        try enter(.truncate)
        let file = try node(file)
        file.bytes = Array(file.bytes.prefix(Int(length)))
        file.bytes += [UInt8](repeating: 0, count: Int(length) - file.bytes.count)
    }

    func synchronize(_ file: FileDescriptor) throws(FileSystemError) {
        // `PowerLossTests` test what a failed sync leaves.
        try enter(.synchronize, canFail: false)
        let node = try node(file)
        disk.synchronize(node)
    }

    func link(_ name: String, to newName: String, in folder: FileDescriptor) throws(FileSystemError) {
        try enter(.link, newName)
        let folder = try node(folder)
        guard let file = folder.names[name] else { throw FileSystemError(.link, errno: ENOENT, path: name) }
        if folder.names[newName] != nil { throw FileSystemError(.link, errno: EEXIST, path: newName) }
        disk.add(file, newName, in: folder)
    }

    func rename(_ name: String, in folder: FileDescriptor, to newName: String, in newFolder: FileDescriptor) throws(FileSystemError) {
        // A fault to plant: the number of an erasure is lost.
        if disk.erasuresLeaveNoNumber, newName == Erasure.numberName { return try remove(name, in: folder) }
        try enter(.rename, newName)
        let (old, new) = try (node(folder), node(newFolder))
        guard let file = old.names.removeValue(forKey: name) else { throw FileSystemError(.rename, errno: ENOENT, path: name) }
        new.names[newName] = file
        disk.changed(old === new ? [old.inode] : [old.inode, new.inode], isRemoval: false) {
            old.syncedNames[name] = nil
            new.syncedNames[newName] = file
        }
    }

    func remove(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try enter(.remove, name)
        let folder = try node(folder)
        guard folder.names.removeValue(forKey: name) != nil else { throw FileSystemError(.remove, errno: ENOENT, path: name) }
        disk.changed([folder.inode], isRemoval: true) { folder.syncedNames[name] = nil }
    }

    func removeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try enter(.removeFolder, name)
        let folder = try node(folder)
        guard let inside = folder.names[name] else { throw FileSystemError(.removeFolder, errno: ENOENT, path: name) }
        if !inside.names.isEmpty { throw FileSystemError(.removeFolder, errno: ENOTEMPTY, path: name) }
        folder.names[name] = nil
        disk.changed([folder.inode], isRemoval: true) { folder.syncedNames[name] = nil }
    }

    func mapAllocated(_ file: FileDescriptor, bytes: Int) throws(FileSystemError) -> UnsafeMutableRawPointer? {
        try enter(.map)
        let file = try node(file)
        try disk.checkRoom(.map, for: 2 * bytes)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 4096)
        memset(memory.baseAddress!, 0, bytes)
        file.memory = memory
        mapped[memory.baseAddress!] = file
        return memory.baseAddress
    }

    func synchronize(_ memory: UnsafeMutableRawPointer, bytes: Int, of file: FileDescriptor) throws(FileSystemError) {
        try enter(.synchronize, canFail: false)
        disk.synchronize(first: bytes, of: try node(file))
    }

    func unmap(_ memory: UnsafeMutableRawPointer, bytes: Int) {
        // The memory of a killed process is freed with this object.
        guard let node = mapped.removeValue(forKey: memory) else { return }
        node.bytes = node.contents
        node.memory.take()?.deallocate()
    }
}

#if DEBUG
extension SimulatedProcess: RingStoreObserver {
    func willStore() {
        stores += 1
        if stores != killAtStore || isKilled { return }
        disk.log?("    killed before a store")
        diedInStore = true
        kill()
    }
}
#endif

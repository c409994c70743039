import Foundation
import TrackingEvents

@testable import EventFiles

/// A disk in memory with limits, which knows what a power loss would leave. Processes work on it (``SimulatedProcess``).
final class SimulatedDisk {
    final class Node {
        let inode: UInt64
        let isFolder: Bool
        /// The contents of a file that is not mapped.
        var bytes: [UInt8] = []
        /// What the last sync brought to the disk.
        var syncedBytes: [UInt8] = []
        var names: [String: Node] = [:]
        var syncedNames: [String: Node] = [:]
        var modified: Int64 = 0
        /// The descriptor that has the lock.
        var holder: Int32?
        var memory: UnsafeMutableRawBufferPointer?

        init(inode: UInt64, isFolder: Bool) {
            self.inode = inode
            self.isFolder = isFolder
        }

        var count: Int { memory?.count ?? bytes.count }
        /// A copy in one piece, because a loop over the bytes is slow in debug builds.
        var contents: [UInt8] {
            guard let memory else { return bytes }
            return [UInt8](unsafeUninitializedCapacity: memory.count) { room, count in
                UnsafeMutableRawBufferPointer(room).copyMemory(from: UnsafeRawBufferPointer(memory))
                count = memory.count
            }
        }

        /// Whether a file that is not mapped has these bytes. Compared by `memcmp`, because a loop is slow in debug builds.
        func holds(_ other: [UInt8]) -> Bool { bytes.count == other.count && memcmp(bytes, other, other.count) == 0 }
    }

    /// A change of names that no sync of its folder has brought to the disk.
    private struct Change {
        let folders: [UInt64]
        let isRemoval: Bool
        let apply: () -> Void
    }

    let root = Node(inode: 1, isFolder: true)
    private var lastInode: UInt64 = 1
    private var lastDescriptor: Int32 = 2
    private var changes: [Change] = []
    private var random: SeededRandom
    let wallClock: WallClock

    private(set) var bootID: UInt64 = 1
    /// How many bytes the disk has room for; `nil` for any number.
    var capacity: Int?
    /// How many of a thousand calls fail, on average.
    var failures = 0
    /// A fault to plant: a sync does nothing and reports success.
    var syncsNothing = false
    /// A fault to plant: a lock keeps nobody out.
    var locksAreOpen = false
    /// A fault to plant: a kill loses what the process had stored in mapped files.
    var ringsForget = false
    /// A fault to plant: an erasure leaves no number, so no other process learns of it.
    var erasuresLeaveNoNumber = false
    /// Called with a line for every call, to find what went wrong.
    var log: ((String) -> Void)?
    /// A hash of all calls: runs that differ have different hashes.
    private(set) var trace: UInt64 = 0xCBF2_9CE4_8422_2325

    init(random: SeededRandom, wallClock: WallClock) {
        self.random = random
        self.wallClock = wallClock
    }

    /// The power fails: a random part of what was not synced survives. The caller kills the processes.
    func losePower() {
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
            // Each page is old or new, and the length lies anywhere between the old and the new one.
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

    func find(_ path: String) -> Node? {
        if let node = root.names[path] { return node }
        return path.split(separator: "/").filter { $0 != "." }.reduce(root as Node?) { $0?.names[String($1)] }
    }

    /// Replaces all files by these, synced. A file with the same bytes under the same name stays the same node.
    func replace(by files: [(path: String, bytes: [UInt8])]) {
        for change in changes { change.apply() }
        changes = []
        let old = Set(self.files.map(\.path))
        for path in old.subtracting(files.map(\.path)) {
            let (folder, name) = place(of: path)
            folder.names[name] = nil
            folder.syncedNames[name] = nil
        }
        for (path, bytes) in files {
            let (folder, name) = place(of: path)
            if let node = folder.names[name], node.holds(bytes) { continue }
            let node = made(isFolder: false)
            (node.bytes, node.syncedBytes) = (bytes, bytes)
            folder.names[name] = node
            folder.syncedNames[name] = node
        }
    }

    private func place(of path: String) -> (Node, String) {
        let parts = path.split(separator: "/").map(String.init)
        return (find(parts.dropLast().joined(separator: "/"))!, parts.last!)
    }

    // MARK: For processes

    /// - Parameter text: only its length and its last bytes count.
    func note(_ text: String) {
        var text = text
        text.withUTF8 { note(UnsafeRawBufferPointer($0)) }
    }

    /// - Parameter bytes: only their number and the last of them count, among which is the check value of a member.
    func note(_ bytes: UnsafeRawBufferPointer) {
        note(UInt64(bytes.count))
        var end = bytes.count
        while end >= 8, end > bytes.count - 24 {
            end -= 8
            note(bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self))
        }
    }

    func note(_ number: UInt64) {
        trace = (trace ^ number) &* 0x9E37_79B9_7F4A_7C15
        trace ^= trace >> 29
    }

    /// Draws whether a call fails, and with which error; `nil` if it succeeds.
    var failure: Int32? {
        if failures == 0 || Int.random(in: 0..<1000, using: &random) >= failures { return nil }
        return Bool.random(using: &random) ? EIO : EINTR
    }

    /// How many of `count` bytes a write takes: now and then fewer, as of any system.
    func taken(of count: Int) -> Int {
        failures > 0 && Int.random(in: 0..<20, using: &random) == 0 ? Int.random(in: 1...count, using: &random) : count
    }

    func nextDescriptor() -> Int32 {
        lastDescriptor += 1
        return lastDescriptor
    }

    func made(isFolder: Bool) -> Node {
        lastInode += 1
        let node = Node(inode: lastInode, isFolder: isFolder)
        node.modified = wallClock.milliseconds
        return node
    }

    func checkRoom(_ call: FileSystemError.Call, for bytes: Int, _ name: String = "") throws(FileSystemError) {
        if let capacity, used + bytes > capacity { throw FileSystemError(call, errno: ENOSPC, path: name) }
    }

    func add(_ node: Node, _ name: String, in folder: Node) {
        folder.names[name] = node
        changed([folder.inode], isRemoval: false) { folder.syncedNames[name] = node }
    }

    /// - Parameter apply: brings the change to the disk.
    func changed(_ folders: [UInt64], isRemoval: Bool, _ apply: @escaping () -> Void) {
        changes.append(Change(folders: folders, isRemoval: isRemoval, apply: apply))
    }

    /// Syncs the first bytes of a mapped file. A system may bring others to the disk, too. The hardest case is that it brings none.
    func synchronize(first bytes: Int, of node: Node) {
        if syncsNothing { return }
        let contents = node.contents
        node.syncedBytes += [UInt8](repeating: 0, count: max(0, contents.count - node.syncedBytes.count))
        node.syncedBytes.replaceSubrange(0..<bytes, with: contents[..<bytes])
    }

    func synchronize(_ node: Node) {
        if syncsNothing { return }
        if !node.isFolder { node.syncedBytes = node.contents }
        for change in changes where change.folders.contains(node.inode) { change.apply() }
        changes.removeAll { $0.folders.contains(node.inode) }
    }
}

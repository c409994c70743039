import Synchronization

/// A file system that knows which descriptors are open through it, so that a child process can close its copies.
///
/// A lock on a file belongs to the open file and not to the process: for as long as a forked child has a copy of the descriptor, the lock
/// outlives the parent, and nobody can adopt the parent's file.
///
/// The places for them are made beforehand and are changed without a lock: the child finds them whole wherever the writing thread was at
/// the fork.
final class HeldDescriptors: FileSystem {
    /// A place for one descriptor; `free` where it has none.
    private final class Place: Sendable {
        let descriptor = Atomic(HeldDescriptors.free)

        /// - Returns: whether `old` was what it had.
        func replace(_ old: Int32, with new: Int32) -> Bool {
            descriptor.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
        }
    }

    private static var free: Int32 { -1 }

    /// What is below.
    let base: any FileSystem
    private let places: [Place]

    init(on base: any FileSystem) {
        self.base = base
        places = (0..<32).map { _ in Place() }
    }

    /// In a child: closes this process's copies; the parent's stay as they are.
    func closeAll() {
        for place in places {
            let descriptor = place.descriptor.exchange(Self.free, ordering: .acquiringAndReleasing)
            if descriptor != Self.free { base.close(FileDescriptor(rawValue: descriptor)) }
        }
    }

    /// In a child: whether the parent had a descriptor open at the fork.
    func isOpen(_ descriptor: FileDescriptor) -> Bool {
        places.contains { $0.descriptor.load(ordering: .acquiring) == descriptor.rawValue }
    }

    private func held(_ descriptor: FileDescriptor) -> FileDescriptor {
        // A writer has five at most; one too many would only not be closed in a child.
        _ = places.contains { $0.replace(Self.free, with: descriptor.rawValue) }
        return descriptor
    }
}

extension HeldDescriptors {
    func openFolder(atPath path: String) throws(FileSystemError) -> FileDescriptor { held(try base.openFolder(atPath: path)) }
    func openFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        held(try base.openFolder(name, in: folder))
    }
    func create(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        held(try base.create(name, in: folder))
    }
    func open(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor { held(try base.open(name, in: folder)) }

    func close(_ file: FileDescriptor) {
        // Before the close: afterwards the number may be somebody else's.
        _ = places.contains { $0.replace(file.rawValue, with: Self.free) }
        base.close(file)
    }

    func makeFolder(atPath path: String) throws(FileSystemError) { try base.makeFolder(atPath: path) }
    func makeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) { try base.makeFolder(name, in: folder) }
    func names(in folder: FileDescriptor) throws(FileSystemError) -> [String] { try base.names(in: folder) }
    func lock(_ file: FileDescriptor) throws(FileSystemError) -> Bool { try base.lock(file) }
    func status(of file: FileDescriptor) throws(FileSystemError) -> FileStatus { try base.status(of: file) }
    func status(of name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileStatus? { try base.status(of: name, in: folder) }
    func read(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        try base.read(into: bytes, from: file, at: offset)
    }
    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        try base.write(bytes, to: file, at: offset)
    }
    func truncate(_ file: FileDescriptor, to length: Int64) throws(FileSystemError) { try base.truncate(file, to: length) }
    func synchronize(_ file: FileDescriptor) throws(FileSystemError) { try base.synchronize(file) }
    func link(_ name: String, to newName: String, in folder: FileDescriptor) throws(FileSystemError) {
        try base.link(name, to: newName, in: folder)
    }
    func rename(_ name: String, to newName: String, in folder: FileDescriptor) throws(FileSystemError) {
        try base.rename(name, to: newName, in: folder)
    }
    func move(_ name: String, from folder: FileDescriptor, to newFolder: FileDescriptor) throws(FileSystemError) {
        try base.move(name, from: folder, to: newFolder)
    }
    func remove(_ name: String, in folder: FileDescriptor) throws(FileSystemError) { try base.remove(name, in: folder) }
    func removeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try base.removeFolder(name, in: folder)
    }
}

import Basics
public import EventFiles

/// The machine's file system with faults planted in between. For writers and readers.
///
/// ```swift
/// let files = FaultyFileSystem { call in call.kind == .write && call.number > 100 ? .fail(ENOSPC) : nil }
/// let writer = try EventFileWriter(folder: path, fileSystem: files.fileSystem)
/// ```
/// The rule is asked before each call. ``setRule(_:)`` changes it. ``kill()`` makes the file system behave as if the process had died.
public final class FaultyFileSystem: Sendable {
    /// A call that is about to be made.
    public struct Call: Sendable, Equatable {
        public let kind: FileSystemError.Call
        /// Counts calls from 1, those of all kinds together.
        public let number: Int
        /// The name the call is about; empty for calls that go by descriptor.
        public let name: String
    }

    /// What happens instead of the call.
    public enum Fault: Sendable, Equatable {
        /// It fails with an error number and does nothing.
        case fail(Int32)
        /// It is done, and fails with an error number all the same, as calls over a network may.
        case failAfter(Int32)
        /// It reads or writes at most this many bytes; a sync says that it is done and has done nothing. Other calls go through.
        case short(Int)
        /// The process dies before the call: neither this call nor any later one happens, and the locks are released.
        case kill
    }

    fileprivate struct State {
        var rule: @Sendable (Call) -> Fault?
        var calls: [Call] = []
        var isKilled = false
        var descriptors: Set<FileDescriptor> = []
        var mapped: [UnsafeMutableRawPointer: Mapping] = [:]
    }

    fileprivate let base: any FileSystem
    fileprivate let state: Lock<State>

    /// - Parameters:
    ///   - base: the file system below.
    ///   - rule: the fault for a call; `nil` lets it through. It may not use this object: it is asked under the object's lock.
    public init(on base: any FileSystem = PosixFileSystem(), rule: @escaping @Sendable (Call) -> Fault? = { _ in nil }) {
        self.base = base
        state = Lock(State(rule: rule))
    }

    /// Hand this to a writer or a reader.
    public var fileSystem: any FileSystem { FaultyCalls(faults: self) }

    /// All calls so far, those that failed too.
    package var calls: [Call] { state.withLock { $0.calls } }

    /// Changes the rule from the next call on.
    public func setRule(_ rule: @escaping @Sendable (Call) -> Fault?) { state.withLock { $0.rule = rule } }

    /// Behaves as if the process had been killed: open files are closed and their locks released, and further calls fail and do nothing.
    public func kill() { state.withLock { kill(&$0) } }

    package var isKilled: Bool { state.withLock { $0.isKilled } }

    package var openDescriptors: Int { state.withLock { $0.descriptors.count } }

    private func kill(_ state: inout State) {
        state.isKilled = true
        // What is stored from now on stays in memory: the file keeps what the process had stored when it died.
        for (memory, mapping) in state.mapped {
            let copied = mmap(memory, mapping.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, mapping.file.rawValue, 0)
            precondition(copied == memory, "the memory of a killed process cannot be cut off its file")
        }
        for descriptor in state.descriptors { base.close(descriptor) }
        state.descriptors = []
    }

    /// Asks the rule, then makes the call, all under the lock: a kill never falls into a call.
    fileprivate func make<Result>(
        _ kind: FileSystemError.Call, of name: String = "", _ body: @autoclosure () throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result { try makeLimited(kind, of: name) { _ throws(FileSystemError) in try body() } }

    fileprivate func makeLimited<Result>(
        _ kind: FileSystemError.Call, of name: String = "", _ body: (Int?) throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        try state.withLock { state throws(FileSystemError) in
            if state.isKilled { throw FileSystemError(kind, errno: EIO, path: name) }
            let call = Call(kind: kind, number: state.calls.count + 1, name: name)
            state.calls.append(call)
            var (limit, late): (Int?, Int32?) = (nil, nil)
            switch state.rule(call) {
            case nil: break
            case .short(let bytes): limit = bytes
            case .failAfter(let errno): late = errno
            case .fail(let errno): throw FileSystemError(kind, errno: errno, path: name)
            case .kill:
                kill(&state)
                throw FileSystemError(kind, errno: EIO, path: name)
            }
            let result = try body(limit)
            if let descriptor = result as? FileDescriptor {
                // Nobody would close the descriptor of a call that fails.
                if late == nil { state.descriptors.insert(descriptor) } else { base.close(descriptor) }
            } else if let mapping = result as? Mapping {
                if late == nil { state.mapped[mapping.memory] = mapping } else { base.unmap(mapping.memory, bytes: mapping.bytes) }
            }
            if let late { throw FileSystemError(kind, errno: late, path: name) }
            return result
        }
    }
}

private struct Mapping { let memory: UnsafeMutableRawPointer, file: FileDescriptor, bytes: Int }

private struct FaultyCalls: FileSystem {
    let faults: FaultyFileSystem
    private var base: any FileSystem { faults.base }

    func openFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try faults.make(.openFolder, of: name, base.openFolder(name, in: folder))
    }

    func makeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try faults.make(.makeFolder, of: name, base.makeFolder(name, in: folder))
    }

    func entries(in folder: FileDescriptor) throws(FileSystemError) -> [FolderEntry] { try faults.make(.names, base.entries(in: folder)) }

    func create(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try faults.make(.create, of: name, base.create(name, in: folder))
    }

    func open(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try faults.make(.open, of: name, base.open(name, in: folder))
    }

    func openToRead(atPath path: String) throws(FileSystemError) -> FileDescriptor {
        try faults.make(.open, of: path, base.openToRead(atPath: path))
    }

    /// A close never fails; the rule may still kill the process before it.
    func close(_ file: FileDescriptor) {
        try? faults.make(.close, ())
        if faults.state.withLock({ $0.descriptors.remove(file) != nil }) { base.close(file) }
    }

    func lock(_ file: FileDescriptor) throws(FileSystemError) -> Bool { try faults.make(.lock, base.lock(file)) }

    func status(of file: FileDescriptor) throws(FileSystemError) -> FileStatus { try faults.make(.status, base.status(of: file)) }

    func status(of name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileStatus? {
        try faults.make(.status, of: name, base.status(of: name, in: folder))
    }

    func status(atPath path: String) throws(FileSystemError) -> FileStatus? {
        try faults.make(.status, of: path, base.status(atPath: path))
    }

    func read(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        try faults.makeLimited(.read) { limit throws(FileSystemError) in
            try base.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(limit ?? bytes.count)), from: file, at: offset)
        }
    }

    func readNext(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor) throws(FileSystemError) -> Int {
        try faults.makeLimited(.read) { limit throws(FileSystemError) in
            try base.readNext(into: UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(limit ?? bytes.count)), from: file)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        try faults.makeLimited(.write) { limit throws(FileSystemError) in
            try base.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(limit ?? bytes.count)), to: file, at: offset)
        }
    }

    /// Never fails, and the rule is not asked about it.
    func copyAccess(of name: String, in folder: FileDescriptor, to file: FileDescriptor) { base.copyAccess(of: name, in: folder, to: file) }

    func truncate(_ file: FileDescriptor, to length: Int64) throws(FileSystemError) {
        try faults.make(.truncate, base.truncate(file, to: length))
    }

    func synchronize(_ file: FileDescriptor) throws(FileSystemError) {
        try faults.makeLimited(.synchronize) { limit throws(FileSystemError) in if limit == nil { try base.synchronize(file) } }
    }

    func link(_ name: String, to newName: String, in folder: FileDescriptor) throws(FileSystemError) {
        try faults.make(.link, of: newName, base.link(name, to: newName, in: folder))
    }

    func rename(_ name: String, in folder: FileDescriptor, to newName: String, in newFolder: FileDescriptor) throws(FileSystemError) {
        try faults.make(.rename, of: newName, base.rename(name, in: folder, to: newName, in: newFolder))
    }

    func remove(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try faults.make(.remove, of: name, base.remove(name, in: folder))
    }

    func mapAllocated(_ file: FileDescriptor, bytes: Int) throws(FileSystemError) -> UnsafeMutableRawPointer? {
        try faults.make(.map, base.mapAllocated(file, bytes: bytes).map { Mapping(memory: $0, file: file, bytes: bytes) })?.memory
    }

    func synchronize(_ memory: UnsafeMutableRawPointer, bytes: Int, of file: FileDescriptor) throws(FileSystemError) {
        try faults.makeLimited(.synchronize) { limit throws(FileSystemError) in
            if limit == nil { try base.synchronize(memory, bytes: bytes, of: file) }
        }
    }

    /// Never fails, and the rule is not asked about it.
    func unmap(_ memory: UnsafeMutableRawPointer, bytes: Int) {
        faults.state.withLock { _ = $0.mapped.removeValue(forKey: memory) }
        base.unmap(memory, bytes: bytes)
    }

    var bootID: UInt64 { base.bootID }

    func removeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try faults.make(.removeFolder, of: name, base.removeFolder(name, in: folder))
    }
}

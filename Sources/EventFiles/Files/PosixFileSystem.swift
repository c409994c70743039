import Basics

/// The machine's file system.
public struct PosixFileSystem: FileSystem {
    /// Made before the first lock is taken, so that a forked child can tell that the locks of its descriptors may be its parent's.
    private static let process = ForkGuard()

    public init() {}

    public func openFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try descriptor(openat(folder.rawValue, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), .openFolder, name)
    }

    public func makeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try check(mkdirat(folder.rawValue, name, 0o700), .makeFolder, name)
    }

    public func entries(in folder: FileDescriptor) throws(FileSystemError) -> [FolderEntry] {
        // The listing has a descriptor of its own: closedir closes it, and nobody else moves its position.
        let own = try descriptor(openat(folder.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), .names, "")
        guard let stream = fdopendir(own.rawValue) else {
            let error = FileSystemError(.names, errno: errno)
            close(own)
            throw error
        }
        defer { closedir(stream) }
        let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name)!
        var entries: [FolderEntry] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw FileSystemError(.names, errno: errno) }
                return entries
            }
            let bytes = (UnsafeRawPointer(entry) + nameOffset).assumingMemoryBound(to: CChar.self)
            let text = String(validatingCString: bytes)
            let name = text ?? String(cString: bytes)
            if name == "." || name == ".." { continue }
            entries.append(FolderEntry(name: name, kind: Self.kind(of: entry, named: bytes, in: own), isNameable: text != nil))
        }
    }

    /// The kind of an entry, from the listing, or from the entry's status if the file system's listing does not tell.
    private static func kind(
        of entry: UnsafePointer<dirent>, named name: UnsafePointer<CChar>, in folder: FileDescriptor
    ) -> FileStatus.Kind {
        let type = UnsafeRawPointer(entry).load(fromByteOffset: MemoryLayout<dirent>.offset(of: \.d_type)!, as: UInt8.self)
        switch Int(type) {
        case Int(DT_REG): return .regular
        case Int(DT_DIR): return .folder
        case Int(DT_LNK): return .link
        default:
            var status = stat()
            return fstatat(folder.rawValue, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status).kind : .other
        }
    }

    public func create(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try descriptor(openat(folder.rawValue, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600), .create, name)
    }

    public func open(_ name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileDescriptor {
        try descriptor(openat(folder.rawValue, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), .open, name)
    }

    public func openToRead(atPath path: String) throws(FileSystemError) -> FileDescriptor {
        try descriptor(openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC), .open, path)
    }

    public func close(_ file: FileDescriptor) {
        // Unlocked first: a child process that another thread is just starting has a copy of the descriptor, which would keep the lock
        // until the child runs its own program. A forked child only closes: the lock may be its parent's, and nobody tells whose it is.
        if !Self.process.isInherited { flock(file.rawValue, LOCK_UN) }
        // Not repeated after EINTR: the descriptor is gone, and its number may be somebody else's already.
        _ = systemClose(file.rawValue)
    }

    public func lock(_ file: FileDescriptor) throws(FileSystemError) -> Bool {
        _ = Self.process
        if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 { return true }
        if errno == EWOULDBLOCK { return false }
        throw FileSystemError(.lock, errno: errno)
    }

    public func status(of file: FileDescriptor) throws(FileSystemError) -> FileStatus {
        var status = stat()
        try check(fstat(file.rawValue, &status), .status, "")
        return FileStatus(status)
    }

    public func status(of name: String, in folder: FileDescriptor) throws(FileSystemError) -> FileStatus? {
        var status = stat()
        if fstatat(folder.rawValue, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return FileStatus(status) }
        if errno == ENOENT { return nil }
        throw FileSystemError(.status, errno: errno, path: name)
    }

    public func status(atPath path: String) throws(FileSystemError) -> FileStatus? {
        var status = stat()
        if stat(path, &status) == 0 { return FileStatus(status) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw FileSystemError(.status, errno: errno, path: path)
    }

    public func read(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int
    {
        try check(pread(file.rawValue, bytes.baseAddress, bytes.count, off_t(offset)), .read)
    }

    public func readNext(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor) throws(FileSystemError) -> Int {
        while true {
            let count = systemRead(file.rawValue, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            if errno != EAGAIN { throw FileSystemError(.read, errno: errno) }
            // A pipe that somebody else made non-blocking.
            var waiting = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
            _ = poll(&waiting, 1, -1)
        }
    }

    public func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        try check(pwrite(file.rawValue, bytes.baseAddress, bytes.count, off_t(offset)), .write)
    }

    public func truncate(_ file: FileDescriptor, to length: Int64) throws(FileSystemError) {
        try check(ftruncate(file.rawValue, off_t(length)), .truncate, "")
    }

    public func synchronize(_ file: FileDescriptor) throws(FileSystemError) {
        #if canImport(Darwin)
        // fsync hands the bytes to the drive, which may keep them in its own memory; this asks the drive to write them.
        if fcntl(file.rawValue, F_FULLFSYNC) == 0 { return }
        let isUnknownThere = [ENOTSUP, EOPNOTSUPP, EINVAL, ENOTTY, ENOSYS].contains(errno)
        try check(isUnknownThere ? fsync(file.rawValue) : -1, .synchronize, "")
        #else
        // On a folder this is fsync: names are its data.
        try check(fdatasync(file.rawValue), .synchronize, "")
        #endif
    }

    public func copyAccess(of name: String, in folder: FileDescriptor, to file: FileDescriptor) {
        var status = stat()
        // A link's own permissions mean nothing.
        guard fstatat(folder.rawValue, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        // Only root may give a file away.
        _ = fchown(file.rawValue, status.st_uid, status.st_gid)
        _ = fchmod(file.rawValue, status.st_mode & 0o777)
    }

    public func link(_ name: String, to newName: String, in folder: FileDescriptor) throws(FileSystemError) {
        try check(linkat(folder.rawValue, name, folder.rawValue, newName, 0), .link, newName)
    }

    public func rename(
        _ name: String, in folder: FileDescriptor, to newName: String, in newFolder: FileDescriptor
    ) throws(FileSystemError) { try check(renameat(folder.rawValue, name, newFolder.rawValue, newName), .rename, newName) }

    public func remove(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try check(unlinkat(folder.rawValue, name, 0), .remove, name)
    }

    public func removeFolder(_ name: String, in folder: FileDescriptor) throws(FileSystemError) {
        try check(unlinkat(folder.rawValue, name, AT_REMOVEDIR), .removeFolder, name)
    }

    // Other systems map nothing: nobody has tried there whether a store into mapped memory ends the process when the volume is full.
    #if os(Linux)
    public func mapAllocated(_ file: FileDescriptor, bytes: Int) throws(FileSystemError) -> UnsafeMutableRawPointer? {
        guard try AllocatedBlocks.areKept(of: file, bytes: bytes) else { return nil }
        let failed = posix_fallocate(file.rawValue, 0, off_t(bytes))
        if failed == EOPNOTSUPP { return nil }
        if failed != 0 { throw FileSystemError(.map, errno: failed) }
        guard let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, 0), memory != MAP_FAILED else {
            throw FileSystemError(.map, errno: errno)
        }
        let keepFromChildren: Int32 = 10
        madvise(memory, bytes, keepFromChildren)
        return memory
    }

    public func synchronize(_ memory: UnsafeMutableRawPointer, bytes: Int, of file: FileDescriptor) throws(FileSystemError) {
        try check(msync(memory, bytes, MS_SYNC), .synchronize, "")
    }

    public func unmap(_ memory: UnsafeMutableRawPointer, bytes: Int) { munmap(memory, bytes) }

    public var bootID: UInt64 {
        let text = WholeFile.bytes(of: "/proc/sys/kernel/random/boot_id", atMost: 64) ?? []
        let digits = text.filter { $0 != UInt8(ascii: "-") }.prefix(16)
        return UInt64(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
    }
    #endif
}

private func descriptor(_ result: Int32, _ call: FileSystemError.Call, _ path: String) throws(FileSystemError) -> FileDescriptor {
    FileDescriptor(rawValue: try check(result, call, path))
}

@discardableResult
private func check<Result: SignedInteger>(
    _ result: Result, _ call: FileSystemError.Call, _ path: String = ""
) throws(FileSystemError) -> Result {
    if result < 0 { throw FileSystemError(call, errno: errno, path: path) }
    return result
}

// Inside the type, `close` and `read` mean its methods.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func systemRead(_ descriptor: Int32, _ room: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(descriptor, room, count) }

extension FileStatus {
    fileprivate init(_ status: stat) {
        let kind: Kind
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .link
        case S_IFIFO, S_IFCHR, S_IFSOCK: kind = .stream
        default: kind = .other
        }
        #if canImport(Darwin)
        let modified = status.st_mtimespec
        #else
        let modified = status.st_mtim
        #endif
        self.init(
            kind: kind, permissions: UInt32(status.st_mode) & 0o7777, device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino), bytes: Int64(status.st_size),
            modifiedMilliseconds: Int64(modified.tv_sec) * 1000 + Int64(modified.tv_nsec) / 1_000_000)
        links = Int(status.st_nlink)
    }
}

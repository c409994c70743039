import Basics

#if DEBUG
/// A file system that is told of each store into a ring, as if that were one of its calls.
protocol RingStoreObserver: FileSystem { func willStore() }
#endif

/// Makes ring files and takes them away. Part of the writer's thread.
final class RingKeeper {
    private let context: WriterContext
    private var kept: [Lane: (ring: Ring, file: Ring.File, folder: EventFolder)] = [:]
    /// Rings whose removal failed. They stay locked, as a recovery would take their lines, which are or will be in segments.
    private var unremoved: [(ring: Ring, file: Ring.File, folder: EventFolder)] = []
    private var retryAt = Int64.min
    /// Why there is no ring, until `onError` is told.
    private var unsaid: EventFileError?
    private var hasSaidInMemory = false

    init(_ context: WriterContext) { self.context = context }

    private var options: EventFileWriterOptions { context.options }

    subscript(lane: Lane) -> Ring? { kept[lane]?.ring }

    var mayMake: Bool { context.clock.nanoseconds >= retryAt }

    /// Notes why no ring could be made. The next attempt comes after a pause.
    func failed(_ error: EventFileError, in folder: EventFolder) {
        retryAt = context.clock.nanoseconds.addingClamped(max(1, options.longestRetry.clampedNanoseconds))
        if hasSaidInMemory { return }
        unsaid = if case .storage(let reason) = error { .ringInMemory(path: folder.path, reason: reason) } else { error }
    }

    func retryNow() { retryAt = .min }

    /// Why events wait in memory alone, if `onError` has yet to be told. It is told once.
    func takeUnsaid() -> EventFileError? {
        if unsaid != nil { hasSaidInMemory = true }
        return unsaid.take()
    }

    /// Makes an empty, locked ring beside the segments of a lane. The key enters the check values, and so tells the ring from others.
    func make(for lane: Lane, in folder: EventFolder, beside segments: SegmentWriter, key: UInt64) throws(EventFileError) {
        let name = SegmentName(stem: options.stem, writer: segments.writer, number: 0)
        var reason = FileSystemError(.map, errno: ENOMEM, path: name.ring)
        for bytes in sizes {
            do throws(FileSystemError) {
                let ring = try make(name, bytes: bytes, in: folder, highestNumber: segments.lastNumber, key: key)
                guard let file = ring.file else { break }
                unsaid = nil
                kept[lane] = (ring, file, folder)
                return
            } catch {
                reason = error
                if ![ENOSPC, EDQUOT, EFBIG, ENOMEM].contains(error.errno) { break }
            }
        }
        throw .ringInMemory(path: folder.path, reason: reason)
    }

    /// The sizes to try: `ringBytes` if larger than usual, or the smallest usual size with room for it, then the smaller usual sizes.
    private var sizes: [Int] {
        let usual = [4 * 1_048_576, 1_048_576, 256 * 1_024]
        let wanted = min(options.ringBytes, Int(Ring.maxBytes)) & ~4095
        let most = max(0, options.ringBytes).addingClamped(max(0, options.ringBytes) / 4 + 65_536)
        return (wanted > usual[0] ? [wanted] : []) + usual.indices.filter { $0 == 2 || usual[$0 + 1] < most }.map { usual[$0] }
    }

    /// Makes the ring as `.tmp`, locked, and gives it its name last: a ring that nobody has locked is a dead writer's.
    private func make(
        _ name: SegmentName, bytes: Int, in folder: EventFolder, highestNumber: Int64, key: UInt64
    ) throws(FileSystemError) -> Ring {
        // Before the lock is there, another process that recovers may take the file for an orphan, and remove it.
        for _ in 0..<8 {
            guard let file = try folder.createLocked(name.temporary) else {
                try folder.remove(name.temporary)
                continue
            }
            do throws(FileSystemError) {
                return try fill(file, name, bytes: bytes, in: folder, highestNumber: highestNumber, key: key)
            } catch {
                try? folder.remove(name.temporary)
                folder.fileSystem.close(file)
                if error.errno == ENOENT { continue }
                throw error
            }
        }
        throw FileSystemError(.create, errno: EEXIST, path: name.temporary)
    }

    private func fill(
        _ file: FileDescriptor, _ name: SegmentName, bytes: Int, in folder: EventFolder, highestNumber: Int64, key: UInt64
    ) throws(FileSystemError) -> Ring {
        let files = folder.fileSystem
        let status = try folder.status(of: file, named: name.ring)
        let mapped = options.ring == .automatic ? try folder.call(name.ring, files.mapAllocated(file, bytes: bytes)) : nil
        var own: UnsafeMutableRawPointer?
        if mapped == nil {
            try folder.call(name.ring, files.truncate(file, to: Int64(bytes)))
            // Pages that are never touched take no memory.
            own = calloc(1, bytes)
        }
        // The last line before a crash matters most in a recording: it is written at once.
        let isAtOnce = options.ring == .writtenAtOnce || options.ring == .automatic && options.contents == .log
        guard let memory = mapped ?? own else { throw FileSystemError(.map, errno: ENOMEM, path: name.ring) }
        do throws(FileSystemError) {
            let ring = Ring(
                Ring.File(name: name.ring, descriptor: file, fileSystem: files, inode: status.inode, bytes: bytes), memory: memory,
                written: mapped == nil ? WrittenRing(isAtOnce: isAtOnce) : nil, contents: options.contents,
                bootID: files.bootID, key: key ^ status.inode, highestNumber: highestNumber,
                reserve: max(0, min(options.reservedMetaPlaces, 1_024)) * 1_024)
            #if DEBUG
            ring.beforeStore = (files as? any RingStoreObserver)?.willStore
            #endif
            try folder.rename(name.temporary, to: name.ring)
            guard let named = try folder.status(name.ring), named.isSameFile(as: status) else {
                throw FileSystemError(.rename, errno: ENOENT, path: name.ring)
            }
            return ring
        } catch {
            if let mapped { files.unmap(mapped, bytes: bytes) }
            throw error
        }
    }

    func synchronize(_ lane: Lane) throws(FileSystemError) {
        if let kept = kept[lane] { try kept.folder.call(kept.file.name, kept.ring.synchronizeHead()) }
    }

    func hasItsName(_ lane: Lane) throws(FileSystemError) -> Bool {
        guard let kept = kept[lane] else { return true }
        return try kept.folder.status(kept.file.name)?.inode == kept.file.inode
    }

    /// Closes a ring to which nobody writes any more, and removes its file where that is asked for.
    func close(_ lane: Lane, isRemoved: Bool) {
        guard let kept = kept.removeValue(forKey: lane) else { return }
        if !isRemoved {
            kept.ring.writeAtOnce()
        } else if (try? kept.folder.remove(kept.file.name)) == nil {
            return unremoved.append(kept)
        }
        kept.ring.close()
    }

    /// Tries once more to remove what could not be removed, unless a later ring has its name by now, and gives up its lock.
    func closeUnremoved() {
        for (ring, file, folder) in unremoved {
            if (try? folder.status(file.name))?.inode == file.inode { try? folder.remove(file.name) }
            ring.close()
        }
        unremoved = []
    }
}

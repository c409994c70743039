import Basics

/// The calls as all callers need them: repeated after `EINTR`, and after a read or a write of fewer bytes than asked for.
extension FileSystem {
    /// Repeats a call for as long as a signal interrupts it.
    func retrying<Result>(_ call: @autoclosure () throws(FileSystemError) -> Result) throws(FileSystemError) -> Result {
        while true {
            do throws(FileSystemError) { return try call() } catch { if error.errno != EINTR { throw error } }
        }
    }

    /// Opens a file, or if it is gone the one at its sealed path; `nil` if both are gone.
    func open(_ file: InputFile) throws(FileSystemError) -> (descriptor: FileDescriptor, path: String)? {
        for path in [file.path, file.sealedPath].compactMap(\.self) {
            let opened = try allowing([ENOENT]) { () throws(FileSystemError) in try retrying(openToRead(atPath: path)) }
            if let opened { return (opened, path) }
        }
        return nil
    }

    func writeAll(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, at offset: Int64) throws(FileSystemError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = try retrying(write(rest, to: file, at: offset + Int64(done)))
            // A device that takes nothing and reports nothing is as good as full.
            if count <= 0 { throw FileSystemError(.write, errno: ENOSPC) }
            done += count
        }
    }

    func copy(_ run: ByteRun, of file: FileDescriptor, to target: FileDescriptor, at offset: Int64) throws(FileSystemError) {
        let room = ByteBuffer(capacity: Int(min(run.bytes, 256 * 1024)))
        var done: Int64 = 0
        while done < run.bytes {
            room.removeAll()
            // Somebody may have cut the file since its size was known.
            if try append(atMost: run.bytes - done, of: file, at: run.offset + done, to: room) == 0 {
                throw FileSystemError(.read, errno: EIO)
            }
            try writeAll(room.raw, to: target, at: offset + done)
            done += Int64(room.count)
        }
    }

    /// Appends bytes of a file, as many as there are and the buffer has room for; returns how many it appended.
    @discardableResult
    func append(atMost count: Int64 = .max, of file: FileDescriptor, at offset: Int64, to bytes: ByteBuffer) throws(FileSystemError) -> Int
    {
        let left = Int(min(count, Int64(bytes.capacity - bytes.count)))
        let count = try readAll(into: UnsafeMutableRawBufferPointer(start: bytes.base + bytes.count, count: left), from: file, at: offset)
        bytes.advance(by: count)
        return count
    }

    func endsWithEndMember(_ file: FileDescriptor) throws(FileSystemError) -> Bool {
        let length = BGZF.endMember.count
        let bytes = try retrying(status(of: file).bytes)
        if bytes < Int64(length) { return false }
        let end = ByteBuffer(capacity: length)
        try append(of: file, at: bytes - Int64(length), to: end)
        return end.bytes.elementsEqual(BGZF.endMember)
    }

    /// Reads until the memory is full or the file ends; returns how many bytes it read.
    func readAll(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = try retrying(read(into: rest, from: file, at: offset + Int64(done)))
            if count == 0 { break }
            done += count
        }
        return done
    }
}

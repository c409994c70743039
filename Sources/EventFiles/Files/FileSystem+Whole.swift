import Basics

/// The calls with what every caller would have to add: repetition after `EINTR` and after short reads and writes.
extension FileSystem {
    /// Repeats a call for as long as a signal interrupts it.
    func retrying<Result>(_ call: () throws(FileSystemError) -> Result) throws(FileSystemError) -> Result {
        while true {
            do throws(FileSystemError) {
                return try call()
            } catch {
                if error.errno != EINTR { throw error }
            }
        }
    }

    /// Writes all the bytes.
    func writeAll(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, at offset: Int64) throws(FileSystemError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = try retrying { () throws(FileSystemError) in try write(rest, to: file, at: offset + Int64(done)) }
            // A device that takes nothing and reports nothing is as good as full.
            if count <= 0 { throw FileSystemError(.write, errno: ENOSPC) }
            done += count
        }
    }

    /// Reads until the memory is full or the file ends; returns how many bytes it was.
    func readAll(into bytes: UnsafeMutableRawBufferPointer, from file: FileDescriptor, at offset: Int64) throws(FileSystemError) -> Int {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = try retrying { () throws(FileSystemError) in try read(into: rest, from: file, at: offset + Int64(done)) }
            if count == 0 { break }
            done += count
        }
        return done
    }
}

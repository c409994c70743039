import Basics

/// A file on disk. It is closed when this object is released.
package final class TraceFile: TraceOutput {
    package let path: String
    private let descriptor: Int32

    /// Creates the file, or empties an existing one.
    package init(path: String) throws(TraceOutputError) {
        self.path = path
        let opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard opened >= 0 else { throw TraceOutputError(.open, path: path, errno: errno) }
        descriptor = opened
    }

    deinit { close(descriptor) }

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(TraceOutputError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = uninterrupted { pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written)) }
            guard count > 0 else {
                throw TraceOutputError(.write, path: path, errno: count == 0 ? ENOSPC : errno, offset: offset + written)
            }
            written += count
        }
    }

    package func truncate(to size: Int) throws(TraceOutputError) {
        if uninterrupted({ ftruncate(descriptor, off_t(size)) }) != 0 { throw TraceOutputError(.truncate, path: path, errno: errno) }
    }
}

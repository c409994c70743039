import Basics
import TrackingEvents

/// Writes a new file from pieces of another.
struct FileCopy {
    private static let chunk = 256 * 1024

    private let target: FileDescriptor
    private let fileSystem: any FileSystem
    private let room = ByteBuffer(capacity: FileCopy.chunk)
    private var offset: Int64

    /// - Parameter offset: where in the target the first piece goes.
    init(to target: FileDescriptor, at offset: Int64 = 0, on fileSystem: any FileSystem) {
        self.target = target
        self.offset = offset
        self.fileSystem = fileSystem
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        try fileSystem.writeAll(bytes, to: target, at: offset)
        offset += Int64(bytes.count)
    }

    mutating func append(_ run: ByteRun, of file: FileDescriptor) throws(FileSystemError) {
        var done: Int64 = 0
        while done < run.bytes {
            let memory = UnsafeMutableRawBufferPointer(start: room.base, count: Int(min(Int64(Self.chunk), run.bytes - done)))
            let count = try fileSystem.readAll(into: memory, from: file, at: run.offset + done)
            // The file was cut while it was read.
            if count == 0 { throw FileSystemError(.read, errno: EIO) }
            try append(UnsafeRawBufferPointer(rebasing: memory[..<count]))
            done += Int64(count)
        }
    }
}

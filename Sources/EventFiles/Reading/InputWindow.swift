import Basics

/// A window that slides over a file or a pipe. It maps no memory: if a file is cut meanwhile, the window ends, and no signal is raised.
final class InputWindow {
    private static let readBytes = 256 * 1024

    private let descriptor: FileDescriptor
    private let closes: Bool
    private let fileSystem: any FileSystem
    /// Files can be read again from any offset, pipes cannot.
    private let isSeekable: Bool
    private let buffer = ByteBuffer(capacity: 2 * readBytes)
    private var start = 0
    /// How many bytes of the file are read at most.
    private let size: Int64
    /// Where in the file the buffer ends.
    private(set) var readOffset: Int64 = 0
    private(set) var isAtEnd = false

    /// Reads the first `size` bytes of a regular file or, without a size, all of any input. Closes the descriptor in `deinit` if `closes`.
    init(_ descriptor: FileDescriptor, size: Int64? = nil, closes: Bool = false, on fileSystem: any FileSystem = PosixFileSystem()) {
        (self.descriptor, self.closes, self.fileSystem, self.size) = (descriptor, closes, fileSystem, size ?? .max)
        let status = closes ? try? fileSystem.retrying(fileSystem.status(of: descriptor)) : nil
        isSeekable = size != nil || status?.kind == .regular
    }

    deinit { if closes { fileSystem.close(descriptor) } }

    /// The bytes of the window, and where it begins in the file.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer.raw[start...]) }
    var offset: Int64 { readOffset - Int64(buffer.count - start) }

    /// Makes the window at least `wanted` bytes long, unless the file ends before.
    func fill(_ wanted: Int) throws(FileSystemError) {
        while buffer.count - start < wanted, !isAtEnd {
            if start > 0, start >= buffer.count / 2 || buffer.capacity - buffer.count < Self.readBytes {
                buffer.removeFirst(start)
                start = 0
            }
            buffer.reserve(Self.readBytes)
            let got = try read(to: buffer.base + buffer.count)
            buffer.advance(by: got)
            readOffset += Int64(got)
            if got == 0 { isAtEnd = true }
        }
    }

    private func read(to room: UnsafeMutablePointer<UInt8>) throws(FileSystemError) -> Int {
        let count = Int(min(Int64(Self.readBytes), size - readOffset))
        if count == 0 { return 0 }
        let room = UnsafeMutableRawBufferPointer(start: room, count: count)
        return try isSeekable
            ? fileSystem.retrying(fileSystem.read(into: room, from: descriptor, at: readOffset))
            : fileSystem.retrying(fileSystem.readNext(into: room, from: descriptor))
    }

    func consume(_ count: Int) {
        precondition(count <= buffer.count - start)
        start += count
    }

    /// Moves the window's beginning back to an offset of the file, if the input allows it.
    func rewind(to offset: Int64) {
        let back = self.offset - offset
        if back >= 0, back <= Int64(start) {
            start -= Int(back)
        } else if isSeekable, back >= 0 {
            buffer.removeAll()
            (start, readOffset, isAtEnd) = (0, offset, false)
        }
    }

    /// Whether a file has grown since its end was found, as one that is being written does. Adds the new bytes to the window.
    func grow() throws(FileSystemError) -> Bool {
        guard isSeekable, isAtEnd else { return false }
        let before = readOffset
        isAtEnd = false
        try fill(bytes.count + 1)
        return readOffset > before
    }
}

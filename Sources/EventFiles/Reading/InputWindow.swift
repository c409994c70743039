import Basics
internal import TrackingEvents

/// A window that slides over a file or a pipe. It never reads through a mapping: a file that is cut while it is read gives an end, not a
/// signal.
final class InputWindow {
    /// How much is asked for at once.
    private static let readBytes = 256 * 1024

    let path: String
    private let descriptor: FileDescriptor
    private let closes: Bool
    private let fileSystem: any FileSystem
    /// Files can be read again from any place, pipes cannot.
    private let isSeekable: Bool
    private let buffer = ByteBuffer(capacity: 2 * readBytes)
    /// Where in the buffer the window begins.
    private var start = 0
    /// Where in the file the buffer ends.
    private var readOffset: Int64 = 0
    /// Whether the last reading found the end.
    private(set) var isAtEnd = false

    /// - Parameter closes: whether the descriptor is closed with the window.
    init(path: String, descriptor: FileDescriptor, closes: Bool, fileSystem: any FileSystem = PosixFileSystem()) {
        self.path = path
        self.descriptor = descriptor
        self.closes = closes
        self.fileSystem = fileSystem
        let status = try? fileSystem.retrying { () throws(FileSystemError) in try fileSystem.status(of: descriptor) }
        isSeekable = closes && status?.kind == .regular
    }

    deinit {
        if closes { fileSystem.close(descriptor) }
    }

    /// The bytes of the window.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer.raw[start...]) }

    /// Where the window begins, in bytes of the file.
    var offset: Int64 { readOffset - Int64(buffer.count - start) }

    /// Makes the window at least so long, unless the file ends before.
    func fill(_ wanted: Int) throws(EventFileReadError) {
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

    private func read(to room: UnsafeMutablePointer<UInt8>) throws(EventFileReadError) -> Int {
        let room = UnsafeMutableRawBufferPointer(start: room, count: Self.readBytes)
        do throws(FileSystemError) {
            return try fileSystem.retrying { () throws(FileSystemError) in
                isSeekable
                    ? try fileSystem.read(into: room, from: descriptor, at: readOffset)
                    : try fileSystem.readNext(into: room, from: descriptor)
            }
        } catch {
            throw EventFileReadError(error, path: path, offset: readOffset)
        }
    }

    /// Moves the window's beginning on.
    func consume(_ count: Int) {
        precondition(count <= buffer.count - start)
        start += count
    }

    /// Moves the window's beginning back, as far as the input allows; says whether it got there.
    func rewind(to offset: Int64) -> Bool {
        let back = self.offset - offset
        if back >= 0, back <= Int64(start) {
            start -= Int(back)
            return true
        }
        guard isSeekable, back >= 0 else { return false }
        buffer.removeAll()
        start = 0
        readOffset = offset
        isAtEnd = false
        return true
    }

    /// Looks whether a file has grown since its end was found, as one that is being written does; says whether it has.
    func grow() throws(EventFileReadError) -> Bool {
        guard isSeekable, isAtEnd else { return false }
        let before = readOffset
        isAtEnd = false
        try fill(bytes.count + 1)
        return readOffset > before
    }
}

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Basics

/// The file `.uploading`. Whoever holds its lock is the only one who sends segments from the folder, or changes what may have been sent.
///
/// It holds a journal of the segments whose upload was begun and not answered: a line `+name` before the request, a line `-name` after the
/// answer. A name that is still there may have arrived at the destination.
package final class UploadLock {
    package static let name = ".uploading"
    /// A journal beyond is not read: nothing of ours gets so large.
    private static let maxBytes: Int64 = 16 * 1_048_576

    package enum Taking {
        case taken(UploadLock)
        /// Another process or another uploader has it.
        case held
        case missing
    }

    private let folder: EventFolder
    private let file: FileDescriptor
    /// The end of the last whole line.
    private var offset: Int64 = 0
    /// Names of segments that may have arrived without an answer.
    package private(set) var unanswered: Set<String> = []

    private init(_ file: FileDescriptor, in folder: EventFolder) throws(FileSystemError) {
        self.folder = folder
        self.file = file
        try read()
    }

    /// Tries to take the lock, without waiting.
    ///
    /// - Parameter makes: whether the file is made where it is missing.
    package static func take(in folder: EventFolder, making makes: Bool) throws(FileSystemError) -> Taking {
        var file: FileDescriptor?
        if makes { file = try folder.createLocked(name) }
        if file == nil {
            guard let status = try folder.status(name) else { return .missing }
            // A link or a folder under this name keeps uploaders away, too, but nobody holds it.
            guard status.kind == .regular else { return makes ? .held : .missing }
            guard case .taken(let opened, _) = try folder.takeOver(name) else { return .held }
            file = opened
        }
        guard let file else { return .held }
        do throws(FileSystemError) {
            return .taken(try UploadLock(file, in: folder))
        } catch {
            folder.fileSystem.close(file)
            throw error
        }
    }

    /// Lets go of the lock.
    package func release() { folder.fileSystem.close(file) }

    /// Notes that a segment is about to be sent. Survives a power loss when this returns.
    package func begin(_ segment: String) throws(FileSystemError) {
        if unanswered.contains(segment) { return }
        try append("+\(segment)\n")
        try folder.call(Self.name) { files throws(FileSystemError) in try files.synchronize(file) }
        unanswered.insert(segment)
    }

    /// Notes that it is known what became of a segment.
    package func end(_ segment: String) throws(FileSystemError) {
        guard unanswered.contains(segment) else { return }
        if unanswered.count == 1 {
            try folder.call(Self.name) { files throws(FileSystemError) in try files.truncate(file, to: 0) }
            offset = 0
        } else {
            try append("-\(segment)\n")
        }
        unanswered.remove(segment)
    }

    private func append(_ line: String) throws(FileSystemError) {
        let bytes = ByteBuffer(capacity: line.utf8.count)
        bytes.append(line.utf8)
        do throws(FileSystemError) {
            try folder.fileSystem.writeAll(bytes.raw, to: file, at: offset)
        } catch {
            throw error.naming(Self.name)
        }
        offset += Int64(bytes.count)
    }

    private func read() throws(FileSystemError) {
        let size = try folder.call(Self.name) { files throws(FileSystemError) in try files.status(of: file) }.bytes
        guard size > 0, size <= Self.maxBytes else { return }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(size), alignment: 1)
        defer { memory.deallocate() }
        let count: Int
        do throws(FileSystemError) {
            count = try folder.fileSystem.readAll(into: memory, from: file, at: 0)
        } catch {
            throw error.naming(Self.name)
        }
        let bytes = memory[..<count]
        // What follows the last line feed was being written when its process was killed: the request had not been made.
        guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return }
        offset = Int64(last) + 1
        for line in bytes[...last].split(separator: UInt8(ascii: "\n")) {
            let name = String(decoding: line.dropFirst(), as: UTF8.self)
            if line.first == UInt8(ascii: "+") { unanswered.insert(name) } else { unanswered.remove(name) }
        }
    }
}

import Basics

/// The file `.uploading`. Whoever holds its lock is the only one who sends segments from the folder, or changes what may have been sent.
///
/// It holds a journal of the segments whose upload was begun and not answered: a line `+name` before the request, a line `-name` after the
/// answer. A name that is still there may have arrived at the destination.
package final class UploadLock {
    package static let name = ".uploading"

    package enum Taking {
        case taken(UploadLock)
        /// Another process or another uploader has it.
        case held
        case missing
    }

    private let folder: EventFolder
    private let file: FileDescriptor
    private var journal: LineJournal
    /// Whether the file's name survives a power loss, as what stands in it does.
    private var isNameSafe = false
    /// Names of segments that may have arrived without an answer.
    package private(set) var unanswered: Set<String> = []

    private init(_ file: FileDescriptor, in folder: EventFolder) throws(FileSystemError) {
        self.folder = folder
        self.file = file
        journal = LineJournal(Self.name, file, in: folder)
        for line in try journal.read() {
            let segment = String(line.dropFirst())
            if line.first == "+" { unanswered.insert(segment) } else { unanswered.remove(segment) }
        }
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
        try journal.append("+\(segment)\n")
        try journal.synchronize()
        if !isNameSafe {
            // Whoever made the file may have been killed before its name was on the storage.
            try folder.synchronize()
            isNameSafe = true
        }
        unanswered.insert(segment)
    }

    /// Notes that it is known what became of a segment.
    package func end(_ segment: String) throws(FileSystemError) {
        guard unanswered.contains(segment) else { return }
        if unanswered.count == 1 {
            try journal.removeAll()
        } else {
            try journal.append("-\(segment)\n")
        }
        unanswered.remove(segment)
    }
}

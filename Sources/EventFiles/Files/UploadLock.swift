/// The file `.uploading`. Whoever holds its lock is the only one who sends segments from the folder, or changes what may have been sent.
///
/// It holds a journal of segments whose upload was begun and not answered: a line `+name` before the request, `-name` after the answer.
/// Without `-name`, a segment may have arrived. A line `?name` says that the destination does not show it. Answered lines become blank.
package final class UploadLock {
    package static let name = ".uploading"
    static let newName = ".uploading.new"
    /// The journal is replaced by a new one once it is longer than the sum of this and twice the new one's length.
    private static let compactionBytes: Int64 = 64 * 1024

    package enum Taking {
        case taken(UploadLock)
        /// Another process or another uploader has it.
        case held
        case missing
    }

    private var journal: LineJournal
    /// Whether the file's name is synced, so that it survives a power loss as the contents do.
    private var isNameSafe = false
    package private(set) var unanswered: Set<String> = []
    private(set) var unconfirmed: Set<String> = []

    private init(_ file: FileDescriptor, in folder: EventFolder) throws(FileSystemError) {
        journal = LineJournal(name: Self.name, file: file, folder: folder)
        for line in try journal.read() {
            let segment = String(line.dropFirst())
            switch line.first {
            case "+": unanswered.insert(segment)
            case "?": unconfirmed.insert(segment)
            default:
                unanswered.remove(segment)
                unconfirmed.remove(segment)
            }
        }
    }

    /// The ``unconfirmed`` segments of a folder. Reading needs no lock: whoever holds it adds whole lines.
    static func unconfirmed(in folder: EventFolder) throws(FileSystemError) -> Set<String> {
        guard try folder.status(name)?.kind == .regular else { return [] }
        let file = try folder.open(name)
        defer { folder.fileSystem.close(file) }
        return try UploadLock(file, in: folder).unconfirmed
    }

    /// Tries to take the lock, without waiting. Makes the file if it is missing and `makes` allows it.
    package static func take(in folder: EventFolder, making makes: Bool) throws(FileSystemError) -> Taking {
        var file = makes ? try folder.createLocked(name) : nil
        if file == nil {
            guard let status = try folder.status(name) else { return .missing }
            // A link or a folder under this name keeps uploaders away, too, but nobody holds a lock.
            guard status.kind == .regular else { return makes ? .held : .missing }
            file = try folder.takeOver(name)?.file
        }
        guard let file else { return .held }
        return try folder.keeping(file) { () throws(FileSystemError) in try UploadLock(file, in: folder) }.map { .taken($0) } ?? .held
    }

    package func release() { journal.close() }

    /// Notes that a segment is about to be sent. Survives a power loss when this returns.
    package func begin(_ segment: String) throws(FileSystemError) {
        if unanswered.contains(segment) { return }
        try journal.append("+\(segment)\n")
        try journal.synchronize()
        if !isNameSafe {
            // Whoever made the file may have been killed before its name was on the storage.
            try journal.folder.synchronize()
            isNameSafe = true
        }
        unanswered.insert(segment)
    }

    /// Notes that a destination does not show whether it has a segment, which stays unanswered.
    package func leaveUnconfirmed(_ segment: String) throws(FileSystemError) {
        if unconfirmed.contains(segment) { return }
        try journal.append("?\(segment)\n")
        unconfirmed.insert(segment)
    }

    package func end(_ segment: String) throws(FileSystemError) {
        guard unanswered.contains(segment) else { return }
        if unanswered.count == 1 { try journal.removeAll() } else { try journal.append("-\(segment)\n") }
        unanswered.remove(segment)
        unconfirmed.remove(segment)
        // If this fails, the journal is merely longer, and the next call tries again.
        try? compact()
    }

    /// Writes the segments that the journal still names into a new one, once the journal has grown long.
    private func compact() throws(FileSystemError) {
        let text = unanswered.sorted().map { unconfirmed.contains($0) ? "+\($0)\n?\($0)\n" : "+\($0)\n" }.joined()
        guard journal.offset > Self.compactionBytes + 2 * Int64(text.utf8.count) else { return }
        let new = try LineJournal.replacing(Self.name, through: Self.newName, with: text, in: journal.folder)
        journal.close()
        (journal, isNameSafe) = (new, false)
    }
}

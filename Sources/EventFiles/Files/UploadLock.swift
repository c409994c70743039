/// The file `.uploading`. Whoever holds its lock is the only one who sends segments from the folder, or changes what may have been sent.
///
/// It holds a journal of the segments whose upload was begun and not answered: a line `+name` before the request, a line `-name` after the
/// answer. A name that is still there may have arrived at the destination. A line `?name` says that nobody could ask whether it did.
package final class UploadLock {
    package static let name = ".uploading"
    static let newName = ".uploading.new"
    /// The journal is written anew once it is longer than this plus twice what it has to say.
    private static let compactionBytes: Int64 = 64 * 1024

    package enum Taking {
        case taken(UploadLock)
        /// Another process or another uploader has it.
        case held
        case missing
    }

    private var journal: LineJournal
    /// Whether the file's name survives a power loss, as what stands in it does.
    private var isNameSafe = false
    /// Names of segments that may have arrived without an answer.
    package private(set) var unanswered: Set<String> = []

    /// The unanswered ones that the destination does not show.
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

    /// The segments in a folder that a destination may have and does not show. The lock is not needed: whoever holds it adds whole lines.
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
            // A link or a folder under this name keeps uploaders away, too, but nobody holds it.
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
        if !unconfirmed.insert(segment).inserted { return }
        try journal.append("?\(segment)\n")
    }

    package func end(_ segment: String) throws(FileSystemError) {
        guard unanswered.contains(segment) else { return }
        if unanswered.count == 1 { try journal.removeAll() } else { try journal.append("-\(segment)\n") }
        unanswered.remove(segment)
        unconfirmed.remove(segment)
        // The journal is right without this, and the next end tries again.
        try? compact()
    }

    /// Writes what the journal says into a new one, once most of it has been answered.
    private func compact() throws(FileSystemError) {
        let text = unanswered.sorted().map { unconfirmed.contains($0) ? "+\($0)\n?\($0)\n" : "+\($0)\n" }.joined()
        guard journal.offset > Self.compactionBytes + 2 * Int64(text.utf8.count) else { return }
        let new = try LineJournal.replacing(Self.name, through: Self.newName, with: text, in: journal.folder)
        journal.close()
        (journal, isNameSafe) = (new, false)
    }
}

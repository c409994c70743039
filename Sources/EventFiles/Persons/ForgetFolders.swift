import Basics

/// The folders with files to look at, held and locked, and the paths of these files.
struct ForgetFolders {
    struct Folder {
        let path: String
        let folder: EventFolder
        /// The uploader's lock of the folder, or of the folder around a hidden one; `nil` in a preview, if there is no lock file.
        let lock: UploadLock?
        /// Whether it is a hidden folder inside a folder of event files.
        let isInside: Bool
        /// The names of the files, without `.open`, that are meant; `nil` if all of the folder is.
        let segments: Set<String>?

        func isMeant(_ segment: String) -> Bool { segments?.contains(segment) ?? true }
    }

    private static let inside = [SentFolder.name, PendingFolder.name]

    private let fileSystem: any FileSystem
    private let changes: Bool
    /// The paths of the files to look at, those in hidden folders last.
    private(set) var files: [String] = []
    /// The rings of writers; `contents` is `nil` if a ring cannot be read.
    private(set) var rings: [(path: String, contents: RingContents?)] = []
    /// Folders whose lock somebody else holds: an uploader or another forgetting.
    private(set) var inUse: [String] = []
    private var held: [String: Folder] = [:]
    /// Folders that had no lock file before.
    private var madeLocks: [String] = []
    private var marked: Set<String> = []
    /// Folders that already had the mark of an unfinished run.
    private var wereMarked: Set<String> = []

    /// - Parameter changes: whether files will be changed. If so, missing lock files are made.
    init(_ paths: [String], changes: Bool, on fileSystem: any FileSystem) throws {
        (self.fileSystem, self.changes) = (fileSystem, changes)
        let reader = try EventFileReader(paths: paths, fileSystem: fileSystem)
        let withFiles = Set(reader.files.map { FilePath($0.path).folder })
        let whole = Set(reader.folders)
        do {
            for path in withFiles.union(whole).sorted() {
                try hold(path, isWhole: whole.contains(path), hasFiles: withFiles.contains(path), reader)
            }
            // The rings are read before the files are listed: a line that leaves a ring in between is then found in a file.
            for folder in whole.sorted().flatMap({ [$0, FilePath(folder: $0, name: PendingFolder.name).text] }) {
                rings += try RingContents.all(inside: folder, on: fileSystem)
            }
            // The files are listed again under the locks: now no uploader moves them to `.sent/`.
            files = try EventFileReader(paths: paths, fileSystem: fileSystem).files.map(\.path)
            for path in whole.sorted() { try addHidden(of: path) }
        } catch {
            release()
            throw error
        }
    }

    private mutating func hold(_ path: String, isWhole: Bool, hasFiles: Bool, _ reader: EventFileReader) throws(FileSystemError) {
        let folder = try EventFolder.holding(FilePath(folder: path, name: ""), on: fileSystem)
        // A folder with neither event files nor other files of this package gets no lock file.
        let ours = Self.inside + [Quarantine.folderName]
        func isOurs(_ name: String) -> Bool {
            SegmentName.parse(name) != nil || Folder.segment(ofLeftover: name) != nil || ours.contains(name)
        }
        if !hasFiles, try !folder.names().contains(where: isOurs) { return }
        let isNew = try folder.status(UploadLock.name) == nil
        var lock: UploadLock?
        switch try UploadLock.take(in: folder, making: changes) {
        case .taken(let taken): lock = taken
        case .missing: break
        case .held:
            inUse.append(path)
            return
        }
        if isNew, lock != nil { madeLocks.append(path) }
        let names = reader.files.lazy.map { FilePath($0.path) }.filter { $0.folder == path }.map(\.name)
        let named = names.map { $0.droppingLastBytes(".open") ?? $0 }
        held[path] = Folder(path: path, folder: folder, lock: lock, isInside: false, segments: isWhole ? nil : Set(named))
        if try folder.status(ForgetMark.name) != nil {
            marked.insert(path)
            wereMarked.insert(path)
        }
    }

    private mutating func addHidden(of path: String) throws(FileSystemError) {
        guard let outer = held[path] else { return }
        for name in Self.inside {
            guard let folder = try outer.folder.existingFolder(name) else { continue }
            let inside = FilePath(folder: path, name: name).text
            held[inside] = Folder(path: inside, folder: folder, lock: outer.lock, isInside: true, segments: nil)
            for fileName in try folder.names().sorted() {
                guard let (segment, state) = SegmentName.parse(fileName), state == .sealed || state == .open else { continue }
                if segment.contents == .events, try folder.isFile(fileName) { files.append(FilePath(folder: inside, name: fileName).text) }
            }
        }
    }

    /// The folder of a file; `nil` if it is not held, as when an uploader or another forgetting has its lock.
    func folder(of path: FilePath) -> Folder? { held[path.folder] }

    var isEmpty: Bool { held.isEmpty && inUse.isEmpty }

    var all: [Folder] { held.values.sorted { $0.path < $1.path } }

    /// The ids and sessions that unfinished runs noted: those runs may have removed the lines that name them.
    func known() throws(FileSystemError) -> (owners: [ExactText: ExactText], sessions: Set<Fingerprint>) {
        var (owners, sessions): ([ExactText: ExactText], Set<Fingerprint>) = ([:], [])
        try forEachMark(in: marked) { mark throws(FileSystemError) in
            owners.merge(mark.owners) { first, _ in first }
            sessions.formUnion(mark.sessions)
        }
        return (owners, sessions)
    }

    private func forEachMark(in paths: Set<String>, _ body: (ForgetMark) throws(FileSystemError) -> Void) throws(FileSystemError) {
        for path in paths.sorted() {
            guard let folder = held[path]?.folder, let mark = try ForgetMark(in: folder) else { continue }
            defer { mark.close() }
            try body(mark)
        }
    }

    /// Notes in every folder who is about to be forgotten there. The note survives a power loss when this returns.
    mutating func mark(_ person: PersonIDs, sessions: Set<Fingerprint>) throws(FileSystemError) {
        for folder in all where !folder.isInside {
            marked.insert(folder.path)
            try ForgetMark.add(person, sessions: sessions, in: folder.folder)
        }
    }

    /// Removes the person from the marks. If only some files of a folder were looked at, the mark of an unfinished run stays.
    func finish(_ person: PersonIDs) throws(FileSystemError) {
        let done = marked.filter { held[$0]?.segments == nil || !wereMarked.contains($0) }
        try forEachMark(in: done) { mark throws(FileSystemError) in try mark.end(person) }
    }

    mutating func release() {
        for folder in held.values where !folder.isInside {
            if madeLocks.contains(folder.path) { try? folder.folder.remove(UploadLock.name) }
            folder.lock?.release()
        }
        held = [:]
    }
}

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
        fileprivate(set) var segments: Set<String>?

        func isMeant(_ segment: String) -> Bool { segments?.contains(segment) ?? true }
    }

    private static let inside = [SentFolder.name, PendingFolder.name]
    private static let ours = inside + [Quarantine.folderName, ForgetMark.name]

    private let fileSystem: any FileSystem
    private let changes: Bool
    /// The files to look at, those in hidden folders last.
    private(set) var files: [InputFile] = []
    /// The rings of writers; `contents` is `nil` if a ring cannot be read.
    private(set) var rings: [(path: String, contents: RingContents?)] = []
    /// Folders whose lock somebody else holds: an uploader or another forgetting.
    private(set) var inUse: [String] = []
    /// Links to folders that are not read, so that what is in these stays.
    let linked: [String]
    /// Whether there is nothing that could be a person's.
    private(set) var isEmpty: Bool
    private var held: [ExactText: Folder] = [:]
    /// The path under which each folder is held, by the folder and by the other paths that lead to it.
    private var paths: [FileStatus.Identity: ExactText] = [:]
    private var spellings: [ExactText: ExactText] = [:]
    /// Folders with neither event files nor other files of this package, which are only looked at. None stays open: there may be thousands.
    private(set) var bare: [String] = []
    private var madeLocks: Set<ExactText> = []
    /// Folders with a mark, and whether it is that of an unfinished run.
    private var marked: [ExactText: Bool] = [:]

    /// - Parameter changes: whether files will be changed. If so, missing lock files are made.
    init(_ paths: [String], changes: Bool, on fileSystem: any FileSystem) throws {
        let reader = try EventFileReader(paths: paths, fileSystem: fileSystem)
        (self.fileSystem, self.changes, linked, isEmpty) = (fileSystem, changes, reader.linkedFolders, reader.unnameable.isEmpty)
        let files = Dictionary(grouping: reader.files.lazy.map { FilePath($0.path) }) { ExactText($0.folder) }
        let whole = Set(reader.folders.map { ExactText($0) })
        do {
            // A folder comes before files in it, which another path may name.
            for path in whole.sorted() + files.keys.filter({ !whole.contains($0) }).sorted() {
                try hold(path, isWhole: whole.contains(path), naming: (files[path] ?? []).map(\.name))
            }
            // The rings are read before the files are listed: a line that leaves a ring in between is then found in a file.
            for folder in whole.sorted().flatMap({ [$0.text, FilePath(folder: $0.text, name: PendingFolder.name).text] }) {
                rings += try RingContents.all(inside: folder, on: fileSystem)
            }
            // The files are listed again under the locks: now no uploader moves them to `.sent/`.
            let again = try EventFileReader(paths: paths, fileSystem: fileSystem).withHiddenFolders()
            // A file that was left out holds the lines, too, until a recovery removes it.
            self.files = again.files + (try again.leftOut.map { InputFile(path: $0, status: try fileSystem.statusToRead($0)) })
            // A file that goes before it is read is no error.
            for index in self.files.indices { self.files[index].wasNamed = false }
            for outer in all where outer.segments == nil {
                for name in Self.inside {
                    guard let folder = try outer.folder.existingFolder(name) else { continue }
                    let path = FilePath(folder: outer.path, name: name).text
                    held[ExactText(path)] = Folder(path: path, folder: folder, lock: outer.lock, isInside: true, segments: nil)
                }
            }
        } catch {
            release()
            throw error
        }
    }

    private mutating func hold(_ path: ExactText, isWhole: Bool, naming names: [String]) throws {
        let folder = try EventFolder.holding(FilePath(folder: path.text, name: ""), on: fileSystem)
        let identity = try folder.status(of: folder.descriptor, named: path.text).identity
        let named = Set(names.map { $0.droppingLastBytes(".open") ?? $0 })
        // Two paths may lead to one folder. Its lock could not be taken twice.
        if let other = paths[identity] {
            spellings[path] = other
            held[other]?.segments?.formUnion(named)
            return
        }
        paths[identity] = path
        let isNew = try folder.status(UploadLock.name) == nil
        var lock: UploadLock?
        let hasOurs = try folder.names().contains {
            SegmentName.parse($0) != nil || Folder.segment(ofLeftover: $0) != nil || Self.ours.contains($0)
        }
        if !hasOurs && names.isEmpty { return bare.append(path.text) }
        isEmpty = false
        switch try Self.naming(folder, { try UploadLock.take(in: folder, making: changes) }) {
        case .taken(let taken): lock = taken
        case .missing where !changes: break
        case .missing, .held: return inUse.append(path.text)
        }
        if isNew, lock != nil { madeLocks.insert(path) }
        held[path] = Folder(path: path.text, folder: folder, lock: lock, isInside: false, segments: isWhole ? nil : named)
        if try folder.status(ForgetMark.name) != nil { marked[path] = true }
    }

    /// The folder of a file; `nil` if it is not held, as when an uploader or another forgetting has its lock.
    func folder(of path: FilePath) -> Folder? { held[spellings[ExactText(path.folder)] ?? ExactText(path.folder)] }

    /// One of ``bare``; `nil` if it is gone meanwhile.
    func open(bare path: String) throws(FileSystemError) -> Folder? {
        try allowing([ENOENT]) { () throws(FileSystemError) in
            let folder = try EventFolder.holding(FilePath(folder: path, name: ""), on: fileSystem)
            return Folder(path: path, folder: folder, lock: nil, isInside: false, segments: nil)
        }
    }

    var all: [Folder] { held.sorted { $0.key < $1.key }.map(\.value) }

    /// The ids and sessions that unfinished runs noted: those runs may have removed the lines that name them.
    func known() throws -> (ids: [String], owners: [ExactText: ExactText], sessions: Set<Fingerprint>) {
        var (ids, owners, sessions): ([String], [ExactText: ExactText], Set<Fingerprint>) = ([], [:], [])
        try forEachMark(in: Array(marked.keys)) { mark in
            ids += mark.ids.map(\.text)
            owners.merge(mark.owners) { first, _ in first }
            sessions.formUnion(mark.sessions)
        }
        return (ids, owners, sessions)
    }

    private func forEachMark(in paths: [ExactText], _ body: (ForgetMark) throws -> Void) throws {
        for path in paths.sorted() {
            guard let folder = held[path]?.folder, let mark = try ForgetMark(in: folder) else { continue }
            defer { mark.close() }
            try Self.naming(folder) { try body(mark) }
        }
    }

    /// Notes in every folder who is about to be forgotten there. The note survives a power loss when this returns.
    mutating func mark(_ person: PersonIDs, sessions: Set<Fingerprint>) throws {
        for folder in all where !folder.isInside && folder.lock != nil {
            marked[ExactText(folder.path)] = marked[ExactText(folder.path)] ?? false
            try Self.naming(folder.folder) { try ForgetMark.add(person, sessions: sessions, in: folder.folder) }
        }
    }

    /// Removes the person from the marks. If only some files of a folder were looked at, the mark of an unfinished run stays.
    func finish(_ person: PersonIDs) throws {
        try forEachMark(in: marked.filter { held[$0.key]?.segments == nil || !$0.value }.map(\.key)) { try $0.end(person) }
    }

    mutating func release() {
        for (path, folder) in held where !folder.isInside {
            if madeLocks.contains(path) { try? folder.folder.remove(UploadLock.name) }
            folder.lock?.release()
        }
        held = [:]
    }

    /// Runs `body`, and puts a folder's path before the name of the file in its error: a run works in many folders.
    static func naming<Result>(_ folder: EventFolder, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as FileSystemError where !error.path.contains("/") && !error.path.isExactly(folder.path) {
            throw FileSystemError(error.call, errno: error.errno, path: FilePath(folder: folder.path, name: error.path).text)
        }
    }
}

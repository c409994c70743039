import Basics

/// Turns paths, folders and patterns into the list of files to read.
struct InputListing {
    static func isEventFile(_ name: String) -> Bool { !name.isHiddenName && EventFileEndings.all.contains(where: name.endsWithBytes) }

    private(set) var files: [InputFile] = []
    private(set) var leftOut: [String] = []
    private(set) var unnameable: [String] = []
    private var links: [(path: String, target: FileStatus.Identity)] = []
    /// Links to folders that are listed by no other path either.
    var linkedFolders: [String] { links.filter { !known.contains($0.target) }.map(\.path).sorted() }
    private(set) var folders: [String] = []
    /// Whether a path was a pattern, or a path or a link leads to nothing yet: a file may come with no change in ``folders``.
    private(set) var isOpenEnded = false
    /// The files and folders that are listed, so that one to which two paths lead is read once.
    private var known: Set<FileStatus.Identity> = []

    private let fileSystem: any FileSystem
    /// Whether paths that lead to nothing, and patterns that nothing fits, are no error.
    private let mayMiss: Bool

    init(_ paths: [String], mayMiss: Bool = false, on fileSystem: any FileSystem) throws(EventFileReadError) {
        (self.fileSystem, self.mayMiss) = (fileSystem, mayMiss)
        for path in paths { try add(path) }
        folders.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        chooseBetweenSealedAndOpen()
    }

    private mutating func add(_ path: String) throws(EventFileReadError) {
        if path == "-" {
            if !files.contains(where: \.isStandardInput) { files.append(InputFile(path: path)) }
            return
        }
        if let status = try fileSystem.statusToRead(path) { return try add(path, status, wasNamed: true) }
        // Its writer may have sealed it.
        if Self.isEventFile(FilePath(path).name), let sealed = path.droppingLastBytes(".open"),
            let status = try fileSystem.statusToRead(sealed)
        {
            return try add(sealed, status, wasNamed: true)
        }
        // A name may hold these characters; it is a pattern only where no such name exists.
        let isPattern = path.utf8.contains(where: { "*?[".utf8.contains($0) })
        let matches = isPattern ? try matches(of: path) : []
        if matches.isEmpty && !mayMiss { throw isPattern ? .noMatch(pattern: path) : .noSuchPath(path) }
        isOpenEnded = true
        for match in matches { try add(match.path, match.status, wasNamed: false) }
    }

    private mutating func add(_ path: String, _ status: FileStatus, wasNamed: Bool) throws(EventFileReadError) {
        switch status.kind {
        case .folder: try addFolder(path)
        case .regular:
            // A shell replaces `*` by all names, those of summaries among them.
            if let file = path.droppingLastBytes(SegmentSummary.ending), Self.isEventFile(FilePath(file).name) { return }
            guard known.insert(status.identity).inserted else { return }
            files.append(InputFile(path: path, status: status, wasNamed: wasNamed))
        case .stream:
            // A pipe among a pattern's matches is an accident, and reading it could wait for ever.
            if wasNamed { files.append(InputFile(path: path)) }
        case .link, .other: if wasNamed { throw .notReadable(path: path) }
        }
    }

    /// Adds the event files of a folder and its sub-folders, sorted by path. Links to folders are not followed: they could lead in circles.
    private mutating func addFolder(_ path: String) throws(EventFileReadError) {
        var found: [(path: String, status: FileStatus)] = []
        var rest = [FilePath(folder: path, name: "").folder]
        while let folder = rest.popLast() {
            if let status = try fileSystem.statusToRead(folder), !known.insert(status.identity).inserted { continue }
            folders.append(folder)
            try reading(folder) { () throws(FileSystemError) in
                try forEachEntry(of: folder) { entry, descriptor throws(FileSystemError) in
                    let isEventFile = Self.isEventFile(entry.name)
                    guard isEventFile || [.folder, .link].contains(entry.kind) && !entry.name.isHiddenName else { return }
                    let path = FilePath(folder: folder, name: entry.name).text
                    if !isEventFile && entry.kind == .link && (try? status(of: entry, at: path, in: descriptor))?.kind != .folder { return }
                    // One name that is not UTF-8 must not keep all others from being read.
                    if !entry.isNameable { return unnameable.append(path) }
                    if entry.kind == .folder { return rest.append(path) }
                    let target = try status(of: entry, at: path, in: descriptor)
                    // A target that comes later does not change the link's folder.
                    if target == nil && entry.kind == .link { isOpenEnded = true }
                    if let target, target.kind == .regular, isEventFile { found.append((path, target)) }
                    if let target, target.kind == .folder { links.append((path, target.identity)) }
                }
            }
        }
        found.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        for file in found { try add(file.path, file.status, wasNamed: false) }
    }

    private func forEachEntry(
        of folder: String, _ body: (FolderEntry, FileDescriptor) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        let opened = try allowing([ENOENT, ENOTDIR]) { () throws(FileSystemError) in
            try EventFolder.holding(FilePath(folder: folder, name: ""), on: fileSystem)
        }
        // Somebody may have removed or replaced the folder since it was found.
        guard let held = opened else { return }
        defer { held.close() }
        for entry in try held.call(folder, fileSystem.entries(in: held.descriptor)) { try body(entry, held.descriptor) }
    }

    /// The status of what an entry leads to; `nil` for an entry that is gone, and for a link that leads nowhere.
    private func status(of entry: FolderEntry, at path: String, in folder: FileDescriptor) throws(FileSystemError) -> FileStatus? {
        if entry.kind != .link { return try fileSystem.retrying(fileSystem.status(of: entry.name, in: folder)) }
        return try allowing([ELOOP]) { () throws(FileSystemError) in try fileSystem.retrying(fileSystem.status(atPath: path)) } ?? nil
    }

    /// The paths that fit a pattern, sorted. In a folder that cannot be listed nothing fits, as in a shell.
    private func matches(of pattern: String) throws(EventFileReadError) -> [(path: String, status: FileStatus)] {
        var paths = [pattern.utf8.first == UInt8(ascii: "/") ? "/" : ""]
        for component in pattern.utf8.split(separator: UInt8(ascii: "/")).map({ String(decoding: $0, as: UTF8.self) }) {
            var longer: [String] = []
            for path in paths {
                if !component.utf8.contains(where: { "*?[\\".utf8.contains($0) }) {
                    longer.append(path + component + "/")
                    continue
                }
                var fitting: [FolderEntry] = []
                try? forEachEntry(of: path.isEmpty ? "." : path) { entry, _ in
                    if fnmatch(component, entry.name, FNM_PERIOD) == 0 { fitting.append(entry) }
                }
                if let broken = fitting.first(where: { !$0.isNameable }) { throw .nameNotUTF8(path: path + broken.name) }
                longer += fitting.map { path + $0.name + "/" }
            }
            paths = longer
        }
        let found = paths.compactMap { $0.droppingLastBytes("/") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return found.compactMap { path in (try? fileSystem.statusToRead(path)).map { (path, $0) } }
    }

    /// Keeps one file of a segment that a crash left under both names: the sealed one if it has its end member, else the `.open` one.
    private mutating func chooseBetweenSealedAndOpen() {
        let named = Dictionary(grouping: files.indices) { Array(FilePath(files[$0].path).name.utf8) }
        var dropped: Set<Int> = []
        for index in files.indices {
            guard let sealed = files[index].path.droppingLastBytes(".open") else { continue }
            let folder = identityOfFolder(of: sealed)
            // The two may be listed by different paths to one folder.
            if let other = named[Array(FilePath(sealed).name.utf8)]?.first(where: {
                files[$0].path.utf8.elementsEqual(sealed.utf8) || folder != nil && identityOfFolder(of: files[$0].path) == folder
            }) {
                dropped.insert(endsWithEndMember(files[other].path) ? index : other)
            } else {
                files[index].sealedPath = sealed
            }
        }
        leftOut = dropped.sorted().map { files[$0].path }
        files = files.indices.filter { !dropped.contains($0) }.map { files[$0] }
    }

    private func identityOfFolder(of path: String) -> FileStatus.Identity? {
        (try? fileSystem.statusToRead(FilePath(path).folder))?.identity
    }

    private func endsWithEndMember(_ path: String) -> Bool {
        guard let file = try? fileSystem.retrying(fileSystem.openToRead(atPath: path)) else { return false }
        defer { fileSystem.close(file) }
        return (try? fileSystem.endsWithEndMember(file)) ?? false
    }
}

extension FileSystem {
    /// The status of what a path leads to; `nil` if nothing is there.
    func statusToRead(_ path: String) throws(EventFileReadError) -> FileStatus? {
        try reading(path) { () throws(FileSystemError) in try retrying(status(atPath: path)) }
    }
}

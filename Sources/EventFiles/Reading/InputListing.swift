import Basics

/// Turns paths, folders and patterns into the list of files to read.
///
/// It asks the system itself: ``FileSystem`` knows no patterns and follows no links, and names that are not UTF-8 must be seen as bytes.
struct InputListing {
    /// What a folder's event files are called.
    private static let suffixes = [".ndjson.gz", ".ndjson.gz.open", ".ndjson", ".jsonl", ".jsonl.gz"]

    /// Whether a folder stands for a file of this name, unless it is hidden.
    static func isEventFile(_ name: String) -> Bool { !name.isHiddenName && suffixes.contains(where: name.endsWithBytes) }

    private(set) var files: [InputFile] = []
    private(set) var leftOut: [String] = []
    /// Files and folders whose names are not UTF-8, as they are shown.
    private(set) var unnameable: [String] = []
    /// The folders that were listed, sub-folders too, by path.
    private(set) var folders: [String] = []
    /// Device and inode of what is listed: a file that two paths lead to is read once.
    private var known: Set<[UInt64]> = []

    private let fileSystem: any FileSystem

    init(_ paths: [String], on fileSystem: any FileSystem) throws(EventFileReadError) {
        self.fileSystem = fileSystem
        for path in paths { try add(path) }
        folders.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        chooseBetweenSealedAndOpen()
    }

    private mutating func add(_ path: String) throws(EventFileReadError) {
        if path == "-" {
            if !files.contains(where: \.isStandardInput) { files.append(InputFile(path: path)) }
            return
        }
        var information = stat()
        if stat(path, &information) == 0 {
            try add(path, information, wasNamed: true)
            return
        }
        let error = errno
        guard error == ENOENT || error == ENOTDIR else { throw .system(path: path, call: "stat", errno: error, offset: 0) }
        // A name may hold these characters; it is a pattern only where no such name exists.
        guard path.utf8.contains(where: { "*?[".utf8.contains($0) }) else { throw .noSuchPath(path) }
        let matches = try Self.matches(of: path)
        if matches.isEmpty { throw .noMatch(pattern: path) }
        for match in matches where stat(match, &information) == 0 { try add(match, information, wasNamed: false) }
    }

    private mutating func add(_ path: String, _ information: stat, wasNamed: Bool) throws(EventFileReadError) {
        switch information.st_mode & S_IFMT {
        case S_IFDIR: try addFolder(path)
        case S_IFREG:
            guard known.insert([UInt64(information.st_dev), UInt64(information.st_ino)]).inserted else { return }
            files.append(InputFile(path: path, bytes: Int64(information.st_size), wasNamed: wasNamed))
        case S_IFIFO, S_IFCHR, S_IFSOCK:
            // In a pattern's matches a pipe would be an accident that waits for ever.
            if wasNamed { files.append(InputFile(path: path)) }
        default: if wasNamed { throw .notReadable(path: path) }
        }
    }

    /// Adds the event files of a folder and its sub-folders, by path. Links to files are followed, links to folders are not: they
    /// could lead in circles.
    private mutating func addFolder(_ path: String) throws(EventFileReadError) {
        var found: [(path: String, information: stat)] = []
        var waiting = [path == "/" ? path : path.droppingLastBytes("/") ?? path]
        while let folder = waiting.popLast() {
            folders.append(folder)
            for name in try names(in: folder) where !name.isHiddenName {
                let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
                var information = stat()
                guard lstat(path, &information) == 0 else { continue }
                if information.st_mode & S_IFMT == S_IFDIR {
                    waiting.append(path)
                } else if Self.suffixes.contains(where: name.endsWithBytes), stat(path, &information) == 0,
                    information.st_mode & S_IFMT == S_IFREG
                {
                    found.append((path, information))
                }
            }
        }
        found.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        for file in found { try add(file.path, file.information, wasNamed: false) }
    }

    private mutating func names(in folder: String) throws(EventFileReadError) -> [String] {
        guard let stream = opendir(folder) else { throw .system(path: folder, call: "opendir", errno: errno, offset: 0) }
        defer { closedir(stream) }
        let offset = MemoryLayout<dirent>.offset(of: \.d_name)!
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let bytes = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            if let name = String(validatingCString: bytes) {
                names.append(name)
            } else if Self.mayHoldEvents(bytes, in: dirfd(stream)) {
                // One such name must not keep all others from being read.
                unnameable.append("\(folder)/\(String(cString: bytes))")
            }
        }
        if errno != 0 { throw .system(path: folder, call: "readdir", errno: errno, offset: 0) }
        return names
    }

    /// Whether leaving out this name, which no path can be made of, would leave out events.
    private static func mayHoldEvents(_ name: UnsafePointer<CChar>, in folder: Int32) -> Bool {
        let shown = String(cString: name)
        if shown.isHiddenName { return false }
        if suffixes.contains(where: shown.endsWithBytes) { return true }
        var information = stat()
        return fstatat(folder, name, &information, AT_SYMLINK_NOFOLLOW) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    private static func matches(of pattern: String) throws(EventFileReadError) -> [String] {
        var result = glob_t()
        defer { globfree(&result) }
        let status = glob(pattern, GLOB_NOSORT, nil, &result)
        if status == GLOB_NOMATCH { return [] }
        guard status == 0 else { throw .system(path: pattern, call: "glob", errno: errno, offset: 0) }
        var paths: [String] = []
        for place in 0..<Int(result.gl_pathc) {
            guard let bytes = result.gl_pathv[place] else { continue }
            guard let path = String(validatingCString: bytes) else { throw .nameNotUTF8(path: String(cString: bytes)) }
            // `.*` fits the folder itself and the one above, which nobody means by it.
            let isWritten = pattern.endsWithBytes("/.") || pattern.endsWithBytes("/..")
            if !isWritten, [".", ".."].contains(where: { fileName(path).elementsEqual($0.utf8) }) { continue }
            paths.append(path)
        }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Where a crash between two steps of sealing left a segment under both names, it counts once: as the sealed file if that has its
    /// end member.
    private mutating func chooseBetweenSealedAndOpen() {
        let places = Dictionary(grouping: files.indices) { Array(Self.fileName(files[$0].path)) }
        var dropped: Set<Int> = []
        for index in files.indices {
            guard let sealed = files[index].path.droppingLastBytes(".open") else { continue }
            let folder = Self.folderIdentity(of: sealed)
            // The two may be listed by different paths to one folder.
            if let other = places[Array(Self.fileName(sealed))]?.first(where: {
                files[$0].path.utf8.elementsEqual(sealed.utf8) || !folder.isEmpty && Self.folderIdentity(of: files[$0].path) == folder
            }) {
                dropped.insert(endsWithEndMember(files[other].path) ? index : other)
            } else {
                files[index].sealedPath = sealed
            }
        }
        guard !dropped.isEmpty else { return }
        leftOut = dropped.sorted().map { files[$0].path }
        files = files.indices.filter { !dropped.contains($0) }.map { files[$0] }
    }

    private static func fileName(_ path: String) -> Substring.UTF8View.SubSequence {
        path.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring().utf8
    }

    /// Device and inode of the folder that a file lies in.
    private static func folderIdentity(of path: String) -> [UInt64] {
        let folder = String(decoding: path.utf8.dropLast(fileName(path).count), as: UTF8.self)
        var information = stat()
        guard stat(folder.isEmpty ? "." : folder, &information) == 0 else { return [] }
        return [UInt64(information.st_dev), UInt64(information.st_ino)]
    }

    private func endsWithEndMember(_ path: String) -> Bool {
        guard let file = try? fileSystem.retrying({ () throws(FileSystemError) in try fileSystem.openToRead(atPath: path) }) else {
            return false
        }
        defer { fileSystem.close(file) }
        return (try? fileSystem.endsWithEndMember(file)) ?? false
    }
}

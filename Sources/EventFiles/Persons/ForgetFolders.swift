import Basics

/// The folders that a person's files lie in, held and locked, and all files to look at.
struct ForgetFolders {
    /// A folder that is held.
    struct Place {
        let folder: EventFolder
        /// The uploader's lock of the folder, or of the one that a hidden folder is in.
        let lock: UploadLock
        /// Whether it is a hidden folder inside one of event files.
        let isInside: Bool
    }

    private static let inside = [SentFolder.name, PendingFolder.name]

    private let fileSystem: any FileSystem
    /// The files to look at, those of hidden folders behind the others.
    private(set) var files: [String] = []
    /// What waited in the rings of writers; without contents where one cannot be read.
    private(set) var rings: [(path: String, contents: RingContents?)] = []
    private var places: [String: Place] = [:]
    /// Lock files that were not there before.
    private var madeLocks: [String] = []
    /// Folders that have the mark.
    private var marked: Set<String> = []

    init(_ paths: [String], on fileSystem: any FileSystem) throws {
        self.fileSystem = fileSystem
        let reader = try EventFileReader(paths: paths, fileSystem: fileSystem)
        let folders = Set(reader.files.map { FilePath($0.path).folder }).sorted()
        do {
            for folder in folders { try hold(folder) }
            // Before the files are listed: a line that leaves a ring is in a file then.
            for folder in Set(reader.folders).sorted() {
                for place in [folder, FilePath(folder: folder, name: PendingFolder.name).text] {
                    rings += try RingContents.all(inside: place, on: fileSystem)
                }
            }
            // Listed again: nobody moves files to `.sent/` any more.
            files = try EventFileReader(paths: paths, fileSystem: fileSystem).files.map(\.path)
            for folder in folders where paths.contains(where: { !isFile($0) }) { try addHidden(of: folder) }
        } catch {
            release()
            throw error
        }
    }

    private func isFile(_ path: String) -> Bool { SegmentName.parse(FilePath(path).name) != nil }

    private mutating func hold(_ path: String) throws(FileSystemError) {
        let folder = try EventFolder.holding(FilePath(folder: path, name: ""), on: fileSystem)
        do throws(FileSystemError) {
            let isNew = try folder.status(UploadLock.name) == nil
            guard case .taken(let lock) = try UploadLock.take(in: folder, making: true) else {
                folder.close()
                return
            }
            if isNew { madeLocks.append(path) }
            places[path] = Place(folder: folder, lock: lock, isInside: false)
            if try folder.status(EventForgetting.markerName) != nil { marked.insert(path) }
        } catch {
            folder.close()
            throw error
        }
    }

    private mutating func addHidden(of path: String) throws(FileSystemError) {
        guard let place = places[path] else { return }
        for name in Self.inside {
            guard let folder = try place.folder.existingFolder(name) else { continue }
            let inside = FilePath(folder: path, name: name).text
            places[inside] = Place(folder: folder, lock: place.lock, isInside: true)
            for fileName in try folder.names().sorted() {
                guard let (_, state) = SegmentName.parse(fileName), state == .sealed || state == .open,
                    try folder.status(fileName)?.kind == .regular
                else { continue }
                files.append(FilePath(folder: inside, name: fileName).text)
            }
        }
    }

    /// The folder of a file; `nil` if an uploader is at work on it.
    func folder(of path: FilePath) -> Place? { places[path.folder] }

    /// Whose the anonymous ids were that a killed run knew of: it may have removed the lines that said so.
    func knownOwners() throws(FileSystemError) -> [String: String] {
        var owners: [String: String] = [:]
        for path in marked.sorted() {
            guard let folder = places[path]?.folder, let mark = try ForgetMark(in: folder) else { continue }
            defer { mark.close() }
            owners.merge(mark.owners) { first, _ in first }
        }
        return owners
    }

    /// Notes in every folder that files are about to be replaced, and for whom. Survives a power loss when this returns.
    mutating func mark(_ person: PersonIDs) throws(FileSystemError) {
        for (path, place) in places.sorted(by: { $0.key < $1.key }) where !place.isInside {
            marked.insert(path)
            try ForgetMark.add(person, in: place.folder)
        }
    }

    /// Removes what recovery could not read.
    func emptyQuarantine(of path: String) throws(FileSystemError) -> [String] {
        guard let quarantine = try places[path]?.folder.existingFolder(Quarantine.folderName) else { return [] }
        defer { quarantine.close() }
        var removed: [String] = []
        for name in try quarantine.names().sorted() where name.hasSuffix(Quarantine.suffix) {
            guard try quarantine.status(name)?.kind == .regular else { continue }
            try quarantine.remove(name)
            removed.append(FilePath(folder: FilePath(folder: path, name: Quarantine.folderName).text, name: name).text)
        }
        return removed
    }

    /// Notes that nothing is left of the person.
    func finish(_ person: PersonIDs) throws(FileSystemError) {
        for path in marked.sorted() {
            guard let folder = places[path]?.folder, var mark = try ForgetMark(in: folder) else { continue }
            defer { mark.close() }
            try mark.end(person)
        }
    }

    mutating func release() {
        for (path, place) in places where !place.isInside {
            if madeLocks.contains(path) { try? place.folder.remove(UploadLock.name) }
            place.lock.release()
        }
        for place in places.values { place.folder.close() }
        places = [:]
    }
}

/// Lists the same paths again and again. While no folder changes, only the files that were found are looked at.
struct FollowedListing {
    /// How long a folder must be unchanged, in nanoseconds, before its status proves that no name came or went. A second change within the
    /// resolution of the file system's times leaves the same status. The coarsest resolution, FAT's, is 2 s.
    static let settlingNanoseconds: Int64 = 2_500_000_000

    private let paths: [String]
    private let fileSystem: any FileSystem
    private let clock: MonotonicClock
    /// The status of each folder of the last listing, taken before it.
    private var folders: [String: FileStatus] = [:]
    /// Since when the folders have not changed, in nanoseconds of `clock`.
    private var since: Int64 = 0
    /// The files of the last listing, if its folders had been unchanged for long enough before it.
    private var settled: [InputFile]?
    /// Whether all paths led somewhere once. What is missing afterwards may come back.
    private var hasListed = false

    init(paths: [String], fileSystem: any FileSystem, clock: MonotonicClock) {
        (self.paths, self.fileSystem, self.clock) = (paths, fileSystem, clock)
    }

    /// The files that are there, with their status. Lists anew if a folder has changed or a path is a pattern; else asks for each status.
    mutating func next() throws(EventFileReadError) -> [InputFile] {
        let now = clock.nanoseconds
        var current: [String: FileStatus] = [:]
        for folder in folders.keys { current[folder] = try status(ofFolder: folder) }
        if current != folders { (since, settled) = (now, nil) }
        if let settled, let files = try lookAgain(at: settled) { return files }
        settled = nil
        let listing = try InputListing(paths, mayMiss: hasListed, on: fileSystem)
        (hasListed, folders) = (true, [:])
        for folder in listing.folders {
            if let status = current[folder] { folders[folder] = status } else { folders[folder] = try status(ofFolder: folder) }
        }
        if current != folders { since = now }
        let isWhole = folders.count == listing.folders.count && !listing.isOpenEnded
        if isWhole && now - since >= Self.settlingNanoseconds { settled = listing.files }
        return listing.files
    }

    /// The files with their present status; `nil` if one is gone or is another file.
    private func lookAgain(at files: [InputFile]) throws(EventFileReadError) -> [InputFile]? {
        var files = files
        for index in files.indices {
            guard let before = files[index].status else { continue }
            guard let status = try fileSystem.statusToRead(files[index].path), status.kind == before.kind, status.isSameFile(as: before)
            else { return nil }
            files[index].status = status
        }
        return files
    }

    /// The status of a folder; `nil` if it is gone, or a file has its path by now: the dot demands a folder.
    private func status(ofFolder path: String) throws(EventFileReadError) -> FileStatus? { try fileSystem.statusToRead(path + "/.") }
}

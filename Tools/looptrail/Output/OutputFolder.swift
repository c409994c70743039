import Basics

/// A folder that a command writes files into.
enum OutputFolder {
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether the folder holds nothing, not even a hidden file.
    static func isEmpty(_ path: String) throws(SystemError) -> Bool {
        guard let folder = opendir(path) else { throw .current }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != "." && name != ".." { return false }
        }
        return true
    }

    /// Makes the folder, accessible to its owner alone, if it is missing. The folder above it must exist.
    static func make(_ path: String) throws(OutputError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST && isThere(path) { return }
        throw .file(path: path, doing: "make the folder", SystemError(number: errno == EEXIST ? ENOTDIR : errno))
    }
}

/// A path as folder and last name.
struct FilePath {
    /// A path that leads to the folder; `.` if the path names none.
    let folder: String
    let name: String

    init(_ path: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    init(folder: String, name: String) {
        var trimmed = folder
        while trimmed != "/", let shorter = trimmed.droppingLastBytes("/") { trimmed = shorter }
        (self.folder, self.name) = (trimmed, name)
    }

    var text: String { folder == "/" ? "/" + name : folder + "/" + name }
}

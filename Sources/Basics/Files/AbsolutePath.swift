extension String {
    /// This path from the root, so that it leads to the same place after the working folder has changed. Links and an empty path stay.
    package var absolutePath: String {
        guard let first = utf8.first, first != UInt8(ascii: "/"), let folder = getcwd(nil, 0) else { return self }
        defer { free(folder) }
        return String(validatingCString: folder).map { $0 == "/" ? "/" + self : $0 + "/" + self } ?? self
    }
}

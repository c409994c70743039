extension CheckResult.Ring {
    /// The rings with lines in a folder.
    static func all(inside folder: String, on fileSystem: any FileSystem) throws(EventFileReadError) -> [CheckResult.Ring] {
        try RingContents.all(inside: folder, on: fileSystem).compactMap { path, contents in
            guard let contents, !contents.lines.isEmpty else { return nil }
            return CheckResult.Ring(path: path, lines: contents.lines.count)
        }
    }
}

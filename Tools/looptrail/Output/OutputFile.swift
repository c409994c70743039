import Basics

/// The file that `-o` names: written whole or not at all.
///
/// Links are followed, so that they stay links, and the file's mode is kept. Anything but an ordinary file, such as `/dev/null` or a pipe,
/// is written to directly, because a rename would replace it.
enum OutputFile {
    /// Throws before the work begins if `path` is a folder, a link that leads nowhere, or in a folder that takes no new file.
    static func check(_ path: String) throws(OutputError) {
        var status = stat()
        if stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { throw .file(path: path, doing: "write", SystemError(number: EISDIR)) }
            if status.st_mode & S_IFMT != S_IFREG { return }
        } else if lstat(path, &status) == 0 {
            // A new file would replace the link, which nobody asked for.
            throw .file(path: path, doing: "follow the link", SystemError(number: ENOENT))
        }
        let folder = folder(of: resolved(path))
        if access(folder.isEmpty ? "." : folder, W_OK | X_OK) != 0 {
            throw .file(path: path, doing: "make a file beside", .current)
        }
    }

    /// - Throws: ``OutputError``. An ordinary file is unchanged then.
    static func write(_ bytes: [UInt8], to path: String, random: some RandomNumberGenerator) throws(OutputError) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists && status.st_mode & S_IFMT == S_IFDIR {
            throw .file(path: path, doing: "write", SystemError(number: EISDIR))
        }
        if exists && status.st_mode & S_IFMT != S_IFREG { return try writeDirectly(bytes, to: path) }
        let place = exists ? resolved(path) : path
        var random = random
        let temporary = folder(of: place) + ".looptrail-\(String(random.next(), radix: 16)).tmp"
        do {
            try WholeFile.replace(
                place, with: bytes, temporary: temporary, exactMode: exists ? UInt16(status.st_mode & 0o7777) : nil, syncs: true)
        } catch {
            throw .file(path: path, doing: error.step.rawValue, error.error)
        }
    }

    private static func writeDirectly(_ bytes: [UInt8], to path: String) throws(OutputError) {
        let descriptor = uninterrupted { open(path, O_WRONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .file(path: path, doing: "open", .current) }
        defer { close(descriptor) }
        do {
            try DescriptorWriting.writeAll(bytes, to: descriptor)
        } catch {
            throw error.isClosedPipe ? .readerGone : .file(path: path, doing: "write", error)
        }
    }

    /// The path with its links followed, or the path itself if nothing is there yet.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// The part before the last name, with its slash.
    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }
}

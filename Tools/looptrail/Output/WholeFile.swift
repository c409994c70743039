#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes a file whole or not at all: beside its place first, then by rename.
///
/// A link is followed, so that it stays one, and a file's mode is kept. What is no ordinary file, `/dev/null` or a pipe, is
/// written to directly: a rename would replace it.
enum WholeFile {
    /// Whether a file can be made there, as far as can be told before.
    static func check(_ path: String) throws(OutputError) {
        var status = stat()
        if stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { throw .file(path: path, doing: "write", SystemError(number: EISDIR)) }
            if status.st_mode & S_IFMT != S_IFREG { return }
        }
        let folder = folder(of: path)
        if access(folder.isEmpty ? "." : folder, W_OK | X_OK) != 0 {
            throw .file(path: path, doing: "make a file beside", SystemError(number: errno))
        }
    }

    /// - Throws: ``OutputError/file(path:doing:_:)``; the file is then as it was.
    static func write(_ text: String, to path: String, random: some RandomNumberGenerator) throws(OutputError) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists && status.st_mode & S_IFMT == S_IFDIR {
            throw .file(path: path, doing: "write", SystemError(number: EISDIR))
        }
        if exists && status.st_mode & S_IFMT != S_IFREG { return try writeDirectly(text, to: path) }
        let place = exists ? resolved(path) : path
        var random = random
        let temporary = folder(of: place) + ".looptrail-\(String(random.next(), radix: 16)).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .file(path: path, doing: "make a file beside", SystemError(number: errno)) }
        var isDone = false
        defer { if !isDone { unlink(temporary) } }
        if exists { fchmod(descriptor, status.st_mode & 0o7777) }
        do {
            try DescriptorWriter.write(text, to: descriptor)
        } catch {
            close(descriptor)
            throw .file(path: path, doing: "write", error)
        }
        // A full disk can show itself as late as here.
        let synced = fsync(descriptor) == 0 || errno == EINVAL
        let failed = synced ? 0 : errno
        guard close(descriptor) == 0, synced else {
            throw .file(path: path, doing: "write", SystemError(number: synced ? errno : failed))
        }
        guard rename(temporary, place) == 0 else { throw .file(path: path, doing: "replace", SystemError(number: errno)) }
        isDone = true
    }

    private static func writeDirectly(_ text: String, to path: String) throws(OutputError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path: path, doing: "open", SystemError(number: errno)) }
        defer { close(descriptor) }
        do {
            try DescriptorWriter.write(text, to: descriptor)
        } catch {
            throw error.isClosedPipe ? .readerGone : .file(path: path, doing: "write", error)
        }
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// What comes before the last name, its slash included.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}

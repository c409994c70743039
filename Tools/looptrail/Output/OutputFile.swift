import Basics
import EventFiles
import TrackingEvents

/// The file that `-o` names: written whole or not at all.
///
/// Links are followed, so that they stay links, and the file's mode, owner and group are kept. Anything but an ordinary file, such as
/// `/dev/null` or a pipe, is written to directly, because a rename would replace it. So is `/dev/stdout`, which may be a file that the
/// shell appends to.
enum OutputFile {
    /// Throws before the work begins if `path` is a folder, a link that leads nowhere, or in a folder that takes no new file.
    static func check(_ path: String) throws(OutputError) {
        var status = stat()
        if stat(path, &status) == 0 {
            if try isDirect(path, status) { return }
        } else if lstat(path, &status) == 0 {
            // A new file would replace the link, which nobody asked for.
            throw .file(path: path, doing: "follow the link", SystemError(number: ENOENT))
        }
        let folder = folder(of: resolved(path))
        if access(folder.isEmpty ? "." : folder, W_OK | X_OK) != 0 { throw .file(path: path, doing: "make a file beside", .current) }
    }

    /// - Throws: ``OutputError``. An ordinary file is unchanged then.
    static func write(_ bytes: [UInt8], to path: String) throws(OutputError) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, try isDirect(path, status) { return try writeDirectly(bytes, to: path) }
        let place = exists ? resolved(path) : path
        let access = (mode: UInt16(status.st_mode & 0o7777), owner: status.st_uid, group: status.st_gid)
        do {
            try WholeFile.replace(place, with: bytes, temporary: temporary(beside: place), access: exists ? access : nil, syncs: true)
        } catch {
            throw .file(path: path, doing: error.step.rawValue, error.error)
        }
    }

    /// Whether the path is written to directly. Throws for a folder.
    private static func isDirect(_ path: String, _ status: stat) throws(OutputError) -> Bool {
        if status.st_mode & S_IFMT == S_IFDIR { throw .file(path: path, doing: "write", SystemError(number: EISDIR)) }
        return status.st_mode & S_IFMT != S_IFREG || inherited(path) != nil
    }

    /// The descriptor that a path names: 1 for `/dev/stdout`. Opened once more, a file would be written from its beginning.
    private static func inherited(_ path: String) -> Int32? {
        switch path {
        case "/dev/stdout": 1
        case "/dev/stderr": 2
        default: path.hasPrefix("/dev/fd/") ? Int32(path.dropFirst("/dev/fd/".count)) : nil
        }
    }

    private static func writeDirectly(_ bytes: [UInt8], to path: String) throws(OutputError) {
        let given = inherited(path)
        let descriptor = given ?? uninterrupted { open(path, O_WRONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .file(path: path, doing: "open", .current) }
        defer { if given == nil { close(descriptor) } }
        do {
            try DescriptorWriting.writeAll(bytes, to: descriptor)
        } catch {
            throw error.isClosedPipe ? .readerGone : .file(path: path, doing: "write", error)
        }
    }

    /// A hidden name for a new file, with the number of this process. Removes files of such names that killed processes left an hour ago or
    /// earlier. Newer ones stay: in a shared folder, another machine's process may be writing one of them.
    private static func temporary(beside place: String) -> String {
        let folder = folder(of: place)
        let name = String(place.unicodeScalars.dropFirst(folder.unicodeScalars.count).prefix(40))
        let prefix = ".looptrail-\(name)-"
        let files = PosixFileSystem()
        if let opened = try? files.openFolder(atPath: folder.isEmpty ? "." : folder) {
            defer { files.close(opened) }
            for name in (try? files.names(in: opened)) ?? [] where name.hasPrefix(prefix) && name.hasSuffix(".tmp") {
                let parts = name.dropFirst(prefix.count).dropLast(4).split(separator: "-")
                guard parts.count == 2, let process = pid_t(parts[0]), process > 0 else { continue }
                guard process == getpid() || kill(process, 0) != 0 && errno == ESRCH else { continue }
                guard let status = try? files.status(of: name, in: opened) else { continue }
                if WallClock.system.milliseconds - status.modifiedMilliseconds > 3_600_000 { try? files.remove(name, in: opened) }
            }
        }
        return "\(folder)\(prefix)\(getpid())-\(Hexadecimal.text(UInt64.random(in: .min ... .max))).tmp"
    }

    /// The path with its links followed, or the path itself if nothing is there yet.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// The part before the last name, with its slash.
    private static func folder(of path: String) -> String { path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "" }
}

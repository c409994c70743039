import Basics

/// Keeps the anonymous id in a file of one line, readable by its owner alone (0600).
///
/// The file is written under another name, synced and renamed, so it is there whole or not at all. If two processes make it at the same
/// moment, both end with the id of the first, if the file system has hard links. It uses no locks, so a stopped process blocks no other.
public struct AnonymousIDFile: AnonymousIDStore {
    static let maxIDBytes = 128

    package let path: String

    /// - Parameter path: missing folders above it are made when an id is first kept (0700).
    public init(path: String) { self.path = path.absolutePath }

    public func load(orKeep proposed: String) throws(AnonymousIDError) -> String {
        // Bounded retries: another process may keep creating and deleting the file.
        for _ in 0..<8 {
            if let id = try keptID() { return id }
            if try put(proposed, replacing: false) { return proposed }
        }
        throw .unwritable(path: path, errno: EEXIST)
    }

    public func replace(with id: String) throws(AnonymousIDError) { _ = try put(id, replacing: true) }

    public func remove() throws(AnonymousIDError) {
        if unlink(path) != 0, errno != ENOENT, errno != ENOTDIR { throw .unwritable(path: path, errno: errno) }
    }

    private func keptID() throws(AnonymousIDError) -> String? {
        var line: [UInt8]
        do throws(WholeFile.Unread) {
            line = try WholeFile.contents(of: path, atMost: Self.maxIDBytes + 1, followsLinks: false)
        } catch {
            switch error {
            case .failed(SystemError(number: ENOENT)): return nil
            case .folder, .noFile, .failed(SystemError(number: ELOOP)), .failed(SystemError(number: ENOTDIR)): throw .notAFile(path: path)
            case .failed(let error): throw .unreadable(path: path, errno: error.number)
            case .large: throw .damaged(path: path)
            }
        }
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        guard Self.isID(line) else { throw .damaged(path: path) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Whether bytes are an id: `a-` and letters, digits, `-`, `_`, `.` of ASCII.
    static func isID(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.starts(with: "a-".utf8), (3...maxIDBytes).contains(bytes.count) else { return false }
        return bytes.allSatisfy { byte in (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "-_.".utf8.contains(byte) }
    }

    /// Puts an id into the file; `false` if there is one that must not be replaced.
    private func put(_ id: String, replacing: Bool) throws(AnonymousIDError) -> Bool {
        guard Self.isID(Array(id.utf8)) else { throw .unwritable(path: path, errno: EINVAL) }
        // The id is random: no other process has a file of this name beside it.
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let temporary = "\(path[..<start]).\(path[start...]).\(id).tmp"
        for slash in path.indices.dropFirst() where path[slash] == "/" { mkdir(String(path[..<slash]), 0o700) }
        // A process that was killed while it wrote this very id may have left it.
        unlink(temporary)
        do throws(WholeFile.Failure) {
            try WholeFile.create(temporary, with: Array((id + "\n").utf8), mode: 0o600, syncs: true)
        } catch {
            throw .unwritable(path: path, errno: error.error.number)
        }
        defer { unlink(temporary) }
        if !replacing {
            if link(temporary, path) == 0 { return true }
            if errno == EEXIST { return false }
            // Without hard links, two first starts at the same moment may end with two ids.
            let meansNoLinks = [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno)
            if !meansNoLinks { throw .unwritable(path: path, errno: errno) }
            if access(path, F_OK) == 0 { return false }
        }
        if rename(temporary, path) != 0 { throw .unwritable(path: path, errno: errno) }
        return true
    }
}

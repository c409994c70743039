#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Keeps the anonymous id in a file of one line, readable by its owner alone (0600).
///
/// The file is written beside its place, synced, and comes there in one step, so that it is there whole or not at all. Of two processes that
/// make it at the same moment, both end with the id of the one that was first. No locks: a process that is stopped holds up nobody.
public struct AnonymousIDFile: AnonymousIDStore {
    /// The longest id, in bytes.
    static let longestID = 128

    public let path: String

    /// - Parameter path: missing folders above it are made when an id is first kept (0700).
    public init(path: String) { self.path = path }

    public func load(orKeep proposed: String) throws(AnonymousIDError) -> String {
        // Whoever makes and removes it all the time does not make this run for ever.
        for _ in 0..<8 {
            if let id = try read() { return id }
            if try place(proposed, replacing: false) { return proposed }
        }
        throw .unwritable(path: path, errno: EEXIST)
    }

    public func replace(with id: String) throws(AnonymousIDError) { _ = try place(id, replacing: true) }

    public func remove() throws(AnonymousIDError) {
        if unlink(path) != 0, errno != ENOENT, errno != ENOTDIR { throw .unwritable(path: path, errno: errno) }
    }

    /// The id in the file; `nil` where there is none.
    private func read() throws(AnonymousIDError) -> String? {
        let file = repeating { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        if file < 0 {
            switch errno {
            case ENOENT: return nil
            // Links are not followed.
            case ELOOP, ENOTDIR: throw .notAFile(path: path)
            default: throw .unreadable(path: path, errno: errno)
            }
        }
        defer { close(file) }
        var status = stat()
        if fstat(file, &status) != 0 { throw .unreadable(path: path, errno: errno) }
        if status.st_mode & S_IFMT != S_IFREG { throw .notAFile(path: path) }
        // One byte more than the longest, to see that it is longer.
        var bytes = [UInt8](repeating: 0, count: Self.longestID + 2)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes { room in
                repeating { Int32(truncatingIfNeeded: systemRead(file, room.baseAddress! + count, room.count - count)) }
            }
            if more < 0 { throw .unreadable(path: path, errno: errno) }
            if more == 0 { break }
            count += Int(more)
        }
        var line = bytes[..<count]
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        guard Self.isID(line) else { throw .damaged(path: path) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Whether bytes are an id: `a-` and letters, digits, `-`, `_`, `.` of ASCII.
    static func isID(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.starts(with: "a-".utf8), (3...longestID).contains(bytes.count) else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }

    /// Brings an id to its place.
    ///
    /// - Returns: `false` if something stands there that is not to be replaced.
    private func place(_ id: String, replacing: Bool) throws(AnonymousIDError) -> Bool {
        guard Self.isID(Array(id.utf8)) else { throw .unwritable(path: path, errno: EINVAL) }
        // The id is random: nobody else's file beside it has this name.
        let temporary = beside(".\(id).tmp")
        var file = create(temporary)
        if file < 0, errno == ENOENT {
            makeFolders()
            file = create(temporary)
        }
        if file < 0, errno == EEXIST {
            // Of a process that was killed with this very id in hand.
            unlink(temporary)
            file = create(temporary)
        }
        if file < 0 { throw .unwritable(path: path, errno: errno) }
        let written = write(id + "\n", to: file)
        close(file)
        defer { unlink(temporary) }
        if let error = written { throw .unwritable(path: path, errno: error) }
        if !replacing {
            if link(temporary, path) == 0 { return true }
            if errno == EEXIST { return false }
            // Some file systems have no hard links. There two first starts at one moment may end with two ids.
            let meansNoLinks = [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno)
            if !meansNoLinks { throw .unwritable(path: path, errno: errno) }
            if access(path, F_OK) == 0 { return false }
        }
        if rename(temporary, path) != 0 { throw .unwritable(path: path, errno: errno) }
        return true
    }

    private func create(_ name: String) -> Int32 {
        repeating { open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    }

    /// - Returns: the error's number.
    private func write(_ text: String, to file: Int32) -> Int32? {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                repeating { Int32(truncatingIfNeeded: systemWrite(file, bytes.baseAddress!, bytes.count)) }
            }
            if count < 0 { return errno }
            if count == 0 { return ENOSPC }
            rest = rest.dropFirst(Int(count))
        }
        return repeating { fsync(file) } == 0 ? nil : errno
    }

    /// A hidden name in the same folder.
    private func beside(_ suffix: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return ".\(path)\(suffix)" }
        return "\(path[...slash]).\(path[path.index(after: slash)...])\(suffix)"
    }

    private func makeFolders() {
        var place = path.startIndex
        while let slash = path[place...].firstIndex(of: "/") {
            if slash != path.startIndex { mkdir(String(path[..<slash]), 0o700) }
            place = path.index(after: slash)
        }
    }

    /// Repeats a call for as long as a signal interrupts it.
    private func repeating(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

// The system's calls, whose names methods here have, too.
private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int { read(file, bytes, count) }
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int { write(file, bytes, count) }

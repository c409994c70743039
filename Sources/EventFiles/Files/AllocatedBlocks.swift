#if os(Linux)
import Basics
import CGlibc

/// Knows the file systems on which a block that is allocated can always be written.
///
/// A store into mapped memory cannot report an error: if the disk has no room for the block, the system ends the process with `SIGBUS`.
/// File systems that copy a block when it is written (btrfs, zfs) need room for each write, allocated or not.
enum AllocatedBlocks {
    /// ext4, xfs and tmpfs, as in linux/magic.h.
    private static let kept = [0xEF53, 0x5846_5342, 0x0102_1994]
    private static let overlay = 0x794C_7630

    /// - Parameter bytes: how many are to be allocated for the file.
    /// - Throws: `ENOSPC` if the disk has less room than twice `bytes`: the events of the file must fit into a segment, too.
    static func areKept(of file: FileDescriptor, bytes: Int) throws(FileSystemError) -> Bool {
        var status = statfs()
        if fstatfs(file.rawValue, &status) != 0 { throw FileSystemError(.map, errno: errno) }
        let kind = Int(status.f_type)
        guard kind == overlay ? isExtentFile(file) || isOverlayOnKept(file) : kept.contains(kind) else { return false }
        if UInt64(status.f_bavail) < UInt64(2 * bytes) / UInt64(max(1, status.f_bsize)) { throw FileSystemError(.map, errno: ENOSPC) }
        return true
    }

    /// Whether the file has a flag that only ext4 sets. An overlay (in a container) passes the question on to a file system below it.
    private static func isExtentFile(_ file: FileDescriptor) -> Bool {
        let getFlags: UInt = 0x8008_6601
        let usesExtents = 0x0008_0000
        var flags = 0
        return withUnsafeMutablePointer(to: &flags) { ioctl(file.rawValue, getFlags, $0) } == 0 && flags & usesExtents != 0
    }

    /// Whether this process can see the folder that the overlay writes into, and that folder is on one of the ``kept`` file systems.
    private static func isOverlayOnKept(_ file: FileDescriptor) -> Bool {
        var status = stat()
        if fstat(file.rawValue, &status) != 0 { return false }
        let mounts = WholeFile.bytes(of: "/proc/self/mountinfo", atMost: 1 << 24) ?? []
        let device = "\((status.st_dev >> 8) & 0xFFF):\(status.st_dev & 0xFF | (status.st_dev >> 12) & 0xFFF00)"
        for line in String(decoding: mounts, as: UTF8.self).split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "," })
            guard words.count > 3, words[2] == device, let upper = words.first(where: { $0.hasPrefix("upperdir=") }) else { continue }
            var below = statfs()
            return statfs(String(upper.dropFirst(9)), &below) == 0 && kept.contains(Int(below.f_type))
        }
        return false
    }
}
#endif

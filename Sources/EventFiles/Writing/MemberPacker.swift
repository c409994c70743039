import Basics

/// Fills a new file with whole members of other files, and then with lines, which it packs into full members. The end member comes last.
struct MemberPacker {
    private let file: FileDescriptor
    private let fileSystem: any FileSystem
    private let deflater: BGZFDeflater
    /// Lines that are in no member yet.
    private let raw = ByteBuffer(capacity: 2 * BGZF.memberLimit)
    private let output = ByteBuffer(capacity: BGZF.memberLimit)
    private(set) var offset: Int64 = 0

    init(file: FileDescriptor, level: Int32, fileSystem: any FileSystem) {
        (self.file, self.fileSystem, deflater) = (file, fileSystem, BGZFDeflater(level: level))
    }

    /// Appends members of another file as they are. They come before all lines.
    mutating func append(membersIn run: ByteRun, of other: FileDescriptor) throws(FileSystemError) {
        try fileSystem.copy(run, of: other, to: file, at: offset)
        offset += run.bytes
    }

    /// - Parameter lines: whole lines, each with its line feed.
    mutating func append(lines: UnsafeBufferPointer<UInt8>) throws(FileSystemError) {
        raw.append(lines)
        try writeMembers(leaving: BGZF.rawLimit)
    }

    mutating func finish() throws(FileSystemError) {
        try writeMembers(leaving: 0)
        output.append(BGZF.endMember)
        try writeOutput()
    }

    private mutating func writeMembers(leaving most: Int) throws(FileSystemError) {
        var done = 0
        defer { if done > 0 { raw.removeFirst(done) } }
        while raw.count - done > most {
            var member = UnsafeBufferPointer(rebasing: raw.bytes[done...].prefix(BGZF.rawLimit))
            // The member ends behind the last line that fits. A line that fits into no member is cut.
            if raw.count - done > member.count, let end = member.lastIndex(of: UInt8(ascii: "\n")) {
                member = UnsafeBufferPointer(rebasing: member[...end])
            }
            deflater.appendMember(of: member, to: output)
            done += member.count
            try writeOutput()
        }
    }

    private mutating func writeOutput() throws(FileSystemError) {
        defer { output.removeAll() }
        try fileSystem.writeAll(output.raw, to: file, at: offset)
        offset += Int64(output.count)
    }
}

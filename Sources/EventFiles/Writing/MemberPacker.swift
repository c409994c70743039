import Basics
import TrackingEvents

/// Collects lines into full members and writes these to a new file, the end member last.
struct MemberPacker {
    private let file: FileDescriptor
    private let fileSystem: any FileSystem
    private let deflater: BGZFDeflater
    /// Lines that are in no member yet; those before `place` are.
    private let raw = ByteBuffer(capacity: 2 * BGZF.memberLimit)
    private var place = 0
    private let output = ByteBuffer(capacity: BGZF.memberLimit)
    /// Bytes of the file so far.
    private(set) var offset: Int64 = 0

    init(file: FileDescriptor, level: Int32, fileSystem: any FileSystem) {
        self.file = file
        self.fileSystem = fileSystem
        deflater = BGZFDeflater(level: level)
    }

    /// - Parameter lines: whole lines, each with its line feed.
    mutating func append(lines: UnsafeBufferPointer<UInt8>) throws(FileSystemError) {
        if place == raw.count { compact() }
        raw.append(lines)
        while raw.count - place > BGZF.rawLimit { try writeMember() }
        if place > BGZF.memberLimit { compact() }
    }

    private mutating func compact() {
        raw.removeFirst(place)
        place = 0
    }

    mutating func finish() throws(FileSystemError) {
        while raw.count > place { try writeMember() }
        output.removeAll()
        output.append(BGZF.endMember)
        try write(output.raw)
    }

    private mutating func writeMember() throws(FileSystemError) {
        let end = LineRuns.memberEnd(in: raw, from: place, limit: raw.count)
        output.removeAll()
        deflater.appendMember(of: UnsafeBufferPointer(rebasing: raw.bytes[place..<end]), to: output)
        place = end
        try write(output.raw)
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        try fileSystem.writeAll(bytes, to: file, at: offset)
        offset += Int64(bytes.count)
    }
}

import Basics

/// Saves the whole lines of a member that the end of its file cuts. Keeps its buffers; one thread at a time.
final class MemberSalvage {
    private let kind: SegmentContents
    private let inflater = BGZFInflater()
    private let contents = ByteBuffer(capacity: 16)

    init(_ kind: SegmentContents) { self.kind = kind }

    /// The whole lines of the member that begins at `offset` and that the file's end cuts; valid until the next call.
    func lines(of file: FileDescriptor, at offset: Int64, on fileSystem: any FileSystem) throws(FileSystemError) -> ByteBuffer {
        contents.removeAll()
        let tail = ByteBuffer(capacity: BGZF.memberLimit)
        try fileSystem.append(of: file, at: offset, to: tail)
        // The file may have grown or changed since it was found to be cut.
        guard BGZF.isCut(tail.raw), case .member(let header) = BGZF.head(of: tail.raw) else { return contents }
        contents.truncate(to: inflater.appendContents(of: tail.raw, header: header, to: contents) == .cut ? soundBytes : 0)
        return contents
    }

    /// The bytes of the lines before the first that looks wrong. No CRC proves them, so an event must at least look like a JSON object.
    private var soundBytes: Int {
        let raw = contents.bytes
        var sound = 0
        for (index, byte) in raw.enumerated() where byte == UInt8(ascii: "\n") {
            let line = UnsafeBufferPointer(rebasing: raw[sound..<index])
            let isObject = kind == .log || line.first == UInt8(ascii: "{") && line.last == UInt8(ascii: "}")
            guard isObject, String(validating: line, as: UTF8.self) != nil else { return sound }
            sound = index + 1
        }
        return sound
    }
}

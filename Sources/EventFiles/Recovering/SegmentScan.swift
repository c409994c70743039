import Basics
import TrackingEvents

/// Walks over a segment: what is whole, what is cut, what is damaged. Needs 256 KiB, however large the file is.
final class SegmentScan {
    enum Piece: Equatable {
        /// A member whose CRC proves it; ``contents`` holds its raw bytes.
        case member(offset: Int64, bytes: Int)
        /// The empty member that ends a file.
        case end(offset: Int64)
        /// The last member, cut before its end; ``contents`` holds the whole lines that could be had from it.
        case cut(offset: Int64, bytes: Int64)
        /// Bytes that are no member, up to the next one that a CRC proves.
        case damaged(offset: Int64, bytes: Int64)
    }

    private static let windowBytes = 256 * 1024

    private let fileSystem: any FileSystem
    private let file: FileDescriptor
    private let size: Int64
    private let holdsObjects: Bool
    private let window = ByteBuffer(capacity: SegmentScan.windowBytes)
    private var windowOffset: Int64 = 0
    private var place: Int64 = 0
    private let inflater = BGZFInflater()
    private let proof = ByteBuffer(capacity: BGZF.memberLimit)
    /// The raw bytes of the piece that ``next()`` returned last.
    let contents = ByteBuffer(capacity: BGZF.memberLimit)

    /// - Parameter size: bytes of the file; what comes after is not looked at.
    init(_ file: FileDescriptor, size: Int64, contents kind: SegmentContents = .events, on fileSystem: any FileSystem) {
        self.file = file
        holdsObjects = kind.holdsObjects
        self.size = size
        self.fileSystem = fileSystem
    }

    /// The next piece, in the order of the file; `nil` at its end.
    func next() throws(FileSystemError) -> Piece? {
        contents.removeAll()
        let offset = place
        let rest = try bytes(at: offset)
        if rest.isEmpty { return nil }
        let head = BGZF.head(of: rest)
        if case .member(let header) = head, header.memberBytes <= rest.count,
            inflater.appendContents(of: rest, header: header, to: contents) == .whole
        {
            place += Int64(header.memberBytes)
            return contents.count == 0 ? .end(offset: offset) : .member(offset: offset, bytes: header.memberBytes)
        }
        contents.removeAll()
        let isAtEnd = offset + Int64(rest.count) == size
        let following = try nextProvable(after: offset + 1)
        place = following ?? size
        let length = place - offset
        if following == nil, isAtEnd {
            let tail = try bytes(at: offset)
            if BGZF.isCut(tail) {
                Self.salvage(tail, holdsObjects: holdsObjects, inflater: inflater, to: contents)
                return .cut(offset: offset, bytes: length)
            }
        }
        return .damaged(offset: offset, bytes: length)
    }

    /// Appends the whole lines of a member that is cut to an empty buffer.
    ///
    /// - Parameter tail: what ``BGZF/isCut(_:)`` accepts.
    static func salvage(
        _ tail: UnsafeRawBufferPointer, holdsObjects: Bool = true, inflater: BGZFInflater, to contents: ByteBuffer
    ) {
        guard case .member(let header) = BGZF.head(of: tail),
            inflater.appendContents(of: tail, header: header, to: contents) == .cut
        else { return contents.removeAll() }
        contents.truncate(to: soundLines(in: contents.bytes, holdsObjects: holdsObjects))
    }

    /// The length of the lines at the beginning that look like lines of this format. No CRC proves them, so this is the least
    /// that can be asked.
    private static func soundLines(in raw: UnsafeBufferPointer<UInt8>, holdsObjects: Bool) -> Int {
        var sound = 0
        var index = 0
        while index < raw.count {
            if raw[index] == UInt8(ascii: "\n") {
                let line = UnsafeBufferPointer(rebasing: raw[sound..<index])
                let isObject = !holdsObjects || line.first == UInt8(ascii: "{") && line.last == UInt8(ascii: "}")
                guard isObject, String(validating: line, as: UTF8.self) != nil else { return sound }
                sound = index + 1
            }
            index += 1
        }
        return sound
    }

    /// Where the next member begins that is there to its end and whose CRC is right.
    private func nextProvable(after first: Int64) throws(FileSystemError) -> Int64? {
        var offset = first
        while offset < size {
            let rest = try bytes(at: offset)
            if rest.isEmpty { return nil }
            switch BGZF.nextMember(in: rest, from: 0, inflater: inflater, scratch: proof) {
            case .member(let found, _): return offset + Int64(found)
            case .none(let searchedTo):
                if offset + Int64(rest.count) == size { return nil }
                // What the window's end cut is looked at again with what follows.
                offset += Int64(max(searchedTo, 1))
            }
        }
        return nil
    }

    /// The bytes from `offset` on: at least a whole member's, unless the file ends before. Valid until the next call.
    private func bytes(at offset: Int64) throws(FileSystemError) -> UnsafeRawBufferPointer {
        var start = offset - windowOffset
        let isInside = start >= 0 && start <= Int64(window.count)
        let isEnough = isInside && (Int64(window.count) - start >= Int64(BGZF.memberLimit) || windowOffset + Int64(window.count) == size)
        if !isEnough {
            if isInside { window.removeFirst(Int(start)) } else { window.removeAll() }
            windowOffset = offset
            start = 0
            let wanted = Int(min(Int64(Self.windowBytes - window.count), size - offset - Int64(window.count)))
            if wanted > 0 {
                window.reserve(wanted)
                let room = UnsafeMutableRawBufferPointer(start: window.base + window.count, count: wanted)
                window.advance(by: try fileSystem.readAll(into: room, from: file, at: offset + Int64(window.count)))
            }
        }
        return UnsafeRawBufferPointer(rebasing: window.raw[Int(start)...])
    }
}

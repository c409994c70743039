import Basics

struct ByteRun: Equatable {
    var offset: Int64
    var bytes: Int64
}

/// Walks over a segment as a reader does: what is whole, what is cut, what is damaged. Needs 2 MB of memory, however large the file is.
final class SegmentScan {
    struct Piece {
        enum Kind {
            /// A member whose CRC proves it; ``contents`` holds its raw bytes.
            case member
            case end
            /// The last member, cut before its end; ``contents`` holds the whole lines that could be had from it.
            case cut
            case damaged
        }

        let kind: Kind
        let run: ByteRun
        fileprivate var raw = 0..<0
    }

    private let file: FileDescriptor
    private let fileSystem: any FileSystem
    private let cursor: FileCursor
    private let workspace = Workspace()
    private let salvage: MemberSalvage
    /// The pieces of a chunk that ``next()`` has not returned yet.
    private var pieces: ArraySlice<Piece> = []
    private var isAtEnd = false
    /// The raw bytes of the piece that ``next()`` returned last; valid until the next call.
    private(set) var contents = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

    /// - Parameter size: bytes of the file; the scan ignores what comes after.
    init(_ file: FileDescriptor, size: Int64, contents kind: SegmentContents = .events, on fileSystem: any FileSystem) {
        (self.file, self.fileSystem) = (file, fileSystem)
        cursor = FileCursor(segment: file, size: size, on: fileSystem)
        salvage = MemberSalvage(kind)
    }

    func next() throws(FileSystemError) -> Piece? {
        while pieces.isEmpty {
            if isAtEnd { return nil }
            try readChunk()
        }
        let piece = pieces.removeFirst()
        contents = UnsafeBufferPointer(rebasing: workspace.raw.bytes[piece.raw])
        if piece.kind == .cut { contents = try salvage.lines(of: file, at: piece.run.offset, on: fileSystem).bytes }
        return piece
    }

    /// Hands over the raw bytes of each member; `false` as soon as something is no whole member.
    func forEachMember(_ body: (UnsafeBufferPointer<UInt8>) throws(FileSystemError) -> Void = { _ in }) throws(FileSystemError) -> Bool {
        while let piece = try next() {
            if piece.kind == .cut || piece.kind == .damaged { return false }
            if piece.kind == .member { try body(contents) }
        }
        return true
    }

    private func readChunk() throws(FileSystemError) {
        var chunk = try cursor.next(into: workspace)
        if chunk.isCompressed { workspace.inflateMembers(of: &chunk) }
        isAtEnd = chunk.isLast
        let ends = workspace.marks.dropFirst().map(\.rawStart) + [workspace.raw.count]
        let members = zip(workspace.marks, ends).map { mark, end in
            let run = ByteRun(offset: mark.fileOffset, bytes: Int64(mark.memberBytes))
            return Piece(kind: end == mark.rawStart ? .end : .member, run: run, raw: mark.rawStart..<end)
        }
        let others = chunk.damage.map { damage in
            Piece(kind: damage.kind == .cut ? .cut : .damaged, run: ByteRun(offset: damage.byteOffset, bytes: damage.bytes))
        }
        pieces = (members + others).sorted { $0.run.offset < $1.run.offset }[...]
    }
}

import Basics

/// Walks over a segment as a reader does: what is whole, what is cut, what is damaged. Needs two megabytes, however large the file is.
final class SegmentScan {
    enum Piece: Equatable {
        /// A member whose CRC proves it; ``contents`` holds its raw bytes.
        case member(offset: Int64, bytes: Int)
        /// The empty member that ends a file.
        case end(offset: Int64)
        /// The last member, cut before its end; ``contents`` holds the whole lines that could be had from it.
        case cut(offset: Int64, bytes: Int64)
        /// Bytes that are no member.
        case damaged(offset: Int64, bytes: Int64)

        fileprivate var offset: Int64 {
            switch self {
            case .member(let offset, _), .end(let offset), .cut(let offset, _), .damaged(let offset, _): offset
            }
        }
    }

    private let file: FileDescriptor
    private let fileSystem: any FileSystem
    private let cursor: FileCursor
    private let workspace = Workspace()
    private let salvage: MemberSalvage
    /// The pieces of a chunk that ``next()`` has not returned yet, with the places of their raw bytes.
    private var pieces: ArraySlice<(piece: Piece, raw: Range<Int>)> = []
    private var isAtEnd = false
    /// The raw bytes of the piece that ``next()`` returned last; valid until the next call.
    private(set) var contents = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

    /// - Parameter size: bytes of the file; what comes after is not looked at.
    init(_ file: FileDescriptor, size: Int64, contents kind: SegmentContents = .events, on fileSystem: any FileSystem) {
        self.file = file
        self.fileSystem = fileSystem
        cursor = FileCursor(segment: file, size: size, on: fileSystem)
        salvage = MemberSalvage(holdsObjects: kind.holdsObjects)
    }

    /// The next piece, in the order of the file; `nil` at its end.
    func next() throws(FileSystemError) -> Piece? {
        while pieces.isEmpty {
            if isAtEnd { return nil }
            try readChunk()
        }
        let (piece, raw) = pieces.removeFirst()
        contents = UnsafeBufferPointer(rebasing: workspace.raw.bytes[raw])
        if case .cut(let offset, _) = piece { contents = try salvage.lines(of: file, at: offset, on: fileSystem).bytes }
        return piece
    }

    private func readChunk() throws(FileSystemError) {
        var chunk = try cursor.next(into: workspace)
        if chunk.isCompressed { workspace.inflateMembers(of: &chunk) }
        isAtEnd = chunk.isLast
        let ends = workspace.marks.dropFirst().map(\.rawStart) + [workspace.raw.count]
        var found = zip(workspace.marks, ends).map { mark, end in
            let isEnd = end == mark.rawStart
            let piece: Piece = isEnd ? .end(offset: mark.fileOffset) : .member(offset: mark.fileOffset, bytes: mark.memberBytes)
            return (piece: piece, raw: mark.rawStart..<end)
        }
        for damage in chunk.damage {
            let piece: Piece =
                damage.kind == .cut
                ? .cut(offset: damage.byteOffset, bytes: damage.bytes) : .damaged(offset: damage.byteOffset, bytes: damage.bytes)
            found.append((piece, 0..<0))
        }
        pieces = found.sorted { $0.piece.offset < $1.piece.offset }[...]
    }
}

import Basics

/// The contents of an orphan, a segment that a killed writer left, found in one walk over it.
struct OrphanContents {
    /// Runs of whole members, end members left out.
    private(set) var whole: [ByteRun] = []
    private(set) var torn: [ByteRun] = []
    private(set) var members = 0
    /// Lines in whole members.
    private(set) var lines = 0
    /// What belongs behind the whole members: the lines of one that is cut, and the end of a line that has none.
    let salvaged = ByteBuffer(capacity: 16)
    private(set) var salvagedLines = 0
    /// Nothing is torn, the last line is ended, and the one end member stands at the end.
    private(set) var isComplete = false

    /// - Parameter visit: called with where each piece begins, and with a whole member's bytes, a cut one's whole lines, or nothing.
    init(
        _ file: FileDescriptor, bytes: Int64, contents: SegmentContents, on fileSystem: any FileSystem,
        visit: (Int64, UnsafeBufferPointer<UInt8>) -> Void = { _, _ in }
    ) throws(FileSystemError) {
        let scan = SegmentScan(file, size: bytes, contents: contents, on: fileSystem)
        let feed = UInt8(ascii: "\n")
        var ends = 0
        var last: (kind: SegmentScan.Piece.Kind?, byte: UInt8) = (nil, feed)
        while let piece = try scan.next() {
            last = (piece.kind, scan.contents.last ?? last.byte)
            visit(piece.run.offset, scan.contents)
            let feeds = scan.contents.count { $0 == feed }
            switch piece.kind {
            case .member:
                members += 1
                lines += feeds
                if let run = whole.last, run.offset + run.bytes == piece.run.offset {
                    whole[whole.count - 1].bytes += piece.run.bytes
                } else {
                    whole.append(piece.run)
                }
            case .end: ends += 1
            case .cut, .damaged:
                torn.append(piece.run)
                // Nothing is salvaged of damage: its contents are empty.
                salvaged.append(scan.contents)
                salvagedLines += feeds
            }
        }
        // A writer may be killed inside a log's line that is longer than a member: the part that is there becomes a line of its own.
        if last.byte != feed {
            salvaged.append(feed)
            salvagedLines += 1
        }
        isComplete = torn.isEmpty && ends == 1 && last.kind == .end && salvagedLines == 0
    }
}

import Basics
import TrackingEvents

/// What an orphan, a segment that a killed writer left, holds: found in one walk over it.
struct OrphanContents {
    /// Runs of whole members, end members left out.
    private(set) var whole: [ByteRun] = []
    private(set) var torn: [ByteRun] = []
    private(set) var members = 0
    private(set) var lines = 0
    let salvaged = ByteBuffer(capacity: 16)
    private(set) var salvagedLines = 0
    /// Nothing is torn, and the end member stands at the end and nowhere else.
    private(set) var isComplete = false

    /// - Parameter visit: called with where each whole member begins and its raw bytes, and with the whole lines of one that is cut.
    init(
        _ file: FileDescriptor, bytes: Int64, contents: SegmentContents, on fileSystem: any FileSystem,
        visit: (Int64, UnsafeBufferPointer<UInt8>) -> Void = { _, _ in }
    ) throws(FileSystemError) {
        let scan = SegmentScan(file, size: bytes, contents: contents, on: fileSystem)
        let feed = UInt8(ascii: "\n")
        var kinds: [SegmentScan.Piece.Kind: Int] = [:]
        var last: (kind: SegmentScan.Piece.Kind?, byte: UInt8) = (nil, feed)
        while let piece = try scan.next() {
            kinds[piece.kind, default: 0] += 1
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
            case .end: break
            case .cut, .damaged:
                torn.append(piece.run)
                salvaged.append(scan.contents)
                salvagedLines += feeds
            }
        }
        // A writer may be killed inside a log's line that is longer than a member: the part that is there becomes a line of its own.
        if last.byte != feed {
            salvaged.append(feed)
            salvagedLines += 1
        }
        isComplete = torn.isEmpty && kinds[.end] == 1 && last.kind == .end && salvagedLines == 0
    }
}

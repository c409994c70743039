import Basics
import TrackingEvents

/// Where in a file a run of bytes stands.
struct ByteRun: Equatable {
    var offset: Int64
    var bytes: Int64
}

/// What an orphan holds: one walk over it.
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

    /// - Parameter visit: called with the raw bytes of each whole member, and with the whole lines of one that is cut.
    init(
        _ file: FileDescriptor, bytes: Int64, contents: SegmentContents, on fileSystem: any FileSystem,
        visit: (UnsafeBufferPointer<UInt8>) -> Void = { _ in }
    ) throws(FileSystemError) {
        let scan = SegmentScan(file, size: bytes, contents: contents, on: fileSystem)
        var ends = 0
        var endsLast = false
        var last: UInt8?
        while let piece = try scan.next() {
            endsLast = false
            switch piece {
            case .member(let offset, let count):
                members += 1
                visit(scan.contents)
                lines += LineRuns.count(in: scan.contents)
                if let last = whole.last, last.offset + last.bytes == offset {
                    whole[whole.count - 1].bytes += Int64(count)
                } else {
                    whole.append(ByteRun(offset: offset, bytes: Int64(count)))
                }
            case .end:
                ends += 1
                endsLast = true
            case .cut(let offset, let count):
                torn.append(ByteRun(offset: offset, bytes: count))
                salvaged.append(scan.contents)
                visit(scan.contents)
                salvagedLines += LineRuns.count(in: scan.contents)
            case .damaged(let offset, let count):
                torn.append(ByteRun(offset: offset, bytes: count))
            }
            last = scan.contents.last ?? last
        }
        // A line of a log may be longer than a member, and its writer may have been killed inside. What is there of it stays a line of its own,
        // or it would run into the first line of whatever is read next.
        if let last, last != UInt8(ascii: "\n") {
            salvaged.append(UInt8(ascii: "\n"))
            salvagedLines += 1
        }
        isComplete = torn.isEmpty && ends == 1 && endsLast && salvagedLines == 0
    }
}

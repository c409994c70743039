import Basics
import TrackingEvents

/// What is lost when a segment is removed that was not sent: the properties of the `dropped` line that reports it.
///
/// The line counts the segment's events by session. It also counts the drops that `dropped` lines in the segment report, because those
/// lines go, too. It names the segment: if somebody has a copy of the file, nothing is missing, and a check ignores the line.
struct RemovedContents {
    private static let scanner = EventLineScanner(.head)

    private let name: SegmentName
    private var tally = DropTally()
    private(set) var events = 0
    /// Whether an upload of the segment ended, and nobody knows whether it arrived.
    var isUnconfirmed = false

    init(_ name: SegmentName) { self.name = name }

    /// Reads a segment, in two megabytes of memory however large the file is. Events in damaged members cannot be counted.
    init(of name: SegmentName, in folder: EventFolder) throws(FileSystemError) {
        self.name = name
        let file = try folder.open(name.sealed)
        defer { folder.fileSystem.close(file) }
        let status = try folder.status(of: file, named: name.sealed)
        let scan = SegmentScan(file, size: status.bytes, on: folder.fileSystem)
        let scratch = ByteBuffer(capacity: 256)
        while let piece = try scan.next() {
            if piece.kind == .member { LineBatch.forEachLine(of: UnsafeRawBufferPointer(scan.contents)) { count($0, scratch) } }
        }
    }

    private mutating func count(_ line: UnsafeRawBufferPointer, _ scratch: ByteBuffer) {
        guard let event = try? Self.scanner.scan(line) else { return }
        if event.kind == .track || event.sequence > 0 {
            events += 1
            let isNumbered = event.sequence > 0 && !event.session.isEmpty
            tally.add(.retention, session: isNumbered ? event.session.string(in: line) : nil)
        } else if event.kind == .meta, event.name.unescaped(in: line, scratch: scratch).elementsEqual(MetaEventName.dropped.utf8) {
            add(DroppedProperties(event.properties, in: line))
        }
    }

    private mutating func add(_ note: DroppedProperties) {
        var named: Int64 = 0
        for (reason, count) in note.reasons where count > 0 {
            // A line of a later version may give other reasons.
            tally.add(DropReason(rawValue: reason) ?? .storage, session: nil, count: Int(clamping: count))
            named = named.addingClamped(count)
        }
        if note.count > named { tally.add(.storage, session: nil, count: Int(clamping: note.count - named)) }
        for (session, count) in note.sessions where count > 0 { tally.sessions.add(session, Int(clamping: count)) }
    }

    var isEmpty: Bool { tally.isEmpty }

    /// The properties of the line, with at most `limit` sessions by name.
    func properties(sessions limit: Int) -> TrackingProperties {
        var properties = tally.properties(sessions: limit, otherKeys: 2)
        properties[MetaEventName.segment] = .string(name.sealed)
        if isUnconfirmed { properties[MetaEventName.unconfirmed] = .bool(true) }
        return properties
    }
}

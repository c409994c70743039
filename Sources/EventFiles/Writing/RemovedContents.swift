import Basics
import TrackingEvents

/// What is lost when a segment is removed that was not sent: the `dropped` lines that report it.
///
/// The line about the segment counts its events by session. It also counts the drops that `dropped` lines in the segment report, because
/// those lines go, too. It names the segment: if somebody has a copy of the file, nothing is missing, and a check ignores the line.
///
/// Lines about segments that were removed earlier are written again under new ids. Added to this segment's line, their counts would count
/// even where their segment is present, and twice where two writers reported it. The oldest are given up where they take too much room.
struct RemovedContents {
    private static let scanner = EventLineScanner(.head)

    private let name: SegmentName
    private var tally = DropTally()
    /// The lines about other segments, one for each of ``segments``, and where their ids stand.
    private var others: ArraySlice<(time: Int64, segment: String, line: [UInt8], id: Range<Int>)> = []
    private var segments: Set<String> = []
    private(set) var events = 0
    /// Whether an upload of the segment ended, and nobody knows whether it arrived.
    var isUnconfirmed = false

    init(_ name: SegmentName) { self.name = name }

    /// Reads a segment, in a few megabytes of memory however large the file is. Events in damaged members cannot be counted. Nothing is lost
    /// if the segment is gone: another process sent or removed it, and reports that.
    init(of name: SegmentName, in folder: EventFolder) throws(FileSystemError) {
        self.name = name
        guard let file = try folder.openIfThere(name.sealed) else { return }
        defer { folder.fileSystem.close(file) }
        let status = try folder.status(of: file, named: name.sealed)
        let scan = SegmentScan(file, size: status.bytes, on: folder.fileSystem)
        let scratch = ByteBuffer(capacity: 256)
        let most = min(max(status.bytes / 8, 16_384), 1_048_576)
        while let piece = try scan.next() {
            if piece.kind == .member { LineBatch.forEachLine(of: UnsafeRawBufferPointer(scan.contents)) { count($0, scratch) } }
            var bytes = others.reduce(0) { $0 + Int64($1.line.count) }
            if bytes > most { others.sort { $0.time < $1.time } }
            while bytes > most, let oldest = others.popFirst() {
                bytes -= Int64(oldest.line.count)
                segments.remove(oldest.segment)
            }
        }
    }

    private mutating func count(_ line: UnsafeRawBufferPointer, _ scratch: ByteBuffer) {
        guard let event = try? Self.scanner.scan(line) else { return }
        if event.kind == .track || event.sequence > 0 {
            events += 1
            let isNumbered = event.sequence > 0 && !event.session.isEmpty
            tally.add(.retention, session: isNumbered ? event.session.string(in: line) : nil)
        } else if event.kind == .meta, event.name.unescaped(in: line, scratch: scratch).elementsEqual(MetaEventName.dropped.utf8) {
            let note = DroppedProperties(event.properties, in: line)
            guard let other = note.segment else { return add(note) }
            if event.id.isEmpty || line.count > EventLineLimits.lineBytes || !segments.insert(other).inserted { return }
            others.append((event.timeMilliseconds, other, Array(line), event.id.range))
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

    /// The lines to write before the segment goes, those about other segments under new ids.
    func lines(by encoder: EventLineEncoder, time: Int64, random: inout SeededRandom) -> [[UInt8]] {
        var lines = others.map { other in
            var line = other.line + [UInt8(ascii: "\n")]
            line.replaceSubrange(other.id, with: EventID(milliseconds: time, random: &random).description.utf8)
            return line
        }
        var more: TrackingProperties = [MetaEventName.segment: .string(name.sealed)]
        if isUnconfirmed { more[MetaEventName.unconfirmed] = .bool(true) }
        if !tally.isEmpty { lines.append(Array(tally.line(by: encoder, time: time, random: &random, with: more).text.utf8)) }
        return lines
    }
}

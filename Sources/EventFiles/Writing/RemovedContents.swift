import Basics
import TrackingEvents

/// What is lost with a segment that nobody has taken: the properties of the `dropped` line that owns up to it.
///
/// The line counts the segment's events by session, and what `dropped` lines inside the segment said, because these go with it. It names the
/// segment: where somebody has a copy of the file nothing is missing, and a check passes over the line.
struct RemovedContents {
    private static let scanner = EventLineScanner(.head)
    private static let reasons = PropertyReader(path: ["reasons"])
    private static let sessions = PropertyReader(path: ["sessions"])
    private static let total = PropertyReader(path: ["count"])

    private let name: SegmentName
    private var tally = DropTally()
    /// Events in the segment.
    private(set) var events = 0
    /// Whether an upload ended without anybody knowing whether it arrived.
    var isUnconfirmed = false

    /// Nothing.
    init(_ name: SegmentName) { self.name = name }

    /// Reads a segment, in two megabytes however large the file is. What is damaged in it cannot be counted.
    init(of name: SegmentName, in folder: EventFolder) throws(FileSystemError) {
        self.name = name
        let file = try folder.open(name.sealed)
        defer { folder.fileSystem.close(file) }
        let status = try folder.status(of: file, named: name.sealed)
        let scan = SegmentScan(file, size: status.bytes, on: folder.fileSystem)
        let scratch = ByteBuffer(capacity: 256)
        while let piece = try scan.next() {
            guard case .member = piece else { continue }
            LineBatch.forEachLine(of: UnsafeRawBufferPointer(scan.contents)) { count($0, scratch) }
        }
    }

    private mutating func count(_ line: UnsafeRawBufferPointer, _ scratch: ByteBuffer) {
        guard let event = try? Self.scanner.scan(line) else { return }
        if event.kind == .track || event.sequence > 0 {
            events += 1
            let isNumbered = event.sequence > 0 && !event.session.isEmpty
            tally.add(.retention, session: isNumbered ? Self.text(event.session, in: line, scratch) : nil)
        } else if event.kind == .meta, event.name.unescaped(in: line, scratch: scratch).elementsEqual(MetaEventName.dropped.utf8) {
            addNote(UnsafeRawBufferPointer(event.properties.bytes(in: line)), scratch)
        }
    }

    /// Adds what a `dropped` line inside the segment said.
    private mutating func addNote(_ properties: UnsafeRawBufferPointer, _ scratch: ByteBuffer) {
        var named = 0
        Self.forEachNumber(of: Self.reasons, in: properties, scratch) { key, count in
            // A later version may know more reasons.
            tally.add(DropReason(rawValue: key) ?? .storage, session: nil, count: count)
            named += count
        }
        if case .number(_, let text) = Self.total.value(in: properties), let count = Self.number(text, in: properties), count > named {
            tally.add(.storage, session: nil, count: count - named)
        }
        Self.forEachNumber(of: Self.sessions, in: properties, scratch) { tally.addSession($0, count: $1) }
    }

    /// Goes over the positive numbers of an object.
    private static func forEachNumber(
        of reader: PropertyReader, in properties: UnsafeRawBufferPointer, _ scratch: ByteBuffer, _ body: (String, Int) -> Void
    ) {
        guard !properties.isEmpty, case .object(let place) = reader.value(in: properties) else { return }
        let object = place.bytes(in: properties)
        var cursor = JSONCursor(object)
        try? cursor.forEachEntry { key, value in
            guard value.kind == .number, let count = number(value.text, in: object), count > 0 else { return }
            body(text(key, in: object, scratch), count)
        }
    }

    private static func number(_ text: LineText, in bytes: UnsafeRawBufferPointer) -> Int? {
        JSONNumber.integer(text.bytes(in: bytes)).map { Int(clamping: $0) }
    }

    private static func text(_ text: LineText, in bytes: UnsafeRawBufferPointer, _ scratch: ByteBuffer) -> String {
        String(decoding: text.unescaped(in: bytes, scratch: scratch), as: UTF8.self)
    }

    /// Whether nothing is lost with the segment.
    var isEmpty: Bool { tally.isEmpty }

    /// The properties of the line, with at most so many sessions by name.
    func properties(sessions limit: Int) -> TrackingProperties {
        var properties = tally.properties(sessions: limit, otherKeys: 2)
        properties[MetaEventName.segment] = .string(name.sealed)
        if isUnconfirmed { properties[MetaEventName.unconfirmed] = .bool(true) }
        return properties
    }
}

import Basics
internal import TrackingEvents

/// What a check or a repair keeps of one batch of lines. It is made on the thread that decompressed them.
struct CheckBatch: Sendable {
    struct Line: Sendable {
        /// The offset in ``bytes`` behind its line feed.
        var end: Int
        var id: Fingerprint?
        var isMended: Bool
    }

    /// A run of a session's numbers that begins above 1, and the line of the file with which it begins.
    typealias Start = (run: SequenceRun, lineNumber: Int, byteOffset: Int64)

    let file: Int
    var events = 0
    var metaLines = 0
    var timingLines = 0
    var badLines = 0
    var firstBadLines: [CheckResult.BadLineFound] = []
    var ids: [Fingerprint] = []
    var sessions: SessionRuns
    var names: [Fingerprint: String] = [:]
    /// The contents of each `dropped` line, with the index of the line's id in ``ids``, if it has one.
    private(set) var dropped: [(note: DroppedProperties, id: Int?)] = []
    private(set) var bytes: [UInt8] = []
    private(set) var lines: [Line] = []
    private(set) var starts: [Start] = []

    /// For a repair, mends the lines (``LineMending``), and keeps the good ones. `file` is the file's number, if not the batch's.
    init(_ batch: borrowing LineBatch, file: Int? = nil, repairing isRepair: Bool = false) {
        self.file = file ?? batch.fileIndex
        ids.reserveCapacity(batch.lineCount)
        sessions = SessionRuns(file: self.file)
        if isRepair {
            bytes.reserveCapacity(batch.byteCount)
            lines.reserveCapacity(batch.lineCount)
        }
        let scanner = EventLineScanner(.wholeLine)
        let (scratch, mendedLine) = (ByteBuffer(capacity: 256), ByteBuffer(capacity: 256))
        var lineNumber = batch.firstLineNumber
        batch.forEachLine { found in
            defer { lineNumber += 1 }
            let mended = isRepair ? LineMending.mended(found) : nil
            if let mended {
                mendedLine.removeAll()
                mendedLine.append(mended)
            }
            let line = mended == nil ? found : mendedLine.raw
            do throws(BadLine) {
                let runs = sessions.runs.count
                let id = note(try scanner.scan(line), line, scratch)
                if !isRepair { return }
                for run in sessions.runs[runs...] where run.low > 1 { starts.append((run, lineNumber, batch.byteOffset(of: found))) }
                bytes += line
                bytes.append(UInt8(ascii: "\n"))
                lines.append(Line(end: bytes.count, id: id, isMended: mended != nil))
            } catch {
                badLines += 1
                if firstBadLines.count < CheckResult.exampleLimit {
                    firstBadLines.append(.init(lineNumber: lineNumber, byteOffset: batch.byteOffset(of: found), problem: error))
                }
            }
        }
    }

    /// - Returns: the fingerprint of the line's id, if it has one.
    private mutating func note(_ event: EventLine, _ line: UnsafeRawBufferPointer, _ scratch: ByteBuffer) -> Fingerprint? {
        switch event.kind {
        case .track: events += 1
        case .timing: timingLines += 1
        case .meta:
            metaLines += 1
            if event.name.unescaped(in: line, scratch: scratch).elementsEqual(MetaEventName.dropped.utf8) {
                dropped.append((DroppedProperties(event.properties, in: line), event.id.isEmpty ? nil : ids.count))
            }
        }
        let id = event.id.isEmpty ? nil : Fingerprint.of(event.id.unescaped(in: line, scratch: scratch))
        if let id { ids.append(id) }
        if event.sequence > 0, !event.session.isEmpty {
            let name = event.session.unescaped(in: line, scratch: scratch)
            let session = Fingerprint.of(name)
            if sessions.note(session, sequence: event.sequence, time: event.timeMilliseconds), names[session] == nil {
                names[session] = String(decoding: name, as: UTF8.self)
            }
        }
        return id
    }
}

import Basics
internal import TrackingEvents

/// What a check keeps of one batch of lines; made on whatever thread decompressed them.
struct CheckBatch: Sendable {
    let file: Int
    var events = 0
    var metaLines = 0
    var timingLines = 0
    var badLines = 0
    var firstBadLines: [CheckResult.BadLineFound] = []
    var ids: [Fingerprint] = []
    var sessions: SessionRuns
    /// What the sessions are called.
    var names: [Fingerprint: String] = [:]
    /// What each `dropped` line explains, with the place of its id in ``ids``, if it has one, and the removed file it names, if any.
    private(set) var dropped: [(note: DroppedNote, id: Int?, segment: String?)] = []

    init(_ batch: borrowing LineBatch) {
        file = batch.fileIndex
        ids.reserveCapacity(batch.lineCount)
        sessions = SessionRuns(file: batch.fileIndex)
        let scanner = EventLineScanner(.wholeLine)
        let scratch = ByteBuffer(capacity: 256)
        var lineNumber = batch.firstLineNumber
        for run in batch.runs {
            LineBatch.forEachLine(of: run.bytes) { line in
                defer { lineNumber += 1 }
                do throws(BadLine) {
                    let event = try scanner.scan(line)
                    note(event, line, scratch)
                } catch {
                    badLines += 1
                    if firstBadLines.count < CheckResult.exampleLimit {
                        firstBadLines.append(
                            .init(lineNumber: lineNumber, byteOffset: batch.byteOffset(of: line), problem: error))
                    }
                }
            }
        }
    }

    private mutating func note(_ event: EventLine, _ line: UnsafeRawBufferPointer, _ scratch: ByteBuffer) {
        switch event.kind {
        case .track: events += 1
        case .timing: timingLines += 1
        case .meta:
            metaLines += 1
            if event.name.unescaped(in: line, scratch: scratch).elementsEqual(MetaEventName.dropped.utf8) {
                var note = DroppedNote()
                note.add(event.properties, in: line)
                dropped.append((note, event.id.isEmpty ? nil : ids.count, DroppedNote.segment(of: event.properties, in: line)))
            }
        }
        if !event.id.isEmpty { ids.append(Fingerprint.of(event.id.unescaped(in: line, scratch: scratch))) }
        if event.sequence > 0, !event.session.isEmpty {
            let name = event.session.unescaped(in: line, scratch: scratch)
            let session = Fingerprint.of(name)
            if sessions.note(session, sequence: event.sequence, time: event.timeMilliseconds), names[session] == nil {
                names[session] = String(decoding: name, as: UTF8.self)
            }
        }
    }
}

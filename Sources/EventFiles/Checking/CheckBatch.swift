import Basics
internal import TrackingEvents

/// What a check keeps of one batch of lines; made on whatever thread decompressed them.
struct CheckBatch: Sendable {
    /// Lines of one session that follow each other without a gap.
    struct Run: Sendable {
        /// Its place in ``CheckBatch/sessions``.
        var session: Int
        var sequences: SequenceRun
    }

    let file: Int
    var events = 0
    var metaLines = 0
    var timingLines = 0
    var badLines = 0
    var firstBadLines: [CheckReport.BadLineFound] = []
    var ids: [UInt128] = []
    var sessions: [(key: UInt128, name: String)] = []
    var runs: [Run] = []
    var clockSteps = ClockSteps()
    /// What each `dropped` line owns up to, with the place of its id in ``ids``, if it has one.
    private var dropped: [(note: DroppedNote, id: Int?)] = []

    init(_ batch: borrowing LineBatch) {
        file = batch.fileIndex
        ids.reserveCapacity(batch.lineCount)
        var builder = SessionRuns(file: batch.fileIndex)
        let scanner = EventLineScanner(.wholeLine)
        let scratch = ByteBuffer(capacity: 256)
        var lineNumber = batch.firstLineNumber
        for run in batch.runs {
            LineBatch.forEachLine(of: run.bytes) { line in
                defer { lineNumber += 1 }
                do throws(BadLine) {
                    let event = try scanner.scan(line)
                    note(event, line, scratch, &builder)
                } catch {
                    badLines += 1
                    if firstBadLines.count < CheckReport.exampleLimit {
                        firstBadLines.append(
                            .init(lineNumber: lineNumber, byteOffset: batch.byteOffset(of: line), problem: error))
                    }
                }
            }
        }
        sessions = builder.sessions
        runs = builder.runs
        clockSteps = builder.clockSteps
    }

    /// What the `dropped` lines own up to: a line that was read before, as in the copy of a file, explains nothing again.
    ///
    /// - Parameter repeated: the places in ``ids`` of those that were seen before.
    func dropped(except repeated: Set<Int>) -> DroppedNote {
        var sum = DroppedNote()
        for (note, id) in dropped where !(id.map(repeated.contains) ?? false) { sum.add(note) }
        return sum
    }

    private mutating func note(_ event: EventLine, _ line: UnsafeRawBufferPointer, _ scratch: ByteBuffer, _ builder: inout SessionRuns) {
        switch event.kind {
        case .track: events += 1
        case .timing: timingLines += 1
        case .meta:
            metaLines += 1
            if event.name.unescaped(in: line, scratch: scratch).elementsEqual(MetaEventName.dropped.utf8) {
                var note = DroppedNote()
                note.add(event.properties, in: line)
                dropped.append((note, event.id.isEmpty ? nil : ids.count))
            }
        }
        if !event.id.isEmpty { ids.append(Hash128.of(event.id.unescaped(in: line, scratch: scratch))) }
        if event.sequence > 0, !event.session.isEmpty {
            let session = event.session.unescaped(in: line, scratch: scratch)
            builder.add(session, sequence: event.sequence, time: event.timeMilliseconds)
        }
    }
}

/// Collects the lines of one batch by session.
private struct SessionRuns {
    let file: Int
    var sessions: [(key: UInt128, name: String)] = []
    var runs: [CheckBatch.Run] = []
    var clockSteps = ClockSteps()
    private var places: [UInt128: Int] = [:]
    /// The run of each session that its last line belongs to.
    private var current: [Int] = []

    init(file: Int) { self.file = file }

    mutating func add(_ name: UnsafeRawBufferPointer, sequence: Int64, time: Int64) {
        let key = Hash128.of(name)
        if let session = places[key] {
            if sequence == runs[current[session]].sequences.high + 1 {
                clockSteps.note(from: runs[current[session]].sequences.highTime, to: time)
                runs[current[session]].sequences.high = sequence
                runs[current[session]].sequences.highTime = time
                return
            }
            current[session] = runs.count
        } else {
            places[key] = sessions.count
            sessions.append((key, String(decoding: name, as: UTF8.self)))
            current.append(runs.count)
        }
        let run = SequenceRun(low: sequence, high: sequence, lowTime: time, highTime: time, lowFile: file)
        runs.append(.init(session: places[key] ?? 0, sequences: run))
    }
}

/// How often and how far clocks went backwards.
struct ClockSteps: Sendable {
    var count = 0
    var largest: Int64 = 0

    mutating func note(from earlier: Int64, to later: Int64) {
        guard later < earlier else { return }
        count += 1
        largest = max(largest, earlier - later)
    }
}

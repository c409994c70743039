import Basics
import EventFiles

/// What was read, as far as it can be added up: of several readings the whole is the quality of one reading of everything.
struct ReadQuality: Sendable {
    /// Without duplicates and events without a key, which the counting parts know.
    var input = InputQuality()
    /// Names that occurred.
    var names = SeenNames()
    /// Sequence numbers of sessions, sorted, none touching another.
    private(set) var runs: [SequenceRun] = []
    private var sorted = 0

    mutating func take(_ head: BatchHead, names: [[UInt8]]) {
        input.add(head)
        for name in names { self.names.insert(name) }
        add(head.sequences.runs)
    }

    mutating func take(_ report: ReadResult) { input.add(report) }

    mutating func add(_ other: ReadQuality) {
        input.files += other.input.files
        input.bytes += other.input.bytes
        input.events += other.input.events
        input.badLines += other.input.badLines
        input.damagedMembers += other.input.damagedMembers
        if let first = other.input.firstMilliseconds, let last = other.input.lastMilliseconds { input.note(first: first, last: last) }
        names.add(other.names)
        add(other.runs)
    }

    private mutating func add(_ more: [SequenceRun]) {
        runs += more
        if runs.count - sorted > sorted + 1 << 16 { fold() }
    }

    /// Sorts the runs and joins what touches or overlaps.
    private mutating func fold() {
        runs.sort { ($0.session.high, $0.session.low, $0.low, $0.high) < ($1.session.high, $1.session.low, $1.low, $1.high) }
        var kept: [SequenceRun] = []
        for run in runs {
            if let last = kept.last, last.session == run.session, last.high >= run.low - 1 {
                kept[kept.count - 1].high = max(last.high, run.high)
            } else {
                kept.append(run)
            }
        }
        (runs, sorted) = (kept, kept.count)
    }

    /// The quality with the numbers that sessions lack.
    mutating func finished() -> InputQuality {
        fold()
        for (one, next) in zip(runs, runs.dropFirst()) where one.session == next.session {
            input.sequenceGaps = input.sequenceGaps.addingClamped(next.low - one.high - 1)
        }
        return input
    }

    // MARK: Form

    init() {}

    init(_ reader: inout PartialReader) throws(PartialError) {
        input.files = try reader.size()
        input.bytes = Int64(try reader.size())
        input.events = try reader.size()
        input.badLines = try reader.size()
        input.damagedMembers = try reader.size()
        (input.firstMilliseconds, input.lastMilliseconds) = (try reader.optional(), try reader.optional())
        names = try SeenNames(&reader)
        var (session, high) = (Fingerprint.none, Int64(0))
        for _ in 0..<(try reader.count()) {
            if try reader.number() == 1 { (session, high) = (try reader.fingerprint(), 0) }
            let (low, isLowHuge) = high.addingReportingOverflow(try reader.signed())
            let (end, isHighHuge) = low.addingReportingOverflow(Int64(clamping: try reader.number()))
            guard !isLowHuge, !isHighHuge else { throw .damaged(offset: 0) }
            runs.append(SequenceRun(session: session, low: low, high: end))
            high = end
        }
    }

    func write(to writer: inout PartialWriter) {
        var folded = self
        folded.fold()
        writer.put(input.files)
        writer.put(UInt64(input.bytes))
        writer.put(input.events)
        writer.put(input.badLines)
        writer.put(input.damagedMembers)
        writer.put(input.firstMilliseconds)
        writer.put(input.lastMilliseconds)
        names.write(to: &writer)
        writer.put(folded.runs.count)
        var (session, high) = (Fingerprint.none, Int64(0))
        for run in folded.runs {
            writer.put(run.session == session ? 0 : 1)
            if run.session != session {
                writer.put(run.session)
                (session, high) = (run.session, 0)
            }
            writer.put(signed: run.low - high)
            writer.put(UInt64(run.high - run.low))
            high = run.high
        }
    }
}

extension SeenNames {
    init(_ reader: inout PartialReader) throws(PartialError) {
        self.init()
        for _ in 0..<(try reader.count()) { insert(try reader.text()) }
        for _ in 0..<(try reader.count()) { insert(try reader.fingerprint()) }
    }

    func write(to writer: inout PartialWriter) {
        let known = Set(texts.map { Fingerprint.of($0) })
        writer.put(texts.count)
        for text in texts.sorted() { writer.put(Array(text.utf8)) }
        let others = fingerprints.filter { !known.contains($0) }.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        writer.put(others.count)
        for name in others { writer.put(name) }
    }
}

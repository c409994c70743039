import Basics
import ParquetFiles
internal import TrackingEvents

/// Turns the lines of a segment, in their order, into the row groups of its summary. It is no class, because the runtime checks each access
/// to a class's stored property for exclusivity, and each line makes many.
struct SummaryBuilder: ~Copyable {
    /// A row group ends with the batch of lines that brings it to this many rows, or to this many bytes in memory.
    static let rowsPerGroup = 1 << 18
    static let bytesPerGroup = 64 << 20

    private(set) var facts = SummaryFacts()
    private(set) var refusal: IndexResult.Refusal?
    private let keepsProperties: Bool
    private let rowsPerGroup: Int
    private let write: (UnsafeRawBufferPointer) throws(FileSystemError) -> Void
    private var writer: ParquetFileWriter<FileSystemError>?
    private var columns = Columns()
    private var properties = PropertyColumns()
    private var propertiesText = ColumnBuilder(SummaryColumn.properties, texts: .each)
    private var runs: [SummaryFacts.Run] = []
    /// For each session of the dictionary the index + 1 of its last run, or 0.
    private var lastRun: [Int] = []
    private var ids = FingerprintSet()
    private var hasLongID = false
    private var smallestID: [UInt8] = []
    private var largestID: [UInt8] = []
    private var groupRows = 0

    private let scanner = EventLineScanner(.head)
    private let scratch = ByteBuffer(capacity: 256)

    init(
        keepsProperties: Bool, rowsPerGroup: Int = SummaryBuilder.rowsPerGroup,
        write: @escaping (UnsafeRawBufferPointer) throws(FileSystemError) -> Void
    ) { (self.keepsProperties, self.rowsPerGroup, self.write) = (keepsProperties, rowsPerGroup, write) }

    private struct Columns {
        let version = ColumnBuilder(SummaryColumn.version.column)
        let time = ColumnBuilder(SummaryColumn.time.column)
        let name = ColumnBuilder(SummaryColumn.name.column)
        let user = ColumnBuilder(SummaryColumn.user.column)
        /// A code in its dictionary stands for a session in ``SummaryFacts/Run``.
        let session = ColumnBuilder(SummaryColumn.session.column, texts: .dictionary)
        let sequence = ColumnBuilder(SummaryColumn.sequence.column)
        let id = ColumnBuilder(SummaryColumn.id.column, texts: .prefixed)
        let type = ColumnBuilder(SummaryColumn.type.column)
        let system = ColumnBuilder(SummaryColumn.system.column)
        let rest = ColumnBuilder(SummaryColumn.rest.column, texts: .each)

        var all: [ColumnBuilder] { [version, time, name, user, session, sequence, id, type, system, rest] }
    }

    mutating func take(_ batch: borrowing LineBatch) throws(FileSystemError) {
        let before = facts.rows
        var number = batch.firstLineNumber
        batch.forEachLine { line in
            if refusal == nil { take(line, number: number) }
            number += 1
        }
        facts.lines += batch.lineCount
        if facts.rows > before { facts.batches.append(facts.rows - before) }
        let heldBytes = columns.all.reduce(0) { $0 + $1.heldBytes } + properties.heldBytes + propertiesText.heldBytes
        let isFull = groupRows >= rowsPerGroup || heldBytes >= Self.bytesPerGroup
        if isFull, refusal == nil { try endGroup() }
    }

    /// Writes the last row group, the digests of the ids, and the metadata.
    mutating func finish(segment: String, mark: SegmentMark, filledMembers: Int) throws(FileSystemError) {
        if groupRows > 0 || !runs.isEmpty { try endGroup() }
        (facts.segment, facts.mark, facts.filledMembers) = (segment, mark, filledMembers)
        (facts.leaves, facts.paths) = (properties.leaves, properties.paths)
        if facts.ids.count > 0, !hasLongID {
            facts.ids.smallest = String(decoding: smallestID, as: UTF8.self)
            facts.ids.largest = String(decoding: largestID, as: UTF8.self)
        }
        try opened().append(region: IDDigests.bytes(of: ids))
        try opened().finish(metadata: [(SummaryFacts.key, facts.text)])
    }

    private mutating func take(_ line: UnsafeRawBufferPointer, number: Int) {
        guard let event = try? scanner.scan(line) else {
            facts.badLines += 1
            return
        }
        if JSONBytes.firstInvalidUTF8(in: line) != nil {
            refusal = .notUTF8(line: number)
            return
        }
        let session = noteSequence(event, line)
        if event.kind == .timing {
            facts.timingLines += 1
            return
        }
        if event.kind == .track, !event.id.isEmpty { noteID(event.id.unescaped(in: line, scratch: scratch)) }
        put(event, line, session: session)
        if event.kind == .track { facts.events += 1 } else { facts.metaLines += 1 }
        groupRows += 1
    }

    /// - Parameter session: the code of the event's session in the dictionary, if it is known.
    private mutating func put(_ event: EventLine, _ line: UnsafeRawBufferPointer, session: Int?) {
        let row = groupRows
        let scratch = scratch
        func put(_ text: LineText, _ column: ColumnBuilder) {
            if !text.isMissing { column.append(text.unescaped(in: line, scratch: scratch), row: row) }
        }
        if let version = Self.version(of: line) { columns.version.append(version, row: row) }
        columns.time.append(event.timeMilliseconds, row: row)
        put(event.name, columns.name)
        put(event.user, columns.user)
        if let session { columns.session.append(code: session, row: row) } else { put(event.session, columns.session) }
        if event.sequence > 0 { columns.sequence.append(event.sequence, row: row) }
        put(event.id, columns.id)
        if event.kind == .meta { Self.meta.withUnsafeBytes { columns.type.append($0, row: row) } }
        put(event.system, columns.system)
        guard !event.properties.isMissing else { return }
        let bytes = event.properties.bytes(in: line)
        if let rest = properties.add(bytes, row: row) { columns.rest.append(rest, row: row) }
        if keepsProperties { propertiesText.append(bytes, row: row) }
    }

    private static let meta = Array("meta".utf8)

    /// The version as it stands on the line; `nil` if the line has none, or one that is no integer of 32 bits.
    private static func version(of line: UnsafeRawBufferPointer) -> Int64? {
        if JSONBytes.matches(#"{"v":1,"#, in: line, at: 0) { return 1 }
        var version: Int64?
        var cursor = JSONCursor(line)
        cursor.skipWhiteSpace()
        try? cursor.forEachEntry { key, value in
            guard value.kind == .number || value.kind == .null, key.string(in: line).utf8.elementsEqual("v".utf8) else { return }
            version = value.integer(in: line).flatMap { Int32(exactly: $0).map(Int64.init) }
        }
        return version
    }

    /// Notes the sequence number of a line of any kind. Returns the session's code in its column's dictionary; `nil` without a number.
    private mutating func noteSequence(_ event: EventLine, _ line: UnsafeRawBufferPointer) -> Int? {
        guard event.sequence > 0, !event.session.isEmpty else { return nil }
        let session = columns.session.code(of: event.session.unescaped(in: line, scratch: scratch))
        while lastRun.count <= session { lastRun.append(0) }
        let last = lastRun[session] - 1
        if last >= 0, runs[last].high + 1 == event.sequence {
            runs[last].high += 1
        } else {
            runs.append(SummaryFacts.Run(session: session, low: event.sequence, high: event.sequence))
            lastRun[session] = runs.count
        }
        return session
    }

    private mutating func noteID(_ id: UnsafeRawBufferPointer) {
        if !ids.insert(.of(id)) { facts.ids.repeated.append(facts.rows) }
        facts.ids.count += 1
        if id.count > SummaryFacts.maxIdentifierBytes {
            hasLongID = true
        } else {
            if facts.ids.count == 1 || id.lexicographicallyPrecedes(smallestID) { smallestID = Array(id) }
            if largestID.lexicographicallyPrecedes(id) { largestID = Array(id) }
        }
    }

    private mutating func endGroup() throws(FileSystemError) {
        let leaves = properties.takeBuilders()
        try opened().append(columns.all + leaves + (keepsProperties ? [propertiesText] : []), rows: groupRows)
        columns = Columns()
        propertiesText = ColumnBuilder(SummaryColumn.properties, texts: .each)
        facts.runs.append(Self.joined(runs))
        runs.removeAll(keepingCapacity: true)
        lastRun.removeAll(keepingCapacity: true)
        groupRows = 0
    }

    private mutating func opened() -> ParquetFileWriter<FileSystemError> {
        let all =
            SummaryColumn.allCases.map(\.column) + properties.leaves.map(\.column) + (keepsProperties ? [SummaryColumn.properties] : [])
        let opened = writer ?? ParquetFileWriter<FileSystemError>(columns: all, write: write)
        writer = opened
        return opened
    }

    /// The runs, sorted by session and number. Runs that touch or overlap become one.
    private static func joined(_ runs: [SummaryFacts.Run]) -> [SummaryFacts.Run] {
        var joined: [SummaryFacts.Run] = []
        for run in runs.sorted(by: { ($0.session, $0.low) < ($1.session, $1.low) }) {
            if let last = joined.last, last.session == run.session, run.low <= last.high + 1 {
                joined[joined.count - 1].high = max(last.high, run.high)
            } else {
                joined.append(run)
            }
        }
        return joined
    }
}

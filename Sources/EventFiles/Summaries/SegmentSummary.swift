import Basics
package import ParquetFiles

/// The summary beside a sealed segment, proven to be of that very segment. Every byte that it uses is proven by a checksum first. It keeps
/// no descriptor: a folder may hold more summaries than a process may have open files.
package final class SegmentSummary: Sendable {
    /// Why the file beside a segment is not used.
    package enum Fault: Error, Sendable, Hashable {
        /// It is of another segment, or the segment has changed since.
        case stale
        /// Another program or another version made it.
        case foreign
        case damaged(String)
        case unreadable(String)
    }

    /// The ending that a summary's name adds to its segment's name.
    package static let ending = SegmentName.summaryEnding

    package let facts: SummaryFacts
    package let file: ParquetFileReader
    package let bytes: Int64
    private let path: String

    private init(_ facts: SummaryFacts, _ file: ParquetFileReader, bytes: Int64, path: String) {
        (self.facts, self.file, self.bytes, self.path) = (facts, file, bytes, path)
    }

    /// Reads the footer of a segment's summary, and proves that it is of the segment. `nil` if there is none, and for an `.open` file.
    package static func open(forSegmentAt path: String, on fileSystem: any FileSystem) throws(Fault) -> SegmentSummary? {
        if path.endsWithBytes(".open") { return nil }
        let summary = path + ending
        let found: FileStatus?
        do throws(FileSystemError) {
            found = try fileSystem.retrying(fileSystem.status(atPath: summary))
        } catch {
            throw .unreadable("\(error)")
        }
        guard let found, found.kind == .regular else { return nil }
        let reader: ParquetFileReader
        do throws(ParquetError) {
            reader = try ParquetFileReader(size: found.bytes) { room, offset throws(ParquetError) in
                do throws(FileSystemError) {
                    try read(summary, found, into: room, at: offset, on: fileSystem)
                } catch {
                    throw ParquetError(.unreadable, at: offset, "\(error)")
                }
            }
        } catch {
            throw Fault(error)
        }
        guard let text = reader.metadata.first(where: { $0.key == SummaryFacts.key })?.value, let facts = SummaryFacts(text),
            facts.describes(reader)
        else { throw .foreign }
        guard facts.segment.utf8.elementsEqual(FilePath(path).name.utf8), try isSegment(path, facts.mark, on: fileSystem) else {
            throw .stale
        }
        return SegmentSummary(facts, reader, bytes: found.bytes, path: path)
    }

    /// Fills `room` from the file of which `first` is the status. Opens the file anew for each read.
    private static func read(
        _ path: String, _ first: FileStatus, into room: UnsafeMutableRawBufferPointer, at offset: Int64, on fileSystem: any FileSystem
    ) throws(FileSystemError) {
        let file = try fileSystem.retrying(fileSystem.openToRead(atPath: path))
        defer { fileSystem.close(file) }
        let now = try fileSystem.retrying(fileSystem.status(of: file))
        // Another file has the name by now.
        guard now.isSameFile(as: first) else { throw FileSystemError(.read, errno: ESTALE, path: path) }
        guard try fileSystem.readAll(into: room, from: file, at: offset) == room.count else {
            throw FileSystemError(.read, errno: EIO, path: path)
        }
    }

    private static func isSegment(_ path: String, _ mark: SegmentMark, on fileSystem: any FileSystem) throws(Fault) -> Bool {
        do throws(FileSystemError) {
            let file = try fileSystem.retrying(fileSystem.openToRead(atPath: path))
            defer { fileSystem.close(file) }
            return try SegmentMark.of(file, bytes: mark.bytes, on: fileSystem) == mark
        } catch {
            if error.errno == ENOENT || error.errno == ENOTDIR { return false }
            throw .unreadable("\(error)")
        }
    }

    /// The result that a reading of the segment's lines would give.
    package var report: FileReadResult {
        var report = FileReadResult(path: path)
        (report.framing, report.hasEndMember) = (.blocked, true)
        (report.bytes, report.members, report.lines) = (facts.mark.bytes, facts.filledMembers, facts.lines)
        return report
    }

    package func idDigests() throws(ParquetError) -> IDDigests {
        let region = try file.region(0)
        return try IDDigests(region.bytes, at: region.offset, of: facts.ids.count)
    }

    /// - Parameter sessions: the texts of the row group's sessions; `nil` if they were not read.
    package func sequenceRuns(inGroup group: Int, _ sessions: ColumnTexts?) throws(ParquetError) -> [SequenceRun] {
        let runs = facts.runs[group]
        guard let last = runs.last, let column = file.column(named: SummaryColumn.session.rawValue) else { return [] }
        var sessions = sessions
        if sessions == nil { sessions = try file.dictionary(ofColumn: column, inGroup: group) }
        guard let sessions, last.session < sessions.count else {
            throw ParquetError(.malformed, at: 0, "the sessions have no dictionary, or a run names one beyond its end")
        }
        return runs.map { SequenceRun(session: .of(sessions[$0.session]), low: $0.low, high: $0.high) }
    }
}

extension SegmentSummary.Fault: CustomStringConvertible {
    package init(_ error: ParquetError) {
        switch error.kind {
        case .unsupported: self = .foreign
        case .unreadable: self = .unreadable("\(error)")
        case .notParquet, .damaged, .malformed: self = .damaged("\(error)")
        }
    }

    package var description: String {
        switch self {
        case .stale: "the segment is not the one that it was made of"
        case .foreign: "it was made by another program or version"
        case .damaged(let message): "it is damaged: \(message)"
        case .unreadable(let message): "it cannot be read: \(message)"
        }
    }
}

extension SummaryFacts {
    fileprivate func describes(_ reader: ParquetFileReader) -> Bool {
        let columns = SummaryColumn.allCases.map(\.column) + leaves.map(\.column)
        return reader.columns.starts(with: columns) && reader.rows == Int64(rows) && runs.count == reader.groupRows.count
            && reader.regionCount == 1
    }
}

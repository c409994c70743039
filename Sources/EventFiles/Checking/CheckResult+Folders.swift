import Basics
import ParquetFiles

extension CheckResult.Pending {
    /// Counts the files of segments in a folder's `.pending`, without rings; `nil` if there are none.
    init?(inside folder: String, on fileSystem: any FileSystem) throws(EventFileReadError) {
        let path = FilePath(folder: folder, name: PendingFolder.name).text
        let found = try reading(path) { () throws(FileSystemError) in
            // There may be no such folder, or a link or a file has its name: no writer made that.
            try allowing([ENOENT, ENOTDIR, ELOOP]) { () throws(FileSystemError) in
                try EventFolder.opened(path, on: fileSystem).regularFiles { SegmentName.parse($0).map { $0.state != .ring } ?? false }
            }
        }
        guard let segments = found, !segments.isEmpty else { return nil }
        (self.path, files, bytes) = (path, segments.count, segments.reduce(0) { $0 + $1.status.bytes })
    }
}

extension CheckResult {
    /// A summary that cannot be used, and why.
    public struct UselessSummary: Sendable, Hashable {
        public var path: String
        /// The reason in words: it is stale, foreign, damaged or cannot be read.
        public var reason: String
    }

    mutating func noteSummaries(of reader: EventFileReader) {
        var opened = reader.openSummaries()
        for (file, summary) in zip(reader.files, opened.all) {
            guard let summary else { continue }
            do throws(ParquetError) {
                try summary.file.proveAll()
                summaries += 1
            } catch {
                opened.ignored.append((file.path + SegmentSummary.ending, "\(SegmentSummary.Fault(error)); move it away, then index"))
            }
        }
        for path in reader.folders {
            // A folder that cannot be listed any more has no summaries to name.
            let names = Set((try? EventFolder.opened(path, on: reader.fileSystem).names()) ?? [])
            for name in names {
                guard let segment = name.droppingLastBytes(SegmentSummary.ending), InputListing.isEventFile(segment) else { continue }
                if names.contains(segment) { continue }
                opened.ignored.append((FilePath(folder: path, name: name).text, "its segment is gone; move it away"))
            }
        }
        uselessSummaries = opened.ignored.map { UselessSummary(path: $0.path, reason: $0.reason) }
        uselessSummaries.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The last segment of each writer among some files. Others are left out, and those that a forgetting made, which have no writer.
    static func lastSegments(among paths: [String]) -> [LastSegment] {
        var last: [String: (number: Int64, segment: LastSegment)] = [:]
        let segments = paths.compactMap { path in SegmentName.parse(FilePath(path).name).map { (path, $0.name, $0.state) } }
        let made = Set(segments.map { ForgetRewriting.replacement(of: $0.1) })
        for (path, name, state) in segments where name.contents == .events && [.open, .sealed].contains(state) && !made.contains(name) {
            if let known = last[name.writerName], known.number >= name.number { continue }
            last[name.writerName] = (name.number, LastSegment(writer: name.writerName, path: path, isOpen: state == .open))
        }
        return last.values.map(\.segment).sorted { $0.writer < $1.writer }
    }
}

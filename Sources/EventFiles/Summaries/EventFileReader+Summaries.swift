extension EventFileReader {
    package struct Summaries: Sendable {
        package var all: [SegmentSummary?] = []
        /// Summaries that are there but cannot be used, each with the reason in words.
        package var ignored: [(path: String, reason: String)] = []
    }

    /// Reads the footers of the summaries beside the files. Proves in O(members) that each was made of its file. No file stays open.
    package func openSummaries() -> Summaries {
        var found = Summaries()
        for file in files {
            var summary: SegmentSummary?
            do throws(SegmentSummary.Fault) {
                if file.bytes != nil { summary = try SegmentSummary.open(forSegmentAt: file.path, on: fileSystem) }
            } catch {
                found.ignored.append((file.path + SegmentSummary.ending, "\(error)"))
            }
            found.all.append(summary)
        }
        return found
    }

    package func reader(of range: Range<Int>) -> EventFileReader {
        var some = self
        some.files = Array(files[range])
        return some
    }
}

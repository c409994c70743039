import EventFiles
import ParquetFiles

/// Finds the ids that need not be read, because no other file can have an event with one of them.
///
/// A file is apart if its range of ids, from the smallest to the largest, overlaps that of no other file, or if it shares no digest of an
/// id with files whose ranges overlap. Of a file that is not apart, the ids with a common digest are compared.
enum SummaryProof {
    /// For each file, which of its ids must be compared with the ids of other files.
    ///
    /// - Parameters:
    ///   - summaries: of the files; `nil` for one that is read line by line, of which nothing is known.
    ///   - isDamaged: called with the index of a file whose digests are damaged: its summary must not be used.
    /// - Complexity: O(n log n) for n files, and O(ids) of those whose ranges overlap, for which about five bytes an id are held meanwhile.
    static func comparedIDs(_ summaries: [SegmentSummary?], isDamaged: (Int, ParquetError) -> Void) -> [ComparedIDs] {
        let all = Array(repeating: summaries.count > 1 ? ComparedIDs.all : .none, count: summaries.count)
        let known = summaries.compactMap { $0 }
        if known.count < summaries.count { return all }
        let overlapping = overlapping(known.map(\.facts.ids))
        var compared = Array(repeating: ComparedIDs.none, count: known.count)
        var lists: [IDDigests] = []
        for file in overlapping {
            do throws(ParquetError) { lists.append(try known[file].idDigests()) } catch { isDamaged(file, error) }
        }
        // A list may be wrong although its checksum is right: then no list is believed.
        guard lists.count == overlapping.count, let common = try? CommonDigests(of: lists) else { return all }
        for (file, shares) in zip(overlapping, common.lists) where shares { compared[file] = .some(common.digests) }
        return compared
    }

    /// The files whose range of ids overlaps another's.
    static func overlapping(_ files: [SummaryFacts.Identifiers]) -> [Int] {
        let withIDs = files.indices.filter { files[$0].count > 0 }
        guard withIDs.count > 1 else { return [] }
        var spans: [(file: Int, smallest: String, largest: String)] = []
        for file in withIDs {
            // A range that is not known may overlap all others.
            guard let smallest = files[file].smallest, let largest = files[file].largest else { return withIDs }
            spans.append((file, smallest, largest))
        }
        spans.sort { $0.smallest.utf8.lexicographicallyPrecedes($1.smallest.utf8) }
        var overlapping: Set<Int> = []
        // The span before this one that reaches farthest: a span that overlaps any span before overlaps that one.
        var farthest = spans[0]
        for span in spans.dropFirst() {
            if !farthest.largest.utf8.lexicographicallyPrecedes(span.smallest.utf8) { overlapping.formUnion([farthest.file, span.file]) }
            if farthest.largest.utf8.lexicographicallyPrecedes(span.largest.utf8) { farthest = span }
        }
        return overlapping.sorted()
    }
}

/// What all `dropped` lines of some files explain.
///
/// A line that retention wrote names the file that it removed. Where that file is present nobody lost it: a copy was made in time, or a
/// writer was killed before the removal. Lines that name the same file say the same, so one of them counts.
struct DroppedSum {
    private let present: Set<String>
    private var removedFiles: Set<String> = []
    /// What was dropped before it came to a file.
    private(set) var dropped = DroppedNote()
    /// What was removed with its file: the oldest, and so mostly beginnings of sessions.
    private(set) var removed = DroppedNote()

    /// - Parameter paths: the files that are read.
    init(files paths: some Sequence<String>) { present = Set(paths.map { FilePath($0).name }) }

    /// Adds the lines of a batch. One that was read before, as in the copy of a file, explains nothing again.
    ///
    /// - Parameter repeated: the indices in ``CheckBatch/ids`` of those that were seen before.
    mutating func add(_ batch: CheckBatch, except repeated: Set<Int>) {
        for line in batch.dropped where !(line.id.map(repeated.contains) ?? false) {
            if let segment = line.note.segment {
                if !present.contains(segment), removedFiles.insert(segment).inserted { removed.add(line.note) }
            } else {
                dropped.add(line.note)
            }
        }
    }
}

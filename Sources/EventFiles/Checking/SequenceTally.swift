import Basics

/// Adds up ids, sequence numbers and `dropped` lines, for a check and for a repair. A line that expiry wrote names the file that it
/// removed. If that file is present, nobody lost it: a copy was made in time, or a writer was killed before the removal. Lines that name
/// the same file say the same, so one of them counts.
struct SequenceTally: ~Copyable {
    /// Numbers that are missing, and how many of them no `dropped` line explains.
    typealias Missing = (gap: SequenceLedger.Gap, unexplained: Int64)

    private var ids = FingerprintSet()
    private var ledger = SequenceLedger()
    private(set) var names: [Fingerprint: String] = [:]
    private(set) var dropped = DroppedNote()
    /// What was removed with its file: the oldest, and so mostly beginnings of sessions.
    private(set) var removed = DroppedNote()
    /// What lines say of removed files, by the file's name.
    private var removals: [String: DroppedProperties] = [:]

    var sessions: Int { ledger.count }
    var clockSteps: [(file: Int, steps: ClockSteps)] { ledger.clockSteps }

    /// Takes the batches in the order of the files and their lines: of two lines with the same id the later is the duplicate, and a
    /// `dropped` line then explains nothing again. Gives the indexes in ``CheckBatch/ids`` of the duplicates.
    mutating func take(_ batch: CheckBatch) -> Set<Int> {
        var repeated: Set<Int> = []
        ids.insert(batch.ids) { repeated.insert($0) }
        ledger.add(batch.sessions.runs)
        names.merge(batch.names) { first, _ in first }
        for (note, id) in batch.dropped where !(id.map(repeated.contains) ?? false) {
            guard let segment = note.segment else {
                dropped.add(note)
                continue
            }
            if removals[segment] == nil { removals[segment] = note }
        }
        return repeated
    }

    /// What is missing between a session's numbers, by session, then by number, and before its first one. Nothing can be taken afterwards.
    /// A line explains the numbers of the sessions that it names, then those that it counts without naming their session. What was removed
    /// with a file explains beginnings before gaps, for the oldest files go first. What was dropped explains gaps first.
    ///
    /// - Parameter paths: the files that were read. One that was listed may be gone since.
    mutating func missing(beside paths: some Sequence<String>) -> (gaps: [Missing], beginnings: [Missing]) {
        let present = Set(paths.map { FilePath($0).name })
        for (segment, note) in removals where !present.contains(segment) { self.removed.add(note) }
        let found = ledger.finish()
        var (dropped, removed) = (dropped, removed)
        var beginnings: [Missing] = ledger.beginnings().map { ($0, removed.rest(of: $0.count, $0.session)) }
        let gaps: [Missing] = found.map { ($0, removed.rest(of: dropped.rest(of: $0.count, $0.session), $0.session)) }
        for (index, (gap, rest)) in beginnings.enumerated() { beginnings[index].unexplained = dropped.rest(of: rest, gap.session) }
        return (gaps, beginnings)
    }
}

/// Adds up ids, sequence numbers and `dropped` lines, for a check and for a repair. A `dropped` line of expiry names the file that expiry
/// removed. If that file is present, nothing was lost: a copy was made in time, or the writer was killed before the removal. Lines that
/// name the same file say the same, so only one of them counts.
struct SequenceTally: ~Copyable {
    /// Numbers that are missing, and how many of them no `dropped` line explains.
    typealias Missing = (gap: SequenceLedger.Gap, unexplained: Int64)

    private var ids = FingerprintSet()
    private var ledger = SequenceLedger()
    private(set) var names: [Fingerprint: String] = [:]
    private(set) var dropped = DroppedNote()
    /// Events that were removed with their file: the oldest ones, mostly beginnings of sessions.
    private(set) var removed = DroppedNote()
    /// The `dropped` lines about removed files, by the name of the file.
    private var removals: [String: DroppedProperties] = [:]

    var sessions: Int { ledger.count }
    var clockSteps: [(file: Int, steps: ClockSteps)] { ledger.clockSteps }

    /// Takes the batches in the order of the files and their lines: of two lines with the same id the later one is the duplicate. A
    /// `dropped` line that is a duplicate explains nothing. Returns the indexes of the duplicates in ``CheckBatch/ids``.
    mutating func take(_ batch: CheckBatch) -> Set<Int> {
        var repeated: Set<Int> = []
        ids.insert(batch.ids) { repeated.insert($0) }
        ledger.add(batch.sessions.runs)
        names.merge(batch.names) { first, _ in first }
        for (note, id) in batch.dropped where !(id.map(repeated.contains) ?? false) {
            if let segment = note.segment { removals[segment] = removals[segment] ?? note } else { dropped.add(note) }
        }
        return repeated
    }

    /// The numbers missing between a session's numbers, by session and number, and before its first one. Nothing can be taken afterwards. A
    /// `dropped` line explains numbers of the sessions that it names. Its events of unnamed sessions then explain those of any session.
    /// Events removed with a file explain beginnings first, as the oldest files go first. Other dropped events explain gaps first.
    ///
    /// - Parameter paths: the files that were read. Files that were listed and gone before that are not among them.
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

import Basics

/// Adds up ids, sequence numbers and `dropped` lines, for a check and for a repair.
struct SequenceTally: ~Copyable {
    private var ids = FingerprintSet()
    private var ledger = SequenceLedger()
    /// What the sessions are called.
    private(set) var names: [Fingerprint: String] = [:]
    private(set) var dropped: DroppedSum

    /// - Parameter paths: the files that are read.
    init(files paths: some Sequence<String>) { dropped = DroppedSum(files: paths) }

    /// How many sessions there are.
    var sessions: Int { ledger.count }
    /// Steps of the clock between runs of lines, with the file of the later line.
    var clockSteps: [(file: Int, steps: ClockSteps)] { ledger.clockSteps }

    /// Takes the batches in the order of the files and their lines: of two lines with the same id the later is the duplicate.
    ///
    /// - Returns: the indexes in ``CheckBatch/ids`` of those that were seen before.
    mutating func take(_ batch: CheckBatch) -> Set<Int> {
        var repeated: Set<Int> = []
        ids.insert(batch.ids) { repeated.insert($0) }
        ledger.add(batch.sessions.runs)
        names.merge(batch.names) { first, _ in first }
        dropped.add(batch, except: repeated)
        return repeated
    }

    /// What is missing. Nothing can be taken afterwards.
    mutating func missing() -> MissingSequences {
        let gaps = ledger.finish()
        return MissingSequences(gaps: gaps, beginnings: ledger.beginnings(), dropped)
    }
}

/// Numbers that are missing, and how many of each gap no `dropped` line explains.
///
/// A line explains the numbers of the sessions that it names, then those that it counts without naming their session. What was removed with a
/// file explains beginnings before gaps, for the oldest files go first. What was dropped explains gaps first.
struct MissingSequences {
    typealias Found = (gap: SequenceLedger.Gap, unexplained: Int64)

    /// By session, then by number.
    private(set) var gaps: [Found] = []
    /// What is missing before the first number of a session.
    private(set) var beginnings: [Found] = []

    fileprivate init(gaps: [SequenceLedger.Gap], beginnings: [SequenceLedger.Gap], _ sum: DroppedSum) {
        var (dropped, removed) = (sum.dropped, sum.removed)
        self.beginnings = beginnings.map { ($0, removed.rest(of: $0.count, $0.session)) }
        self.gaps = gaps.map { ($0, removed.rest(of: dropped.rest(of: $0.count, $0.session), $0.session)) }
        for index in beginnings.indices {
            self.beginnings[index].unexplained = dropped.rest(of: self.beginnings[index].unexplained, beginnings[index].session)
        }
    }
}

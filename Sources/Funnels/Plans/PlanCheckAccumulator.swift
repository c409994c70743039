import Basics
import EventFiles
import TrackingPlans

/// Adds up the batches of one pass into a ``PlanCheckResult``.
struct PlanCheckAccumulator: ~Copyable {
    private let files: [String]
    private var tally = BatchTally()
    private var rows: [(violation: PlanCheckResult.Violation, isSession: Bool, sessions: [Fingerprint: Int])] = []
    private var numbers = Numbering<PlanFinding>()
    private var counts: [ExactText: Int] = [:]
    private var sessionLines = 0
    private var sessionIDs = FingerprintSet()
    /// The version of each session. It may stand behind the session's events, and in another file.
    private var versions: [Fingerprint: String] = [:]

    init(files: [String]) { self.files = files }

    mutating func take(_ batch: PlanBatch) {
        tally.take(batch.head)
        // A repaired file may lie beside the file that it was made from, and has the same lines.
        let isNew = batch.sessionLines.map { $0.isNone || sessionIDs.insert($0) }
        sessionLines += isNew.count { $0 }
        for (session, version) in batch.versions { versions[session] = version }
        var ofName = Array(repeating: 0, count: batch.names.count)
        for (event, number) in batch.nameNumbers.enumerated() where number != .max && !tally.isDuplicate(event) { ofName[Int(number)] += 1 }
        // A name that is not UTF-8 is shown, and looked up, with replacement characters.
        for (name, count) in zip(batch.names, ofName) where count > 0 {
            counts[ExactText(String(decoding: name, as: UTF8.self)), default: 0] += count
        }
        for finding in batch.findings where finding.key.isSession ? isNew[finding.number] : !tally.isDuplicate(finding.number) {
            let row = row(of: finding, in: batch.file)
            rows[row].violation.count += 1
            rows[row].violation.firstMilliseconds = min(rows[row].violation.firstMilliseconds, finding.time)
            rows[row].violation.lastMilliseconds = max(rows[row].violation.lastMilliseconds, finding.time)
            rows[row].sessions[finding.session, default: 0] += 1
        }
    }

    private mutating func row(of finding: PlanBatch.Finding, in file: Int) -> Int {
        let (key, row) = (finding.key, numbers.number(of: finding.key))
        if row < rows.count { return row }
        let violation = PlanCheckResult.Violation(
            kind: key.kind, event: key.event.text, property: key.property?.text, file: files[file], line: finding.line,
            example: finding.violation.example, isString: finding.violation.isString)
        rows.append((violation, key.isSession, [:]))
        return row
    }

    consuming func result(_ run: PlanCheckRun, _ reading: ReadResult) -> PlanCheckResult {
        let input = tally.finish(reading)
        let violations = rows.map { row in
            var violation = row.violation
            violation.events = row.isSession ? sessionLines : counts[ExactText(violation.event)] ?? 0
            violation.versions = byVersion(row.sessions)
            return violation
        }
        let sorted = violations.sorted { a, b in
            (b.count, a.event, a.property ?? "", a.kind.rawValue) < (a.count, b.event, b.property ?? "", b.kind.rawValue)
        }
        return PlanCheckResult(plan: run.plan.name, violations: sorted, range: run.range, cohort: run.cohort, input: input)
    }

    private borrowing func byVersion(_ sessions: [Fingerprint: Int]) -> [PlanCheckResult.Version] {
        var counts: [ExactText: Int] = [:]
        for (session, count) in sessions { counts[ExactText(versions[session] ?? PlanCheckResult.noVersion), default: 0] += count }
        return counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
            .map { PlanCheckResult.Version(name: $0.key.text, count: $0.value) }
    }
}

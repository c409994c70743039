import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct SessionRunsTests {
    @Test func `numbers that follow each other are one run, whatever comes between`() {
        var runs = SessionRuns()
        for sequence in 1...50 as ClosedRange<Int64> {
            for session in 1...20 as ClosedRange<UInt64> { runs.note(Fingerprint(session), sequence: sequence) }
        }
        #expect(runs.runs == (1...20).map { .init(session: Fingerprint($0), low: 1, high: 50) })
    }

    @Test func `a number that does not follow begins a run`() {
        var runs = SessionRuns()
        for sequence in [3, 4, 4, 5, 9, 1, 2] as [Int64] { runs.note(8, sequence: sequence) }
        #expect(
            runs.runs == [
                .init(session: 8, low: 3, high: 4), .init(session: 8, low: 4, high: 5), .init(session: 8, low: 9, high: 9),
                .init(session: 8, low: 1, high: 2),
            ])
    }

    @Test func `the greatest number has no next one`() {
        var runs = SessionRuns()
        for sequence in [Int64.max, 1] { runs.note(8, sequence: sequence) }
        #expect(runs.runs.map(\.low) == [.max, 1])
    }

    @Test func `sessions that share a slot lose no number`() {
        var runs = SessionRuns()
        var random = SeededRandom(seed: 4)
        var noted: [UInt64: Set<Int64>] = [:]
        var next: [UInt64: Int64] = [:]
        for _ in 0..<20_000 {
            // The low bits have three values, so that many sessions share a slot.
            let session = (random.next() % 300) << 20 | random.next() % 3 + 1
            next[session, default: 0] += 1
            noted[session, default: []].insert(next[session] ?? 0)
            runs.note(Fingerprint(session), sequence: next[session] ?? 0)
        }
        var found: [UInt64: Set<Int64>] = [:]
        for run in runs.runs { found[run.session.low, default: []].formUnion(run.low...run.high) }
        #expect(found == noted)
    }
}

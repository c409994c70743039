import Testing
import TrackingEvents

@testable import EventFiles

@Suite("Sequence gaps")
struct SequenceLedgerTests {
    @Test(
        "a session lacks highest − lowest + 1 − distinct numbers",
        arguments: [
            ([], 0), ([(1, 5)], 0), ([(1, 1), (1, 2), (1, 3)], 0), ([(1, 1), (1, 3)], 1), ([(1, 3), (1, 1)], 1),
            ([(1, 1), (2, 9), (1, 4), (2, 7)], 3), ([(1, 1), (1, 1), (1, 3), (1, 3)], 1), ([(1, 2), (1, 1), (1, 3)], 0),
            ([(1, 10), (1, 5), (1, 6), (1, 7), (1, 8), (1, 9)], 0), ([(1, 1), (1, .max)], .max - 2),
            ([(1, 1), (1, .max), (2, 1), (2, .max)], .max),
        ] as [([(UInt64, Int64)], Int64)])
    func gaps(lines: [(UInt64, Int64)], expected: Int64) {
        var ledger = SequenceLedger()
        for (session, sequence) in lines { ledger.add(.init(session: Fingerprint(session), low: sequence, high: sequence)) }
        #expect(ledger.missing() == expected)
    }

    @Test("any order of lines gives the same count", arguments: 0..<4)
    func anyOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var known: [UInt64: Set<Int64>] = [:]
        var lines: [(UInt64, Int64)] = []
        // With seeds below 2 there are so many that the ledger folds runs while others still come.
        for _ in 0..<(seed < 2 ? 75_000 : 10_000) {
            // Three sessions with many lines each, or 5,000 sessions with few.
            let session = seed % 2 == 0 ? UInt64.random(in: 1...3, using: &random) : random.next() % 5000 + 1
            let sequence = Int64.random(in: 1...(seed < 2 ? 60_000 : 30), using: &random)
            known[session, default: []].insert(sequence)
            lines.append((session, sequence))
        }
        let expected = known.values.reduce(0) { $0 + $1.max()! - $1.min()! + 1 - Int64($1.count) }
        var ledger = SequenceLedger()
        for (session, sequence) in lines { ledger.add(.init(session: Fingerprint(session), low: sequence, high: sequence)) }
        #expect(ledger.missing() == expected)
        var sorted = SequenceLedger()
        for (session, sequence) in lines.sorted(by: <) { sorted.add(.init(session: Fingerprint(session), low: sequence, high: sequence)) }
        #expect(sorted.missing() == expected)
        var inRuns = SequenceLedger()
        for start in stride(from: 0, to: lines.count, by: 4_000) {
            var runs = SessionRuns()
            for (session, sequence) in lines[start..<min(start + 4_000, lines.count)].sorted(by: { $0.1 < $1.1 }) {
                runs.note(Fingerprint(session), sequence: sequence)
            }
            for run in runs.runs { inRuns.add(run) }
        }
        #expect(inRuns.missing() == expected)
        var expecting = SequenceLedger()
        expecting.reserve(lines.count / 2)
        for (session, sequence) in lines { expecting.add(.init(session: Fingerprint(session), low: sequence, high: sequence)) }
        #expect(expecting.missing() == expected && expecting.count == known.count)
    }

    @Test(
        "runs that overlap, touch or contain each other are counted once",
        arguments: [
            ([(1, 5), (6, 9)], 0), ([(6, 9), (1, 5)], 0), ([(1, 5), (3, 9)], 0), ([(3, 9), (1, 5)], 0), ([(1, 9), (4, 5)], 0),
            ([(4, 5), (1, 9)], 0), ([(1, 2), (5, 6)], 2), ([(5, 6), (1, 2), (3, 4)], 0), ([(5, 6), (9, 9), (1, 1), (8, 8)], 4),
            ([(1, 1), (.max, .max)], .max - 2),
        ] as [([(Int64, Int64)], Int64)])
    func runs(runs: [(Int64, Int64)], expected: Int64) {
        var ledger = SequenceLedger()
        for (low, high) in runs { ledger.add(.init(session: 7, low: low, high: high)) }
        #expect(ledger.missing() == expected)
    }
}

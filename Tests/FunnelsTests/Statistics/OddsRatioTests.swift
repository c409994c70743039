import EventFiles
import Testing

@testable import Funnels

/// The expected numbers are what statsmodels 0.15 answers.
@Suite struct OddsRatioTests {
    @Test(arguments: [
        ((56, 70), (48, 80), 2.6666666666666665, 1.2762178705364342, 5.572019696074382),
        ((9, 10), (3, 10), 21.0, 1.777485851006425, 248.10324073764215),
        // With an empty cell, a half is added to each of the four cells.
        ((0, 10), (0, 20), 1.9523809523809523, 0.03612312125236345, 105.52220436849876),
        ((10, 10), (0, 20), 861.0, 15.930296472292289, 46535.292126508),
    ])
    func `the odds ratio has Woolf's interval`(
        _ converted: (Int, Int), _ dropped: (Int, Int), _ value: Double, _ lower: Double, _ upper: Double
    ) {
        let ratio = OddsRatio(converted: Share(converted.0, of: converted.1), dropped: Share(dropped.0, of: dropped.1))
        #expect(abs(ratio.value / value - 1) < 1e-12)
        #expect(abs(ratio.interval.lower / lower - 1) < 1e-12 && abs(ratio.interval.upper / upper - 1) < 1e-12)
    }

    @Test(arguments: [1, 2]) func `only more users narrow the interval, not more forks of each`(ofEach: Int) {
        // Of 40 users each quarter is one cell of the table.
        let forks = (0..<40 * ofEach).map { fork in
            let user = fork / ofEach
            return WhyTable.Fork(
                user: Fingerprint(made: user), time: Int64(fork), isConverted: user % 4 < 2, had: user % 2 == 0 ? [(0, 0)] : [],
                eventsBefore: 0)
        }
        let table = WhyTable(forks, paths: [0])
        let half = Share(10 * ofEach, of: 20 * ofEach)
        let ratio = OddsRatio(converted: half, dropped: half) { table.logOddsVariance(table.forksOf[0], cells: $0) }
        #expect(ratio.value == 1 && abs(ratio.interval.upper / 3.4540 - 1) < 1e-4)
        #expect(ratio.clusteredPValue == (ofEach == 1 ? 0 : 1))
        #expect(OddsRatio(converted: half, dropped: half).interval.upper < 3.5)
    }

    @Test func `the variance is that of all users' sums, whether they have the candidate or not`() {
        // Users have one to five forks, some of which have the candidate.
        let forks = (0..<90).map { fork in
            let user = fork * fork / 200
            return WhyTable.Fork(
                user: Fingerprint(made: user), time: Int64(fork), isConverted: fork % 3 == 0 || user % 5 == 1,
                had: user % 2 == 0 && fork % 4 < 2 ? [(0, 0)] : [], eventsBefore: 0)
        }
        let (table, cells) = (WhyTable(forks, paths: [0]), [3.0, 5, 7, 11])
        var sums: [Fingerprint: Double] = [:]
        for fork in forks {
            let cell = (fork.isConverted ? 0 : 2) + (fork.had.isEmpty ? 1 : 0)
            sums[fork.user, default: 0] += [1, -1, -1, 1][cell] / cells[cell]
        }
        let wanted = sums.values.reduce(0) { $0 + $1 * $1 }
        #expect(abs(table.logOddsVariance(table.forksOf[0], cells: cells) / wanted - 1) < 1e-12)
    }
}

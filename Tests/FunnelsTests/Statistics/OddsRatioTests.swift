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
}

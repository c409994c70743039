import Foundation
import Testing

@testable import Funnels

/// Answers `Tools/conformance/statistics.py`, which starts this as a process of its own and compares the answers with other libraries'.
///
/// Each line of `LOOPTRAIL_STATISTICS_TABLES` is a table, `56 70 48 80`: counted and total of two shares. Its answer is a line of
/// `LOOPTRAIL_STATISTICS_ANSWERS`: Wilson's interval of the first share, the difference with its interval and p-value, and the odds ratio
/// with its interval. After every ten answers comes a line with the q-values of their p-values.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOOPTRAIL_STATISTICS_TABLES"] != nil))
struct StatisticsProcess {
    @Test func answer() throws {
        let environment = ProcessInfo.processInfo.environment
        let tables = try String(contentsOfFile: try #require(environment["LOOPTRAIL_STATISTICS_TABLES"]), encoding: .utf8)
        var answers = ""
        var pValues: [Double?] = []
        for line in tables.split(separator: "\n") {
            let numbers = try line.split(separator: " ").map { try #require(Int($0)) }
            try #require(numbers.count == 4)
            let (share, other) = (Share(numbers[0], of: numbers[1]), Share(numbers[2], of: numbers[3]))
            let difference = ShareDifference(share, other)
            let ratio = OddsRatio(converted: share, dropped: other)
            let answer: [Double?] = [
                share.interval?.lower, share.interval?.upper, difference?.value, difference?.interval.lower, difference?.interval.upper,
                difference?.pValue, ratio.value, ratio.interval.lower, ratio.interval.upper,
            ]
            answers += Self.text(answer)
            pValues.append(difference?.pValue)
            if pValues.count == 10 {
                answers += Self.text(FalseDiscovery.qValues(pValues))
                pValues = []
            }
        }
        try answers.write(toFile: try #require(environment["LOOPTRAIL_STATISTICS_ANSWERS"]), atomically: true, encoding: .utf8)
    }

    private static func text(_ numbers: [Double?]) -> String {
        numbers.map { $0.map { "\($0)" } ?? "none" }.joined(separator: " ") + "\n"
    }
}

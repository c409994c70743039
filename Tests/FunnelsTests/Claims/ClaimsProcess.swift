import EventFiles
import Foundation
import Testing

@testable import Funnels

/// Answers `Tools/conformance/claims_tables.py`, which starts this as a process of its own and compares the answers with other libraries'.
///
/// Each line of `LOOPTRAIL_CLAIM_TABLES` is a letter and rows that end in semicolons; its answer is a line of `LOOPTRAIL_CLAIM_ANSWERS`.
/// `s`, or `u` where users are held equal, too: rows are `user stratum marked visits converted`; the answer is difference, standard error,
/// p-value, interval and the size that seven looks would see (0 if none is named), or `none`. `d`: rows are the days of a
/// trend, `visits converted weekday`; the answer is size, standard error and p-value of the step at each day from the third to the last
/// but one. `w`: rows are forks, `user day before converted has`; the answer is the difference that `has` makes, its standard error,
/// degrees of freedom and p-value, or `none`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOOPTRAIL_CLAIM_TABLES"] != nil))
struct ClaimsProcess {
    @Test func answer() throws {
        let environment = ProcessInfo.processInfo.environment
        let tables = try String(contentsOfFile: try #require(environment["LOOPTRAIL_CLAIM_TABLES"]), encoding: .utf8)
        var answers = ""
        for line in tables.split(separator: "\n") {
            let rows = line.dropFirst().split(separator: ";").map { $0.split(separator: " ").compactMap { Int($0) } }
            if line.hasPrefix("d") {
                let days = DailyTrend(rows.map { DailyTrend.Day(start: 0, visits: $0[0], converted: $0[1], weekday: $0[2]) })
                let steps = (2..<days.days.count - 1).compactMap(days.step(at:))
                answers += steps.map(\.size).map { "\($0.value) \($0.error) \($0.pValue)" }.joined(separator: " ") + "\n"
                continue
            }
            if line.hasPrefix("w") {
                let forks = rows.map { row in
                    WhyTable.Fork(
                        user: Fingerprint(made: row[0]), time: Int64(row[1]) * 86_400_000, isConverted: row[3] == 1,
                        had: row[4] == 1 ? [(0, 0)] : [], eventsBefore: row[2])
                }
                var table = WhyTable(forks, paths: [0])
                table.numberDays(FunnelRun.dayOfUTC)
                let model = WhyModel(table.forks.map(\.isConverted), users: table.users, strata: table.strata(withoutEvents: []))
                let found = model.difference(table.forksOf[0])
                answers += found.map { "\($0.value) \($0.error) \($0.degrees) \($0.pValue)" } ?? "none"
                answers += "\n"
                continue
            }
            let found = AdjustedDifference(
                rows.map { AdjustedDifference.Row(user: $0[0], stratum: $0[1], group: $0[2], visits: $0[3], converted: $0[4]) },
                holdsUsers: line.hasPrefix("u"))
            answers +=
                found.map(\.estimate).map { one in
                    let interval = one.interval()
                    return "\(one.value) \(one.error) \(one.pValue) \(interval.lower) \(interval.upper) \(one.detectable(looks: 7) ?? 0)"
                } ?? "none"
            answers += "\n"
        }
        try answers.write(toFile: try #require(environment["LOOPTRAIL_CLAIM_ANSWERS"]), atomically: true, encoding: .utf8)
    }
}

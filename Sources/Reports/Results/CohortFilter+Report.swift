import Basics
package import Funnels

extension CohortFilter {
    /// Whose events counted; empty where everybody's did.
    var facts: [ReportFact] {
        [only.map { ReportFact("Only", .data($0.words)) }, except.map { ReportFact("Without", .data($0.words)) }].compactMap(\.self)
    }

    /// `only 1,234 users of lost.csv`.
    func words(in table: TableReport) -> [String] {
        [only.map { "only \(table.shown($0.words))" }, except.map { "without \(table.shown($0.words))" }].compactMap(\.self)
    }

    var json: JSONObject { (only.map { ["only_users": $0.json] } ?? [:]) + (except.map { ["not_users": $0.json] } ?? [:]) }
}

extension Cohort {
    /// `1,234 users`, `1 value of props.plan`.
    package var countedKeys: String {
        key.isProperty ? "\(GroupedNumber.counted(count, "value")) of \(key.description)" : GroupedNumber.counted(count, key.description)
    }

    fileprivate var words: String { "\(countedKeys) of \(name)" }

    fileprivate var json: JSONObject { ["file": name, "by": key.description, "keys": count] }
}

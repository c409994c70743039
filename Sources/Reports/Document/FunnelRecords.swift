import Funnels

/// A funnel's steps as rows.
enum FunnelRecords {
    /// All that is known of a step. A row without a group is of everybody.
    static let columns: [ReportTable.Column] =
        [
            .init("Group", key: "group"), .init("Step", key: "step"), .init("Name", key: "name"), .init("Filter", key: "filter"),
            .init("Optional", key: "optional"), .init("Count", key: "count"), .init("Of step 1", key: "of_first"),
            .init("Of step before", key: "of_previous"), .init("Lost", key: "dropped"),
        ] + times("from_previous", "From step before") + times("from_first", "From step 1")

    private static func times(_ key: String, _ title: String) -> [ReportTable.Column] {
        [
            .init("\(title), n", key: "\(key)_n"), .init("\(title), mean", key: "\(key)_mean_ms"),
            .init("\(title), p50", key: "\(key)_p50_ms"), .init("\(title), p90", key: "\(key)_p90_ms"),
            .init("\(title), p99", key: "\(key)_p99_ms"),
        ]
    }

    static func rows(of steps: [FunnelResult.Step], group: ReportValue, in definition: FunnelDefinition) -> [[ReportValue]] {
        steps.map { step in
            let defined = definition.steps[step.index - 1]
            let head: [ReportValue] = [
                group, .count(step.index), .data(defined.pattern.title), defined.pattern.filter.map(ReportValue.data) ?? .none,
                .flag(defined.isOptional), .count(step.count), .share(step.ofFirst), .share(step.ofPrevious), .count(step.dropped),
            ]
            return head + values(step.fromPrevious) + values(step.fromFirst)
        }
    }

    private static func values(_ times: Distribution?) -> [ReportValue] {
        guard let times else { return Array(repeating: .none, count: 5) }
        return [.count(times.n), .duration(times.mean), .duration(times.p50), .duration(times.p90), .duration(times.p99)]
    }

    /// The steps as people want them: as wide as a page.
    static func table(of steps: [FunnelResult.Step], in definition: FunnelDefinition) -> ReportTable {
        ReportTable(
            "How many took each step, and how long it took them from the step before",
            columns: [
                .init("Step", key: "step"), .init("Event", key: "name"), .init("Count", key: "count"),
                .init("Of step 1", key: "of_first"), .init("Of step before", key: "of_previous"), .init("Lost", key: "dropped"),
                .init("Median time", key: "from_previous_p50_ms"), .init("p90", key: "from_previous_p90_ms"),
            ],
            rows: steps.map { step in
                [
                    .count(step.index), .data(definition.steps[step.index - 1].description), .count(step.count), .share(step.ofFirst),
                    step.index == 1 ? .none : .share(step.ofPrevious), step.index == 1 ? .none : .count(step.dropped),
                    step.fromPrevious.map { .duration($0.p50) } ?? .none, step.fromPrevious.map { .duration($0.p90) } ?? .none,
                ]
            })
    }
}

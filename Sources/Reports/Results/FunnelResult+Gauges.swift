public import Funnels

/// A funnel's numbers for a dashboard that is looked at every day.
extension FunnelResult {
    private static let users = ReportGauge.Family("looptrail_funnel_users", "Keys whose chain took a step of the funnel, by step.")
    private static let ratio = ReportGauge.Family(
        "looptrail_funnel_conversion_ratio", "Share of those that entered which converted, 0 to 1.")
    private static let open = ReportGauge.Family(
        "looptrail_funnel_window_open_users", "Keys that did not convert and still had time when the data ended.")
    private static let time = ReportGauge.Family(
        "looptrail_funnel_time_to_convert_seconds", "Time from step 1 to the last required one, by percentile.")
    private static let groupUsers = ReportGauge.Family(
        "looptrail_funnel_group_users", "Keys of a group of the breakdown whose chain took a step, by group and step.")
    private static let groupRatio = ReportGauge.Family(
        "looptrail_funnel_group_conversion_ratio", "Share of a group's entries that converted, 0 to 1.")
    private static let end = ReportGauge.Family(
        "looptrail_funnel_data_end_timestamp_seconds", "Time of the last event that was read, in seconds since 1970 UTC.")
    private static let faults = ReportGauge.Family(
        "looptrail_funnel_input_faults", "Places where the files that were read are damaged, bad or have gaps, by kind.")

    public var gauges: [ReportGauge] {
        let subject = definition.title
        func gauge(_ family: ReportGauge.Family, _ labels: [(String, String)], _ value: Double?) -> [ReportGauge] {
            value.map { [ReportGauge(family, of: subject, labels: labels, $0)] } ?? []
        }
        var gauges = steps.flatMap { gauge(Self.users, [("step", String($0.index))], Double($0.count)) }
        gauges += gauge(Self.ratio, [], rate)
        gauges += gauge(Self.open, [], Double(windowOpen))
        if let time = timeToConvert {
            // `quantile` would be a label of summaries alone.
            for (percentile, value) in [("50", time.p50), ("90", time.p90), ("99", time.p99)] {
                gauges += gauge(Self.time, [("percentile", percentile)], value / 1000)
            }
        }
        for group in groups {
            gauges += group.steps.flatMap {
                gauge(Self.groupUsers, [("group", group.value), ("step", String($0.index))], Double($0.count))
            }
            gauges += gauge(Self.groupRatio, [("group", group.value)], group.steps[definition.lastRequiredStep].ofFirst)
        }
        gauges += gauge(Self.end, [], input.lastMilliseconds.map { Double($0) / 1000 })
        for (kind, count) in [("bad_lines", input.badLines), ("damaged_members", input.damagedMembers)] {
            gauges += gauge(Self.faults, [("kind", kind)], Double(count))
        }
        return gauges + gauge(Self.faults, [("kind", "sequence_gaps")], Double(input.sequenceGaps))
    }
}

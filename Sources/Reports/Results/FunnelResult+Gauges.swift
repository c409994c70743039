public import Funnels

/// A funnel's numbers for a dashboard that is looked at every day.
extension FunnelResult {
    public var gauges: [ReportGauge] {
        func gauge(_ name: String, _ help: String, _ value: Double?, _ labels: [(String, String)] = []) -> [ReportGauge] {
            let (name, subject) = ("looptrail_funnel_\(name)", definition.title)
            return value.map { [ReportGauge(name: name, help: help, subject: subject, value: $0, labels: labels)] } ?? []
        }
        let counted = definition.counting == .users ? "Keys" : definition.counting == .visits ? "Visits" : "Attempts"
        var gauges = steps.flatMap {
            gauge("users", "\(counted) whose chain took a step of the funnel, by step.", Double($0.count), [("step", String($0.index))])
        }
        gauges += gauge("conversion_ratio", "Share of those that entered which converted, 0 to 1.", rate)
        gauges += gauge("window_open_users", "\(counted) that did not convert and still had time when the data ended.", Double(windowOpen))
        // Prometheus has the label `quantile` for summaries only.
        for (percentile, value) in [("50", timeToConvert?.p50), ("90", timeToConvert?.p90), ("99", timeToConvert?.p99)] {
            let help = "Time from step 1 to the last required one, by percentile."
            gauges += gauge("time_to_convert_seconds", help, value.map { $0 / 1000 }, [("percentile", percentile)])
        }
        for group in groups {
            let help = "\(counted) of a group of the breakdown whose chain took a step, by group and step."
            for step in group.steps {
                gauges += gauge("group_users", help, Double(step.count), [("group", group.value), ("step", String(step.index))])
            }
            let rate = group.steps[definition.lastRequiredStep].ofFirst
            gauges += gauge("group_conversion_ratio", "Share of a group's entries that converted, 0 to 1.", rate, [("group", group.value)])
        }
        gauges += gauge(
            "data_end_timestamp_seconds", "Time of the last event that was read, in seconds since 1970 UTC.",
            input.lastMilliseconds.map { Double($0) / 1000 })
        let faults = [
            ("bad_lines", Double(input.badLines)), ("damaged_members", Double(input.damagedMembers)),
            ("sequence_gaps", Double(input.sequenceGaps)),
        ]
        let help = "Places where the files that were read are damaged, bad or have gaps, by kind."
        return gauges + faults.flatMap { gauge("input_faults", help, $1, [("kind", $0)]) }
    }
}

import LoopCore

/// The measurements of one system's events of one name. No two series have the same labels.
struct MetricSeries {
    private struct Key: Hashable {
        let system: String
        let event: String
    }

    let system: String
    let event: String
    private(set) var count: UInt64 = 0
    private(set) var failed: UInt64 = 0
    private(set) var cancelled: UInt64 = 0
    /// Phases without a value are left out.
    private(set) var phases: [(phase: TracePhase, times: LatencyHistogram)] = []

    /// In the order of the events. To readers of metrics a missing system name and an empty one are the same, so these are merged.
    static func of(_ events: [EventMeasurements]) -> [MetricSeries] {
        var all: [MetricSeries] = []
        var indices: [Key: Int] = [:]
        for event in events {
            let key = Key(system: event.system ?? "", event: event.event)
            let index = indices[key] ?? all.count
            if index == all.count {
                indices[key] = index
                all.append(MetricSeries(system: key.system, event: key.event))
            }
            all[index].add(event)
        }
        return all
    }

    /// Without the system where it has no name.
    var labels: [(String, String)] {
        (system.isEmpty ? [] : [(MetricKey.system, system)]) + [(MetricKey.event, event)]
    }

    private mutating func add(_ event: EventMeasurements) {
        count &+= event.count
        failed &+= event.failed
        cancelled &+= event.cancelled
        for phase in TracePhase.allCases where !event[phase].isEmpty {
            if let index = phases.firstIndex(where: { $0.phase == phase }) {
                phases[index].times.merge(event[phase])
            } else {
                phases.append((phase, event[phase]))
            }
        }
    }
}

import LoopCore

/// What metrics are made of: the measurements of one system's events of one name. No two have the same labels.
struct MetricSeries {
    private struct Labels: Hashable {
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

    /// In the order of the events. No name and an empty one are the same to those who read metrics, so they come together.
    static func of(_ events: [EventTrace]) -> [MetricSeries] {
        var all: [MetricSeries] = []
        var places: [Labels: Int] = [:]
        for event in events {
            let labels = Labels(system: event.system ?? "", event: event.event)
            let place = places[labels] ?? all.count
            if place == all.count {
                places[labels] = place
                all.append(MetricSeries(system: labels.system, event: labels.event))
            }
            all[place].add(event)
        }
        return all
    }

    private init(system: String, event: String) {
        self.system = system
        self.event = event
    }

    private mutating func add(_ event: EventTrace) {
        count &+= event.count
        failed &+= event.failed
        cancelled &+= event.cancelled
        for phase in TracePhase.allCases where !event[phase].isEmpty {
            if let place = phases.firstIndex(where: { $0.phase == phase }) {
                phases[place].times.merge(event[phase])
            } else {
                phases.append((phase, event[phase]))
            }
        }
    }
}

extension TracePhase {
    /// The name for programs: `queue_wait`, `reduce` … It is part of files and of metrics, and stays as it is.
    public var key: String { description.split(separator: " ").joined(separator: "_") }
}

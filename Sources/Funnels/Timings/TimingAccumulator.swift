import Basics
import EventFiles
import TrackingEvents

/// Adds up the batches of one pass into a ``TimingCatalogue``.
struct TimingAccumulator: ~Copyable, BatchSum {
    private struct Event: Hashable {
        var system: String?
        var name: String
    }

    /// The phases in the order in which an event passes them. Others come after them, by name.
    private static let phases = ["queue_wait", "reduce", "effect", "bindings", "middleware", "total", "feedback"]
    private static let others = "(other)"

    private let run: TimingRun
    private var tally = BatchTally()
    private var ids = FingerprintSet()
    private var events: [Event: [String: LatencyBuckets]] = [:]
    private var entries = 0
    private var lines = 0
    private var unreadable = 0
    private var first = Int64.max
    private var last = Int64.min

    init(_ run: TimingRun) { self.run = run }

    mutating func take(_ batch: TimingBatch) {
        tally.take(batch.head)
        for line in batch.lines {
            // A repaired file may lie beside the file that it was made from, and has the same lines.
            if !line.id.isNone && !ids.insert(line.id) { continue }
            guard let timing = line.timing else {
                unreadable += 1
                continue
            }
            lines += 1
            first = min(first, line.time)
            last = max(last, line.time)
            add(timing, system: line.system)
        }
    }

    private mutating func add(_ timing: TimingLine, system: String?) {
        var event = Event(system: system, name: timing.event)
        var phase = timing.phase
        if events[event]?[phase] == nil {
            if entries >= TimingCatalogue.entryLimit {
                event = Event(system: nil, name: Self.others)
                phase = Self.phases.contains(phase) ? phase : Self.others
            }
            entries += 1
        }
        events[event, default: [:]][phase, default: LatencyBuckets()].merge(timing.buckets)
    }

    consuming func answer(_ reading: ReadResult) -> TimingCatalogue {
        let input = tally.finish(reading)
        let sorted = events.map { (event: $0.key, phases: $0.value, time: Self.time($0.value)) }.sorted { a, b in
            (b.time, a.event.name, a.event.system ?? "") < (a.time, b.event.name, b.event.system ?? "")
        }
        let top = run.top ?? sorted.count
        return TimingCatalogue(
            entries: sorted.prefix(top).flatMap { Self.entries($0.event, $0.phases) }, leftOut: max(0, sorted.count - top),
            leftOutEntries: sorted.dropFirst(top).flatMap { Self.entries($0.event, $0.phases) }, lines: lines,
            unreadableLines: unreadable, firstMilliseconds: lines == 0 ? nil : first, lastMilliseconds: lines == 0 ? nil : last,
            range: run.range, system: run.system, cohort: run.cohort, input: input)
    }

    private static func time(_ phases: [String: LatencyBuckets]) -> UInt64 {
        phases["total"]?.total ?? phases.values.reduce(0) { $0.addingClamped($1.total) }
    }

    private static func entries(_ event: Event, _ phases: [String: LatencyBuckets]) -> [TimingCatalogue.Entry] {
        func rank(_ phase: String) -> Int { Self.phases.firstIndex(of: phase) ?? Self.phases.count }
        return phases.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }.compactMap { name, times in
            guard let p50 = times.percentile(50), let p90 = times.percentile(90), let p99 = times.percentile(99) else { return nil }
            return TimingCatalogue.Entry(
                system: event.system, event: event.name, phase: name, count: times.count, total: times.total, minimum: times.least,
                maximum: times.greatest, p50: p50, p90: p90, p99: p99)
        }
    }
}

import Basics
public import TrackingEvents

/// Writes what was measured into event files, as `timing` lines for `looptrail timings`.
///
/// ```swift
/// let timings = TimingLines(of: traces, to: writer)
/// let task = Task { await timings.write(every: .seconds(60)) }     // until it is cancelled, and then once more
/// …
/// timings.write()                                                  // or by hand, before the writer is closed
/// ```
/// **What is written.** One line for each event and phase with new values: a histogram of these values alone. So lines add up: those of
/// several writes, files and processes merge into one histogram of everything, exactly. Lines are no events: no funnel sees them, and
/// they carry neither user nor session, as they tell about all of them.
///
/// **A collection of its own.** A ``Traces`` may be read by others at the same time. If it is ``Traces/reset()``, do it right after a
/// write: what was measured between the last write and the reset is lost.
///
/// Any thread may call; writes happen one after the other.
public final class TimingLines: Sendable {
    private struct Key: Hashable {
        let system: String?
        let event: String
        let phase: TracePhase
    }

    private struct Contents {
        var told: [Key: LatencyBuckets] = [:]
        var random: SeededRandom
    }

    private let traces: Traces
    private let sink: any TrackingSink
    private let clock: WallClock
    private let contents: Lock<Contents>

    /// - Parameters:
    ///   - traces: what is told.
    ///   - sink: gets the lines: an `EventFileWriter`, or the sink that a tracker has.
    ///   - clock: stamps the lines.
    ///   - random: the source of the lines' ids.
    public init(of traces: Traces, to sink: any TrackingSink, clock: WallClock = .system, random: SeededRandom = SeededRandom()) {
        self.traces = traces
        self.sink = sink
        self.clock = clock
        contents = Lock(Contents(random: random))
    }

    /// Hands the lines of what was measured since the last time to the sink.
    ///
    /// - Complexity: O(names of events).
    public func write() {
        contents.withLock { contents in
            let now = clock.milliseconds
            for trace in traces.events {
                for phase in TracePhase.allCases where !trace[phase].isEmpty {
                    let key = Key(system: trace.system, event: trace.event, phase: phase)
                    let all = trace[phase].buckets
                    let new = contents.told[key].map(all.since) ?? all
                    contents.told[key] = all
                    for event in TimingLine(event: trace.event, phase: phase.key, buckets: new).events {
                        sink.record(
                            TrackedEvent(
                                timeMilliseconds: now, event: event, id: EventID(milliseconds: now, random: &contents.random),
                                kind: .timing,
                                system: trace.system))
                    }
                }
            }
        }
    }

    /// Writes again and again until the task is cancelled, and then once more.
    ///
    /// - Parameters:
    ///   - interval: from one write to the next. A line takes a kilobyte or less, compressed a quarter of that.
    ///   - clock: what the waiting is measured by.
    public func write(every interval: Duration, clock: some Clock<Duration> = ContinuousClock()) async {
        while (try? await clock.sleep(for: interval)) != nil { write() }
        write()
    }
}

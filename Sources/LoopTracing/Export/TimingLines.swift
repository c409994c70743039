import Basics
public import TrackingEvents

/// Writes measurements into event files, as `timing` lines for `looptrail timings`. <doc:Exporting> shows its use.
///
/// **What is written.** One line, rarely more, for each event and phase with new values: a histogram of these alone. So lines add up: those
/// of several writes, files and processes merge exactly into one. They are no events: no funnel sees them. They have no user or session.
///
/// Any thread may call. Times measured between the last write and a ``Measurements/reset()`` are lost: reset right after a write.
public final class TimingLines: Sendable {
    private struct Key: Hashable {
        let system: String?
        let event: String
        let phase: TracePhase
    }

    private struct Contents {
        var written: [Key: LatencyBuckets] = [:]
        /// How often the measurements had been reset at the last write.
        var resets = 0
        var random: SeededRandom
    }

    private let measurements: Measurements
    private let sink: any TrackingSink
    private let clock: WallClock
    private let contents: Lock<Contents>

    /// - Parameters:
    ///   - sink: gets the lines: an `EventFileWriter`, or a tracker's sink.
    ///   - clock: stamps the lines.
    ///   - random: the source of the lines' ids.
    public init(of measurements: Measurements, to sink: any TrackingSink, clock: WallClock = .system, random: SeededRandom = SeededRandom())
    {
        (self.measurements, self.sink, self.clock) = (measurements, sink, clock)
        contents = Lock(Contents(random: random))
    }

    /// Hands the sink the lines of all times measured since the last write, in O(names of events).
    public func write() {
        contents.withLock { contents in
            let now = clock.milliseconds
            let (events, _, resets) = measurements.snapshot
            // Times written before a reset are not subtracted from later ones, even where the counts would allow it.
            if resets != contents.resets { (contents.written, contents.resets) = ([:], resets) }
            for measured in events {
                for (phase, times) in measured.phases {
                    let key = Key(system: measured.system, event: measured.event, phase: phase)
                    let new = contents.written[key].map(times.buckets.since) ?? times.buckets
                    contents.written[key] = times.buckets
                    for event in TimingLine(event: measured.event, phase: phase.rawValue, buckets: new).events {
                        sink.record(
                            StampedEvent(
                                timeMilliseconds: now, event: event, id: EventID(milliseconds: now, random: &contents.random),
                                kind: .timing, system: measured.system))
                    }
                }
            }
        }
    }

    /// Writes again and again until the task is cancelled, and then once more.
    ///
    /// - Parameters:
    ///   - interval: from one write to the next, at least a millisecond. A line mostly takes less than a kilobyte, compressed a quarter of that.
    ///   - clock: measures the interval.
    public func write(every interval: Duration, clock: some Clock<Duration> = ContinuousClock()) async {
        while (try? await clock.sleep(for: max(interval, .milliseconds(1)).asSleep)) != nil { write() }
        write()
    }
}

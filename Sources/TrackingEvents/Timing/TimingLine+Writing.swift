extension TimingLine {
    /// The events that become the lines; none without values.
    package var events: [TrackingEvent] {
        let all = buckets.sparse
        return stride(from: 0, to: all.count, by: Self.maxBuckets).map { start in
            let part = all[start..<min(start + Self.maxBuckets, all.count)]
            return TrackingEvent(
                Self.name,
                [
                    "event": event, "phase": phase, "count": part.reduce(0) { $0 &+ $1.count },
                    "sum_ns": start == 0 ? buckets.total : 0, "min_ns": buckets.least, "max_ns": buckets.greatest,
                    "le_ns": part.map(\.upTo), "n": part.map(\.count),
                ])
        }
    }
}

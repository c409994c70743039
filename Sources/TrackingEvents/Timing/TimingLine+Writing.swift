extension TimingLine {
    /// The events that become the lines; none without values.
    package var events: [TrackingEvent] {
        let all = buckets.sparse
        return stride(from: 0, to: all.count, by: Self.maxBuckets).map { start in
            let part = all[start..<min(start + Self.maxBuckets, all.count)]
            return TrackingEvent(
                Self.name,
                [
                    "event": .string(event), "phase": .string(phase), "count": .unsigned(part.reduce(0) { $0 &+ $1.count }),
                    "sum_ns": .unsigned(start == 0 ? buckets.total : 0), "min_ns": .unsigned(buckets.least),
                    "max_ns": .unsigned(buckets.greatest), "le_ns": .array(part.map { .unsigned($0.upTo) }),
                    "n": .array(part.map { .unsigned($0.count) }),
                ])
        }
    }
}

import TrackingEvents

/// The histogram of these values.
func buckets(_ values: [UInt64]) -> LatencyBuckets {
    var buckets = LatencyBuckets()
    for value in values { buckets.record(value) }
    return buckets
}

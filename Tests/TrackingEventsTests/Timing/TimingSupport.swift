import TrackingEvents

/// What was measured, value by value.
func buckets(_ values: [UInt64]) -> LatencyBuckets {
    var buckets = LatencyBuckets()
    for value in values { buckets.record(value) }
    return buckets
}

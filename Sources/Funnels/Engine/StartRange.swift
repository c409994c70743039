/// When attempts may begin, in milliseconds since 1970 UTC.
struct StartRange: Sendable, Hashable {
    var since = Int64.min
    /// The first millisecond after the range, in which no attempt may begin; `nil` for no end.
    var until: Int64?
}

extension StartRange {
    init(_ definition: FunnelDefinition) { self.init(since: definition.since ?? .min, until: definition.until) }

    @inline(__always)
    func contains(_ time: Int64) -> Bool { time >= since && (until.map { time < $0 } ?? true) }

    func before(_ end: Int64?) -> StartRange { end.map { StartRange(since: since, until: min(until ?? .max, $0)) } ?? self }

    func within(_ period: Range<Int64>) -> StartRange {
        StartRange(since: max(since, period.lowerBound), until: min(until ?? .max, period.upperBound))
    }

    var isEmpty: Bool { until.map { since >= $0 } ?? false }

    func holds(_ period: Range<Int64>) -> Bool { since <= period.lowerBound && until.map { period.upperBound <= $0 } ?? true }
}

extension UnsafeBufferPointer<StepEvent> {
    /// The events that attempts can meet if they begin in a range. The events must stand by rising time.
    func reached(from range: StartRange, window: Int64) -> UnsafeBufferPointer {
        guard range.since != .min || range.until != nil else { return self }
        let start = partitionPoint { $0.time >= range.since }
        guard let until = range.until else { return UnsafeBufferPointer(rebasing: self[start...]) }
        let (end, overflow) = until.addingReportingOverflow(window)
        return UnsafeBufferPointer(rebasing: self[start..<(overflow ? count : Swift.max(start, partitionPoint { $0.time >= end }))])
    }
}

/// The `timing` line of version 1: a histogram of how long one phase took for events of one name. The page "Format and contract" of
/// EventFiles tells what its properties mean, and how lines add up.
package struct TimingLine: Sendable, Hashable {
    package static let name = "step_timing"
    /// The most buckets in one line. With the longest numbers and names they take a third of the longest line.
    package static let maxBuckets = 256

    package var event: String
    package var phase: String
    package var buckets: LatencyBuckets

    package init(event: String, phase: String, buckets: LatencyBuckets) { (self.event, self.phase, self.buckets) = (event, phase, buckets) }

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

    /// Reads a line's properties, the object with its braces; `nil` if something is missing or the numbers contradict each other.
    package init?(properties: UnsafeRawBufferPointer) {
        func value(_ key: String) -> JSONValue? { PropertyReader(path: [key]).value(in: properties) }
        func number(_ key: String) -> UInt64? { value(key).flatMap { Self.whole($0, in: properties) } }
        guard let event = value("event")?.string(in: properties), let phase = value("phase")?.string(in: properties),
            let count = number("count"), let sum = number("sum_ns"), let least = number("min_ns"), let greatest = number("max_ns"),
            let bounds = Self.numbers(value("le_ns"), in: properties), let counts = Self.numbers(value("n"), in: properties),
            bounds.count == counts.count,
            let buckets = LatencyBuckets(
                total: sum, least: least, greatest: greatest, sparse: zip(bounds, counts).map { (upTo: $0, count: $1) }),
            buckets.count == count
        else { return nil }
        self.init(event: event, phase: phase, buckets: buckets)
    }

    private static func numbers(_ array: JSONValue?, in properties: UnsafeRawBufferPointer) -> [UInt64]? {
        guard let array, array.kind == .array, let elements = try? array.elements(in: properties) else { return nil }
        let numbers = elements.compactMap { whole($0, in: properties) }
        return numbers.count == elements.count ? numbers : nil
    }

    /// A whole number; beyond 2⁵³ it is a text.
    private static func whole(_ value: JSONValue, in properties: UnsafeRawBufferPointer) -> UInt64? {
        let digits = value.text.bytes(in: properties)
        let isWhole = (value.kind == .number || value.kind == .string) && digits.allSatisfy { (0x30...0x39).contains($0) }
        return isWhole ? UInt64(String(decoding: digits, as: UTF8.self)) : nil
    }
}

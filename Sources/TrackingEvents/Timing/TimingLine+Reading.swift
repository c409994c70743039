extension TimingLine {
    /// Reads a line's properties, the object with its braces; `nil` if something is missing or the numbers contradict each other.
    package init?(properties: UnsafeRawBufferPointer) {
        guard let event = Self.text("event", in: properties), let phase = Self.text("phase", in: properties),
            let count = Self.number("count", in: properties), let sum = Self.number("sum_ns", in: properties),
            let least = Self.number("min_ns", in: properties), let greatest = Self.number("max_ns", in: properties),
            let bounds = Self.numbers("le_ns", in: properties), let counts = Self.numbers("n", in: properties),
            bounds.count == counts.count,
            let buckets = LatencyBuckets(
                total: sum, least: least, greatest: greatest, sparse: zip(bounds, counts).lazy.map { (upTo: $0, count: $1) }),
            buckets.count == count
        else { return nil }
        self.init(event: event, phase: phase, buckets: buckets)
    }

    private static func text(_ key: String, in properties: UnsafeRawBufferPointer) -> String? {
        guard case .string(let text) = PropertyReader(path: [key]).value(in: properties) else { return nil }
        return text.string(in: properties)
    }

    /// A whole number; beyond 2⁵³ it is a text.
    private static func number(_ key: String, in properties: UnsafeRawBufferPointer) -> UInt64? {
        switch PropertyReader(path: [key]).value(in: properties) {
        case .number(_, let text), .string(let text): whole(text.bytes(in: properties))
        default: nil
        }
    }

    private static func numbers(_ key: String, in properties: UnsafeRawBufferPointer) -> [UInt64]? {
        guard case .array(let text) = PropertyReader(path: [key]).value(in: properties) else { return nil }
        var cursor = JSONCursor(properties, at: text.range.lowerBound)
        var numbers: [UInt64?] = []
        try? cursor.forEachElement { value in
            let isNumber = value.kind == .number || value.kind == .string
            numbers.append(isNumber ? whole(value.text.bytes(in: properties)) : nil)
        }
        let found = numbers.compactMap(\.self)
        return found.count == numbers.count ? found : nil
    }

    private static func whole(_ digits: UnsafeRawBufferPointer) -> UInt64? {
        digits.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(String(decoding: digits, as: UTF8.self)) : nil
    }
}

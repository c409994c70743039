extension TimingLine {
    /// Reads a line's properties; `nil` if something is missing or the numbers contradict each other.
    ///
    /// - Parameter properties: the bytes of the object with its braces.
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
        var numbers: [UInt64] = []
        do throws(BadLine) {
            try cursor.forEachElement { value in
                guard value.kind == .number || value.kind == .string, let number = whole(value.text.bytes(in: properties)) else {
                    return false
                }
                numbers.append(number)
                return true
            }
        } catch {
            return nil
        }
        return numbers
    }

    private static func whole(_ digits: UnsafeRawBufferPointer) -> UInt64? {
        guard !digits.isEmpty else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            let (tenfold, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(UInt64(digit - 0x30))
            if overflow || carry { return nil }
            number = sum
        }
        return number
    }
}

extension JSONCursor {
    /// Passes each value of the array that begins here to `body`; fails where `body` returns `false`.
    mutating func forEachElement(_ body: (JSONValue) -> Bool) throws(BadLine) {
        guard take("[") else { throw failure(.value) }
        skipWhiteSpace()
        if take("]") { return }
        while true {
            guard body(try value()) else { throw failure(.number) }
            skipWhiteSpace()
            if take("]") { return }
            guard take(",") else { throw failure(.commaOrBracket) }
            skipWhiteSpace()
        }
    }
}

package import Basics

/// Writes stamped events as version 1 lines: one JSON object a line, keys in a fixed order.
///
/// NaN and ±∞ become `null`, integers beyond ±2⁵³ become text, doubles carry a `.` or an exponent, and sensitive values pass through the
/// policy. It is not `Codable`, because it runs on the caller's thread for every event.
///
/// **Too long.** Texts, names, keys, depth and the number of keys are cut at the limits of lines, and `"_cut":true` is added to `props`. If
/// the line is still too long, nothing is written (``line(of:)`` returns `nil`), and the writer makes a `too_large` line.
public struct EventLineEncoder: Sendable {
    /// The result of encoding one event.
    package enum Outcome: Sendable, Equatable {
        /// The line is in the buffer; `nonFinite` of its numbers were NaN or ±∞ and became `null`.
        case written(nonFinite: Int)
        /// The line would have this many bytes; the buffer is unchanged.
        case tooLarge(bytes: Int)
    }

    let sensitivity: SensitivityPolicy

    /// - Parameter sensitivity: the policy that says what is written instead of sensitive values.
    public init(sensitivity: SensitivityPolicy = .drop) { self.sensitivity = sensitivity }

    /// The line of one event with its line feed; `nil` if it would be too large.
    public func line(of event: StampedEvent) -> [UInt8]? {
        let bytes = ByteBuffer(capacity: 512)
        guard case .written = append(event, to: bytes) else { return nil }
        return Array(bytes.bytes)
    }

    /// Appends the line of one event and its line feed, in O(bytes written). Allocates only to grow, or for doubles of over 15 digits.
    package func append(_ event: StampedEvent, to bytes: ByteBuffer) -> Outcome {
        if let bound = PlainLine.bound(of: event) {
            bytes.reserve(bound)
            if let count = PlainLine.write(event, to: bytes.base + bytes.count) {
                bytes.advance(by: count)
                return .written(nonFinite: 0)
            }
        }
        return appendAny(event, to: bytes)
    }

    func appendAny(_ event: StampedEvent, to bytes: ByteBuffer) -> Outcome {
        let start = bytes.count
        var cut = false
        bytes.reserve(256)
        bytes.append(#"{"v":1,"t_ms":"#)
        JSONText.append(event.timeMilliseconds, to: bytes)
        bytes.append(#","name":"#)
        if event.event.name.isEmpty {
            bytes.append(#""unnamed""#)
        } else {
            JSONText.append(event.event.name, atMost: EventLineLimits.nameBytes, to: bytes, cut: &cut)
        }
        optional(#","user":"#, event.user, to: bytes)
        optional(#","session":"#, event.session, to: bytes)
        if let sequence = event.sequence {
            bytes.append(#","seq":"#)
            JSONText.append(sequence, to: bytes)
        }
        bytes.append(#","id":""#)
        event.id.write(to: bytes)
        switch event.kind {
        case .track: bytes.append(#"""#)
        case .meta: bytes.append(#"","type":"meta""#)
        case .timing: bytes.append(#"","type":"timing""#)
        }
        optional(#","system":"#, event.system, to: bytes)
        bytes.append(#","props":"#)
        let nonFinite = append(event.event.properties, alreadyCut: cut, to: bytes)
        bytes.append("}\n")
        let length = bytes.count - start - 1
        if length > EventLineLimits.lineBytes {
            bytes.truncate(to: start)
            return .tooLarge(bytes: length)
        }
        return .written(nonFinite: nonFinite)
    }

    @inline(__always)
    private func optional(_ key: StaticString, _ text: String?, to bytes: ByteBuffer) {
        guard let text else { return }
        bytes.append(key)
        JSONText.append(text, to: bytes)
    }

    /// Writes `props`. If something was cut and there is no room for the mark, writes `props` again with one key less.
    private func append(_ properties: TrackingProperties, alreadyCut: Bool, to bytes: ByteBuffer) -> Int {
        let start = bytes.count
        var budget = alreadyCut ? EventLineLimits.keys - 1 : EventLineLimits.keys
        while true {
            var writer = PropertiesWriter(sensitivity: sensitivity, keysLeft: budget, cut: alreadyCut)
            writer.append(properties, depth: 1, to: bytes)
            if !writer.cut { return writer.nonFinite }
            if writer.keysLeft > 0 || budget < EventLineLimits.keys {
                // The closing brace is removed, and the mark brings it back.
                bytes.truncate(to: bytes.count - 1)
                if bytes.base[bytes.count - 1] != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
                bytes.append(#""_cut":true}"#)
                return writer.nonFinite
            }
            bytes.truncate(to: start)
            budget -= 1
        }
    }
}

/// Writes one event's `props` within the limits, and notes whether something was cut.
private struct PropertiesWriter {
    let sensitivity: SensitivityPolicy
    var maxStringBytes = EventLineLimits.stringBytes
    var maxDepth = EventLineLimits.depth
    var keysLeft: Int
    var cut: Bool
    var nonFinite = 0

    mutating func append(_ properties: TrackingProperties, depth: Int, to bytes: ByteBuffer) {
        bytes.append(UInt8(ascii: "{"))
        var first = true
        for (offset, entry) in properties.entries.enumerated() {
            if case .sensitiveValue = entry.value, sensitivity == .drop { continue }
            if entry.key == EventLineLimits.cutKey && depth == 1 { continue }
            // A cut key is at most 3 bytes shorter than the limit, because a scalar has at most 4. So no shorter key can equal a cut one.
            if entry.key.utf8.count >= maxStringBytes - 3, isRepeated(entry.key, in: properties.entries[..<offset]) {
                cut = true
                continue
            }
            if keysLeft == 0 {
                cut = true
                break
            }
            keysLeft -= 1
            if !first { bytes.append(UInt8(ascii: ",")) }
            first = false
            JSONText.append(entry.key, atMost: maxStringBytes, to: bytes, cut: &cut)
            bytes.append(UInt8(ascii: ":"))
            append(entry.value, depth: depth, to: bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Whether an earlier key equals this one once both are cut: no object on a line may have a key twice.
    private func isRepeated(_ key: String, in entries: ArraySlice<TrackingProperties.Entry>) -> Bool {
        let limit = EventLineLimits.stringBytes
        let written = JSONText.cut(key, to: limit)
        return entries.contains { JSONText.cut($0.key, to: limit).utf8.elementsEqual(written.utf8) }
    }

    mutating func append(_ value: TrackingValue, depth: Int, to bytes: ByteBuffer) {
        switch value {
        case .string(let text): JSONText.append(text, atMost: maxStringBytes, to: bytes, cut: &cut)
        case .int(let number):
            if number.magnitude <= UInt64(EventLineLimits.integerMagnitude) {
                JSONText.append(number, to: bytes)
            } else {
                bytes.append(UInt8(ascii: "\""))
                JSONText.append(number, to: bytes)
                bytes.append(UInt8(ascii: "\""))
            }
        case .double(let number):
            if number.isFinite {
                JSONText.append(number, to: bytes)
            } else {
                nonFinite += 1
                bytes.append("null")
            }
        case .bool(let truth): truth ? bytes.append("true") : bytes.append("false")
        case .null: bytes.append("null")
        case .array where depth >= maxDepth, .object where depth >= maxDepth:
            cut = true
            bytes.append("null")
        case .array(let values): append(values, depth: depth + 1, to: bytes)
        case .object(let properties): append(properties, depth: depth + 1, to: bytes)
        case .sensitiveValue(let hidden):
            guard case .hash(let key) = sensitivity else { return bytes.append(#""***""#) }
            bytes.append(UInt8(ascii: "\""))
            appendHash(of: hidden, key, to: bytes)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// Serialises the value at the buffer's end, hashes it, and overwrites it with the digest: no other buffer is needed.
    private func appendHash(of value: TrackingValue, _ key: HashingKey, to bytes: ByteBuffer) {
        switch value {
        case .sensitiveValue(let inner): appendHash(of: inner, key, to: bytes)
        case .string(var text): text.withUTF8 { key.appendCode(of: UnsafeRawBufferPointer($0), to: bytes) }
        default:
            let start = bytes.count
            // The line's limits do not apply, or different values would hash alike. Depth 64 bounds recursion: a stack may be of 512 KiB.
            var plain = PropertiesWriter(sensitivity: sensitivity, maxStringBytes: .max, maxDepth: 64, keysLeft: .max, cut: false)
            if case .int(let number) = value { JSONText.append(number, to: bytes) } else { plain.append(value, depth: 1, to: bytes) }
            // Reserve first: growing would move the bytes that are hashed.
            bytes.reserve(64)
            let end = bytes.count
            key.appendCode(of: UnsafeRawBufferPointer(rebasing: bytes.raw[start..<end]), to: bytes)
            (bytes.base + start).update(from: bytes.base + end, count: bytes.count - end)
            bytes.truncate(to: start + 64)
        }
    }

    private mutating func append(_ values: [TrackingValue], depth: Int, to bytes: ByteBuffer) {
        bytes.append(UInt8(ascii: "["))
        var first = true
        for value in values {
            if case .sensitiveValue = value, sensitivity == .drop { continue }
            if !first { bytes.append(UInt8(ascii: ",")) }
            first = false
            append(value, depth: depth, to: bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}

public import Basics

/// Writes tracked events as version 1 lines: one JSON object a line, keys in the fixed order, by hand into bytes.
///
/// The rules are those of the format (README, "What the files look like"): NaN and ±∞ become `null`, integers beyond ±2⁵³
/// become text, doubles carry a `.` or an exponent, what exceeds ``EventLineLimits`` is cut and marked, and sensitive values
/// pass through the policy. Not `Codable`, because this runs on the caller's thread for every event.
public struct EventLineEncoder: Sendable {
    /// What became of one event.
    public enum Outcome: Sendable, Equatable {
        /// The line stands in the buffer; `nonFinite` of its numbers were NaN or ±∞ and became `null`.
        case written(nonFinite: Int)
        /// The line would have had this many bytes; the buffer is as it was.
        case tooLarge(bytes: Int)
    }

    /// What is written in place of sensitive values.
    public var sensitivity: SensitivityPolicy

    public init(sensitivity: SensitivityPolicy = .drop) { self.sensitivity = sensitivity }

    /// The line of one event with its line feed, for those who do not keep a buffer; `nil` if it would be too large.
    public func line(of event: TrackedEvent) -> [UInt8]? {
        let bytes = ByteBuffer(capacity: 512)
        guard case .written = append(event, to: bytes) else { return nil }
        return Array(bytes.bytes)
    }

    /// Appends the line of one event, its line feed included.
    ///
    /// - Complexity: O(bytes written). Allocates only where the buffer has to grow or a double needs more than 15 digits.
    package func append(_ event: TrackedEvent, to bytes: ByteBuffer) -> Outcome {
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
        var uncut = false
        JSONText.append(text, atMost: .max, to: bytes, cut: &uncut)
    }

    /// Writes `props`; when the mark of a cut would be one key too many, writes them again with room for it.
    private func append(_ properties: TrackingProperties, alreadyCut: Bool, to bytes: ByteBuffer) -> Int {
        let start = bytes.count
        var budget = alreadyCut ? EventLineLimits.keys - 1 : EventLineLimits.keys
        while true {
            var writer = PropertiesWriter(sensitivity: sensitivity, keysLeft: budget, cut: alreadyCut)
            writer.append(properties, depth: 1, to: bytes)
            if !writer.cut { return writer.nonFinite }
            if writer.keysLeft > 0 || budget < EventLineLimits.keys {
                // The closing brace makes room for the mark.
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

/// Writes one event's `props` within the limits and remembers what they cost it.
private struct PropertiesWriter {
    let sensitivity: SensitivityPolicy
    var stringBytes = EventLineLimits.stringBytes
    var deepest = EventLineLimits.depth
    var keysLeft: Int
    var cut: Bool
    var nonFinite = 0

    /// For what is hashed: nothing of it reaches the line, so the line's limits are no reason to let two values look alike. Only what nests
    /// deeper than a thread's stack is sure to allow is cut.
    static func unlimited(_ sensitivity: SensitivityPolicy) -> PropertiesWriter {
        PropertiesWriter(sensitivity: sensitivity, stringBytes: .max, deepest: 256, keysLeft: .max, cut: false)
    }

    mutating func append(_ properties: TrackingProperties, depth: Int, to bytes: ByteBuffer) {
        bytes.append(UInt8(ascii: "{"))
        var first = true
        for (place, entry) in properties.entries.enumerated() {
            if case .sensitiveValue = entry.value, sensitivity == .drop { continue }
            if entry.key == EventLineLimits.cutKey && depth == 1 { continue }
            if entry.key.utf8.count > EventLineLimits.stringBytes - 4, Self.isTaken(entry.key, in: properties.entries[..<place]) {
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
            JSONText.append(entry.key, atMost: stringBytes, to: bytes, cut: &cut)
            bytes.append(UInt8(ascii: ":"))
            append(entry.value, depth: depth, to: bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Whether a long key is the same as one before it when both are cut: on the line no key may stand twice.
    private static func isTaken(_ key: String, in entries: ArraySlice<TrackingProperties.Entry>) -> Bool {
        let written = written(key)
        return entries.contains { Self.written($0.key).elementsEqual(written) }
    }

    /// What of a key stands on the line.
    private static func written(_ key: String) -> Substring.UTF8View {
        let utf8 = key.utf8
        var end = utf8.index(utf8.startIndex, offsetBy: EventLineLimits.stringBytes, limitedBy: utf8.endIndex) ?? utf8.endIndex
        while end < utf8.endIndex, utf8[end] & 0xC0 == 0x80 { utf8.formIndex(before: &end) }
        return Substring(key).utf8[..<end]
    }

    mutating func append(_ value: TrackingValue, depth: Int, to bytes: ByteBuffer) {
        switch value {
        case .string(let text): JSONText.append(text, atMost: stringBytes, to: bytes, cut: &cut)
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
        case .array(let values): append(values, depth: depth + 1, to: bytes)
        case .object(let properties):
            if depth + 1 > deepest {
                cut = true
                bytes.append("null")
            } else {
                append(properties, depth: depth + 1, to: bytes)
            }
        case .sensitiveValue(let hidden):
            guard case .hash(let key) = sensitivity else { return bytes.append(#""***""#) }
            bytes.append(UInt8(ascii: "\""))
            appendHash(of: hidden, key, to: bytes)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// What is hashed that is no text stands in the buffer for a moment: nothing is allocated for it.
    private func appendHash(of value: TrackingValue, _ key: HashingKey, to bytes: ByteBuffer) {
        switch value {
        case .sensitiveValue(let inner): appendHash(of: inner, key, to: bytes)
        case .string(var text): text.withUTF8 { key.appendCode(of: UnsafeRawBufferPointer($0), to: bytes) }
        default:
            let start = bytes.count
            var plain = PropertiesWriter.unlimited(sensitivity)
            if case .int(let number) = value {
                JSONText.append(number, to: bytes)
            } else {
                plain.append(value, depth: 1, to: bytes)
            }
            // Room for the digits first: to grow would move what is hashed.
            bytes.reserve(64)
            let end = bytes.count
            key.appendCode(of: UnsafeRawBufferPointer(rebasing: bytes.raw[start..<end]), to: bytes)
            let digits = UnsafeMutablePointer<UInt8>(bytes.base + start)
            digits.update(from: bytes.base + end, count: bytes.count - end)
            bytes.truncate(to: start + 64)
        }
    }

    private mutating func append(_ values: [TrackingValue], depth: Int, to bytes: ByteBuffer) {
        if depth > deepest {
            cut = true
            bytes.append("null")
            return
        }
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

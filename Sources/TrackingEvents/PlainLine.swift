import Basics

/// Writes the line of an event whose values are scalars, in one pass through one pointer. ``bound(of:)`` first says how many bytes the line
/// can have, so that the pass checks only the bytes that it copies. It leaves all else, such as a text with something to escape, to
/// `EventLineEncoder`, which has the rules. Both give the same bytes for an event that both can write.
enum PlainLine {
    /// The highest bound, in bytes, of a line that is written here.
    static let maxBytes = 16 * 1_024
    static let maxKeys = 64
    /// Brackets, commas, the keys of a line, its numbers and its id.
    private static let frameBytes = 256

    /// The most bytes that the event's line can have, from the texts' lengths alone; `nil` if the encoder must write the event. O(keys).
    @inline(__always)
    static func bound(of event: borrowing StampedEvent) -> Int? {
        let name = event.event.name.utf8.count
        guard name > 0, name <= EventLineLimits.nameBytes else { return nil }
        var bytes = frameBytes &+ name
        bytes &+= (event.user?.utf8.count ?? 0) &+ (event.session?.utf8.count ?? 0) &+ (event.system?.utf8.count ?? 0)
        guard bytes <= maxBytes else { return nil }
        return event.event.properties.entries.withUnsafeBufferPointer { entries in
            guard entries.count <= maxKeys else { return nil }
            for index in 0..<entries.count {
                let key = entries[index].key.utf8.count
                // The encoder compares longer keys after it has cut them.
                guard key < EventLineLimits.stringBytes - 3, let value = bound(of: entries[index].value) else { return nil }
                bytes &+= key &+ value &+ 4
            }
            return bytes <= maxBytes ? bytes : nil
        }
    }

    @inline(__always)
    private static func bound(of value: TrackingValue) -> Int? {
        switch value {
        case .string(let text):
            let count = text.utf8.count
            return count <= EventLineLimits.stringBytes ? count &+ 2 : nil
        case .int, .double, .bool, .null: return JSONText.doubleBytes
        case .array, .object, .sensitiveValue: return nil
        }
    }

    /// Writes an event's line and its line feed into room for ``bound(of:)`` bytes, and returns how many were written. `nil` if the encoder
    /// must write the event: then do not use what is at `start`.
    @inline(__always)
    static func write(_ event: borrowing StampedEvent, to start: UnsafeMutablePointer<UInt8>) -> Int? {
        var end = start
        append(#"{"v":1,"t_ms":"#, to: &end)
        end += JSONText.write(event.timeMilliseconds, to: end)
        append(#","name":""#, to: &end)
        guard copy(event.event.name, to: &end) else { return nil }
        if let user = event.user {
            append(#"","user":""#, to: &end)
            guard copy(user, to: &end) else { return nil }
        }
        if let session = event.session {
            append(#"","session":""#, to: &end)
            guard copy(session, to: &end) else { return nil }
        }
        if let sequence = event.sequence {
            append(#"","seq":"#, to: &end)
            end += JSONText.write(sequence, to: end)
            append(#","id":""#, to: &end)
        } else {
            append(#"","id":""#, to: &end)
        }
        event.id.write(to: end)
        end += EventID.textBytes
        switch event.kind {
        case .track: break
        case .meta: append(#"","type":"meta"#, to: &end)
        case .timing: append(#"","type":"timing"#, to: &end)
        }
        if let system = event.system {
            append(#"","system":""#, to: &end)
            guard copy(system, to: &end) else { return nil }
        }
        append(#"","props":{"#, to: &end)
        guard write(event.event.properties, to: &end) else { return nil }
        append("}}\n", to: &end)
        return end - start
    }

    /// - Returns: `false` if the encoder must write the event.
    @inline(__always)
    private static func write(_ properties: borrowing TrackingProperties, to end: inout UnsafeMutablePointer<UInt8>) -> Bool {
        // Through the buffer, entries are read in place. A loop over the array would copy each.
        properties.entries.withUnsafeBufferPointer { entries in
            guard let first = entries.baseAddress else { return true }
            for index in 0..<entries.count {
                let entry = first + index
                index == 0 ? append(#"""#, to: &end) : append(#",""#, to: &end)
                let key = end
                guard copy(entry.pointee.key, to: &end) else { return false }
                if isCutKey(key, count: end - key) { return false }
                append(#"":"#, to: &end)
                guard write(entry.pointee.value, to: &end) else { return false }
            }
            return true
        }
    }

    @inline(__always)
    private static func write(_ value: TrackingValue, to end: inout UnsafeMutablePointer<UInt8>) -> Bool {
        switch value {
        case .string(let text):
            append(#"""#, to: &end)
            guard copy(text, to: &end) else { return false }
            append(#"""#, to: &end)
        case .int(let number):
            guard number.magnitude <= UInt64(EventLineLimits.integerMagnitude) else { return false }
            end += JSONText.write(number, to: end)
        case .double(let number):
            guard number.isFinite else { return false }
            end += JSONText.write(number, to: end)
        case .bool(let truth): truth ? append("true", to: &end) : append("false", to: &end)
        case .null: append("null", to: &end)
        case .array, .object, .sensitiveValue: return false
        }
        return true
    }

    /// Whether a key that was just written is the mark of a line that was cut, which no event may set.
    @inline(__always)
    private static func isCutKey(_ key: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
        count == 4 && UnsafeRawPointer(key).loadUnaligned(as: UInt32.self) == UInt32(littleEndian: 0x7475_635F)
    }

    @inline(__always)
    private static func append(_ text: StaticString, to end: inout UnsafeMutablePointer<UInt8>) {
        end.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        end += text.utf8CodeUnitCount
    }

    /// - Returns: `false` if the text has a character to escape, or its bytes are not contiguous.
    @inline(__always)
    private static func copy(_ text: String, to end: inout UnsafeMutablePointer<UInt8>) -> Bool {
        let count = text.utf8.withContiguousStorageIfAvailable { JSONText.copy($0, to: end) ? $0.count : -1 }
        guard let count, count >= 0 else { return false }
        end += count
        return true
    }
}

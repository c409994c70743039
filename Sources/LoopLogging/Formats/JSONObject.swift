import TrackingEvents

/// A JSON object on one line, its keys in the order in which they are added.
struct JSONObject {
    private let bytes = ByteBuffer(capacity: 512)

    private func key(_ key: StaticString) {
        bytes.append(bytes.count == 0 ? "{\"" : ",\"")
        bytes.append(key)
        bytes.append("\":")
    }

    mutating func add(_ name: StaticString, _ value: String) {
        key(name)
        JSONText.append(value, to: bytes)
    }

    mutating func add(_ name: StaticString, _ value: Int64) {
        key(name)
        JSONText.append(value, to: bytes)
    }

    /// Nanoseconds: what would not fit is more than two hundred years.
    mutating func add(_ name: StaticString, _ value: UInt64) { add(name, Int64(clamping: value)) }

    mutating func add(_ name: StaticString, _ value: Bool) {
        key(name)
        bytes.append(value ? "true" : "false")
    }

    mutating func add(_ name: StaticString, _ objects: [JSONObject]) {
        key(name)
        bytes.append("[")
        for (place, object) in objects.enumerated() {
            if place > 0 { bytes.append(",") }
            object.finish(to: bytes)
        }
        bytes.append("]")
    }

    private func finish(to other: ByteBuffer) {
        if bytes.count == 0 { other.append("{") }
        other.append(bytes.bytes)
        other.append("}")
    }

    var text: String {
        let whole = ByteBuffer(capacity: bytes.count + 2)
        finish(to: whole)
        return whole.text
    }
}

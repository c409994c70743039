/// The part of writing JSON that is the same for everybody: brackets, keys, and the commas between what stands in them.
///
/// It takes what comes as it comes: that keys and values take turns is its owner's to know.
package struct JSONFrame {
    private let bytes: ByteBuffer
    private var needsComma = false

    package init(capacity: Int) { bytes = ByteBuffer(capacity: capacity) }

    package var text: String { bytes.text }

    /// Begins an object or an array.
    package mutating func open(_ bracket: StaticString) {
        separate()
        bytes.append(bracket)
    }

    package mutating func close(_ bracket: StaticString) {
        bytes.append(bracket)
        needsComma = true
    }

    /// - Parameter key: needs no escaping.
    package mutating func key(_ key: StaticString) {
        separate()
        bytes.append("\"")
        bytes.append(key)
        bytes.append("\":")
    }

    /// Puts a whole value where it belongs.
    package mutating func value(_ write: (ByteBuffer) -> Void) {
        separate()
        write(bytes)
        needsComma = true
    }

    /// A line break before the next member or element, and some blanks.
    package mutating func breakLine(_ indent: StaticString) {
        separate()
        bytes.append("\n")
        bytes.append(indent)
    }

    /// The line feed after the outermost value.
    package func endLine() { bytes.append("\n") }

    private mutating func separate() {
        if needsComma { bytes.append(",") }
        needsComma = false
    }
}

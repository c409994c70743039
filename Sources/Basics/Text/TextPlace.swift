/// A place in a text as people count: both numbers from 1, columns in characters. A byte order mark is no character.
package struct TextPlace: Sendable, Hashable {
    package let line: Int
    package let column: Int

    /// The place of a byte, in O(offset). At the end and beyond, it is the place behind the last character.
    package init(ofByte offset: Int, in bytes: [UInt8]) {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let before = bytes[start..<max(start, min(offset, bytes.count))]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? start
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
    }
}
